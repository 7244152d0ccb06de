(* Pairs and certificates, from JSON to what the proven checker takes. Nothing here is proven: it is
   what has to be believed besides the theorem. *)
open Json

let refuse reason = raise (Malformed reason)

let field name = function
  | Object members -> (
      match List.assoc_opt name members with Some value -> value | None -> refuse ("no " ^ name))
  | _ -> refuse "no object"

let optional name = function Object members -> List.assoc_opt name members | _ -> refuse "no object"
let items = function List found -> found | _ -> refuse "no list"
let text = function Text found -> found | _ -> refuse "no text"
let members = function Object found -> found | _ -> refuse "no object"

(* What Python takes for lines of what ends with a line feed: a carriage return ends one, too. *)
let lines found =
  let length = String.length found in
  let ends = length > 0 && found.[length - 1] = '\r' in
  String.split_on_char '\r' (String.sub found 0 (if ends then length - 1 else length))

(* The name of a pair, which has to be a text that can be written: half a surrogate pair cannot. *)
let identifier json =
  match field "id" json with Text found when is_utf8 found -> found | _ -> refuse "no identifier"

(* Python takes true for 1. *)
let integer = function
  | Int n -> n
  | Bool true -> Z.one
  | Bool false -> Z.zero
  | _ -> refuse "no whole number"

(* What is equal in Python. *)
let rec same one other =
  match (one, other) with
  | (Int _ | Bool _), (Int _ | Bool _) -> Z.equal (integer one) (integer other)
  | List ones, List others -> List.compare_lengths ones others = 0 && List.for_all2 same ones others
  | Object ones, Object others ->
      let member (key, value) =
        match List.assoc_opt key others with Some found -> same value found | None -> false
      in
      List.compare_lengths ones others = 0 && List.for_all member ones
  | _ -> one = other

(* The text that Python writes for JSON. *)
let rec written buffer json =
  let add = Buffer.add_string buffer in
  let all opening closing one = function
    | [] -> add (opening ^ closing)
    | first :: rest ->
        add opening;
        one first;
        List.iter (fun x -> add ", "; one x) rest;
        add closing
  in
  match json with
  | Null -> add "null"
  | Bool found -> add (string_of_bool found)
  | Int n -> add (Z.to_string n)
  | Text found -> quoted buffer found
  | List found -> all "[" "]" (written buffer) found
  | Object found ->
      let one (key, value) = quoted buffer key; add ": "; written buffer value in
      all "{" "}" one (List.sort (fun (a, _) (b, _) -> compare a b) found)

and quoted buffer found =
  let add = Buffer.add_string buffer in
  let unit code = add (Printf.sprintf "\\u%04x" code) in
  let length = String.length found in
  let rec go k =
    if k < length then (
      let byte at = Char.code found.[at] in
      let part at = byte at land 0x3F in
      match byte k with
      | 0x22 -> add "\\\""; go (k + 1)
      | 0x5C -> add "\\\\"; go (k + 1)
      | 0x0A -> add "\\n"; go (k + 1)
      | 0x0D -> add "\\r"; go (k + 1)
      | 0x09 -> add "\\t"; go (k + 1)
      | 0x0C -> add "\\f"; go (k + 1)
      | 0x08 -> add "\\b"; go (k + 1)
      | c when c < 0x20 || c = 0x7F -> unit c; go (k + 1)
      | c when c < 0x80 -> Buffer.add_char buffer (Char.chr c); go (k + 1)
      | c when c < 0xE0 -> unit (((c land 0x1F) lsl 6) lor part (k + 1)); go (k + 2)
      | c when c < 0xF0 ->
          unit (((c land 0x0F) lsl 12) lor (part (k + 1) lsl 6) lor part (k + 2));
          go (k + 3)
      | c ->
          let code =
            ((c land 0x07) lsl 18) lor (part (k + 1) lsl 12) lor (part (k + 2) lsl 6) lor part (k + 3)
          in
          let rest = code - 0x10000 in
          unit (0xD800 lor (rest lsr 10));
          unit (0xDC00 lor (rest land 0x3FF));
          go (k + 4))
  in
  add "\"";
  go 0;
  add "\""

let text_of json =
  let buffer = Buffer.create 4096 in
  written buffer json;
  Buffer.contents buffer

(* The characters of a text in UTF-8. *)
let characters found =
  let rec from k =
    if k >= String.length found then []
    else
      let lead = Char.code found.[k] in
      let size = if lead < 0x80 then 1 else if lead < 0xE0 then 2 else if lead < 0xF0 then 3 else 4 in
      Text (String.sub found k size) :: from (k + size)
  in
  from 0

(* What Python goes through: of a text its characters, of an object its keys. *)
let iterated = function
  | Text found -> characters found
  | Object members -> List.map (fun (key, _) -> Text key) members
  | json -> items json

(* A position. Whatever else Python takes for the key of a dictionary is no position of a graph, but
   different from all others: it becomes a number beyond all graphs. *)
let position json =
  let beyond text = Z.of_bits ("\001" ^ String.make 16 '\000' ^ text ^ "\001") in
  match json with
  | Int n when Z.sign n >= 0 -> n
  | Bool _ -> integer json
  | List _ | Object _ -> refuse "no position"
  | other -> beyond (text_of other)

let pair_of json =
  match iterated json with [ i; j ] -> (position i, position j) | _ -> refuse "no pair"

(* * Pairs of graphs *)

(* A text; whatever else Python can compare with one becomes what is no UTF-8. *)
let name = function
  | Text found -> found
  | Null -> "\xFFnull"
  | List _ | Object _ -> refuse "no text"
  | number -> "\xFF" ^ Z.to_string (integer number)

let names json = List.map name (iterated json)

let graph json =
  let variables = names (field "variables" json) in
  let positions = Hashtbl.create 64 in
  List.iteri
    (fun k variable ->
      if Hashtbl.mem positions variable then refuse "a variable occurs twice";
      Hashtbl.add positions variable (Z.of_int k))
    variables;
  let position variable =
    match Hashtbl.find_opt positions variable with
    | Some k -> k
    | None -> refuse "a triple of another variable"
  in
  let triple json =
    match iterated json with
    | [ label; variables ] -> (names label, List.map position (names variables))
    | _ -> refuse "no triple"
  in
  {
    Checked.size = Z.of_int (List.length variables);
    triples = List.map triple (iterated (field "triples" json));
    keys = Option.map (fun keys -> List.map names (iterated keys)) (optional "keys" json);
  }

let problem json =
  let counted =
    match text (field "duplicates" json) with
    | "set" -> Checked.AsSet
    | "multiset" -> AsMultiset
    | "product" -> AsProduct
    | _ -> refuse "other duplicates"
  in
  let similar json =
    match iterated json with
    | [ own; other; worth ] -> ((names own, names other), integer worth)
    | _ -> refuse "no similar labels"
  in
  {
    Checked.counted;
    scale = integer (field "scale" json);
    similar = List.map similar (iterated (field "similar" json));
    test = graph (field "test" json);
    gold = graph (field "gold" json);
  }

(* The fingerprint of all that a score depends on. *)
let digest json =
  let keys = [ "duplicates"; "scale"; "similar"; "test"; "gold" ] in
  "sha256:" ^ Sha256.digest (text_of (List (List.map (fun key -> field key json) keys)))

(* * Certificates *)

(* A key of an object as the number that Python's int makes of it, of ASCII digits; None if it makes
   none. *)
let number key =
  let rec parts_are_digits = function
    | [] -> true
    | part :: parts ->
        part <> "" && String.for_all (fun c -> '0' <= c && c <= '9') part && parts_are_digits parts
  in
  let trimmed = String.trim (String.map (fun c -> if c = '\011' then ' ' else c) key) in
  let signed = trimmed <> "" && (trimmed.[0] = '-' || trimmed.[0] = '+') in
  let unsigned =
    if signed then String.sub trimmed 1 (String.length trimmed - 1) else trimmed
  in
  let parts = String.split_on_char '_' unsigned in
  let digits = String.concat "" parts in
  if not (parts_are_digits parts) || String.length digits > most_digits then None
  else Some (if trimmed.[0] = '-' then Z.neg (Z.of_string digits) else Z.of_string digits)

let numbers_of json =
  let numbered (key, price) =
    match number key with Some n -> (n, price) | None -> refuse "no number"
  in
  let numbers = last_of_each (List.map numbered (members json)) in
  List.map (fun (n, price) -> (position (Int n), integer price)) numbers

(* Parts of more pairs than any term has. *)
let uncovering = List.init 100 (fun _ -> Z.zero)

let leaf json =
  let part name made nothing = match optional name json with Some j -> made j | None -> nothing in
  (* No advice at all where Python finds nothing; what cannot be added up covers no term. *)
  let parts_of = function
    | Null | Bool false | Text "" | Object [] -> []
    | Int n when Z.sign n = 0 -> []
    | List parts -> ( try List.map integer parts with Malformed _ -> uncovering)
    | _ -> uncovering
  in
  let shares = function
    | Object members ->
        List.filter_map
          (fun (key, parts) ->
            match number key with
            | Some n when Z.sign n >= 0 && Z.to_string n = key -> Some (n, parts_of parts)
            | _ -> None)
          members
    | _ -> List.init 1000 (fun n -> (Z.of_int n, uncovering))
  in
  let local json =
    match items json with
    | [ i; j; column; price ] ->
        (((position i, position j), List.map position (iterated column)), price)
    | _ -> refuse "no local price"
  in
  let locals json =
    let found = last_of_each (List.map local (iterated json)) in
    List.map (fun (place, price) -> (place, integer price)) found
  in
  {
    Checked.denominator = integer (field "denominator" json);
    shares = part "shares" shares [];
    prices = part "prices" numbers_of [];
    local = part "local" locals [];
  }

(* A pair of positions that can be compared and are not negative. *)
let member json =
  let place number = if Z.sign number < 0 then refuse "no position" else number in
  match iterated json with
  | [ i; j ] -> (place (integer i), place (integer j))
  | _ -> refuse "no pair"

(* What is longer is refused in any case, and would not fit on the stack. *)
let at_most number found =
  if List.compare_length_with found number > 0 then refuse "too long" else found

let clique json =
  match iterated json with
  | [ multiplier; sets ] ->
      let some json = at_most 1000 (iterated json) in
      (integer multiplier, List.map (fun set -> List.map member (some set)) (some sets))
  | _ -> refuse "no clique"

let rec proof ~schema json =
  let node key = proof ~schema (field key json) in
  if optional "denominator" json <> None then Checked.Bound (leaf json)
  else if optional "sieve" json <> None then
    Sieve (leaf (field "sieve" json), integer (field "score" json), node "rest")
  else if optional "pair" json <> None then
    Split (pair_of (field "pair" json), node "with", node "without")
  else if schema = 2 then
    let cliques = List.map clique (iterated (field "cliques" json)) in
    Rows (cliques, integer (field "unit" json), node "rest")
  else refuse "no node of schema 1"

let evidence ~schema = function
  | Text "none" -> Checked.Nothing
  | json -> (
      match optional "counts" json with
      | Some advice -> (
          match optional "prices" advice with
          | None | Some Null -> Numbers None
          | Some prices -> Numbers (Some (numbers_of prices)))
      | None -> Shown (proof ~schema json))

let image = function Null -> None | json -> Some (position json)

(* What certificates there are: those of schema 2 may have cliques. *)
let schema json =
  match Z.to_int (integer (field "schema" json)) with
  | (1 | 2) as found -> found
  | _ | (exception Z.Overflow) -> refuse "another schema"

let certificate json =
  let schema = schema json in
  {
    Checked.images = List.map image (iterated (field "mapping" json));
    value = integer (field "value" json);
    upper = integer (field "upper" json);
    shown = evidence ~schema (field "proof" json);
  }

(* A certificate is about this pair. *)
let is_about pair json =
  same (field "id" json) (field "id" pair)
  && same (field "profile" json) (field "profile" pair)
  && field "digest" json = Text (digest pair)
