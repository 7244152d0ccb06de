(* JSON as Python's json module reads it: whole numbers of any size, other numbers kept as text. *)
type t =
  | Null
  | Bool of bool
  | Int of Z.t
  | Text of string  (* UTF-8 *)
  | List of t list
  | Object of (string * t) list  (* the last of each key *)

exception Malformed of string

(* What Python reads at most: levels of lists and objects within each other, digits of a number. *)
let most_levels = 993
let most_digits = 4300

(* The last value of each key, where the first one stands. *)
let last_of_each members =
  let last = Hashtbl.create 8 in
  List.iter (fun (key, one) -> Hashtbl.replace last key one) members;
  let first (key, _) =
    let found = Hashtbl.find_opt last key in
    Hashtbl.remove last key;
    Option.map (fun one -> (key, one)) found
  in
  List.filter_map first members

(* Whether bytes are UTF-8 (RFC 3629): the shortest form of each code, and no surrogates. *)
let is_utf8 text =
  let length = String.length text in
  let byte k = if k < length then Char.code text.[k] else 0 in
  let within low high k = low <= byte k && byte k <= high in
  let more = within 0x80 0xBF in
  let rec go k =
    if k >= length then true
    else
      match byte k with
      | c when c < 0x80 -> go (k + 1)
      | c when 0xC2 <= c && c <= 0xDF -> more (k + 1) && go (k + 2)
      | c when 0xE0 <= c && c <= 0xEF ->
          let low = if c = 0xE0 then 0xA0 else 0x80 and high = if c = 0xED then 0x9F else 0xBF in
          within low high (k + 1) && more (k + 2) && go (k + 3)
      | c when 0xF0 <= c && c <= 0xF4 ->
          let low = if c = 0xF0 then 0x90 else 0x80 and high = if c = 0xF4 then 0x8F else 0xBF in
          within low high (k + 1) && more (k + 2) && more (k + 3) && go (k + 4)
      | _ -> false
  in
  go 0

let add_utf8 buffer code =
  let put n = Buffer.add_char buffer (Char.chr n) in
  if code < 0x80 then put code
  else if code < 0x800 then (put (0xC0 lor (code lsr 6)); put (0x80 lor (code land 0x3F)))
  else if code < 0x10000 then (
    put (0xE0 lor (code lsr 12));
    put (0x80 lor ((code lsr 6) land 0x3F));
    put (0x80 lor (code land 0x3F)))
  else (
    put (0xF0 lor (code lsr 18));
    put (0x80 lor ((code lsr 12) land 0x3F));
    put (0x80 lor ((code lsr 6) land 0x3F));
    put (0x80 lor (code land 0x3F)))

let parse text =
  if not (is_utf8 text) then raise (Malformed "no UTF-8");
  let length = String.length text in
  let place = ref 0 in
  let fail () = raise (Malformed (Printf.sprintf "no JSON at %d" !place)) in
  let peek () = if !place < length then text.[!place] else '\000' in
  let rec blanks () =
    match peek () with ' ' | '\t' | '\n' | '\r' when !place < length -> incr place; blanks () | _ -> ()
  in
  let word w value =
    let n = String.length w in
    if !place + n <= length && String.sub text !place n = w then (place := !place + n; value)
    else fail ()
  in
  let hex () =
    if !place + 4 > length then fail ();
    let digits = String.sub text !place 4 in
    String.iter (function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> () | _ -> fail ()) digits;
    place := !place + 4;
    int_of_string ("0x" ^ digits)
  in
  let string () =
    let buffer = Buffer.create 16 in
    incr place;
    let rec go () =
      if !place >= length then fail ();
      match text.[!place] with
      | '"' -> incr place
      | '\\' ->
          incr place;
          let c = peek () in
          incr place;
          (match c with
          | '"' | '\\' | '/' -> Buffer.add_char buffer c
          | 'b' -> Buffer.add_char buffer '\b'
          | 'f' -> Buffer.add_char buffer '\012'
          | 'n' -> Buffer.add_char buffer '\n'
          | 'r' -> Buffer.add_char buffer '\r'
          | 't' -> Buffer.add_char buffer '\t'
          | 'u' -> add_utf8 buffer (escaped ())
          | _ -> fail ());
          go ()
      | c when c < ' ' -> fail ()
      | c -> Buffer.add_char buffer c; incr place; go ()
    and escaped () =
      let high = hex () in
      if high >= 0xD800 && high < 0xDC00 && !place + 6 <= length
         && text.[!place] = '\\' && text.[!place + 1] = 'u' then (
        let before = !place in
        place := !place + 2;
        let low = hex () in
        if low >= 0xDC00 && low < 0xE000 then
          0x10000 + ((high - 0xD800) lsl 10) + (low - 0xDC00)
        else (place := before; high))
      else high
    in
    go ();
    Buffer.contents buffer
  in
  let number () =
    let start = !place in
    let digits () =
      let first = !place in
      while match peek () with '0' .. '9' -> true | _ -> false do incr place done;
      if !place = first then fail ()
    in
    if peek () = '-' then incr place;
    let first = !place in
    if peek () = '0' then incr place else digits ();
    let whole = !place in
    if peek () = '.' then (incr place; digits ());
    (match peek () with
    | 'e' | 'E' ->
        incr place;
        (match peek () with '+' | '-' -> incr place | _ -> ());
        digits ()
    | _ -> ());
    let found = String.sub text start (!place - start) in
    if !place > whole then Text found
    else if whole - first > most_digits then raise (Malformed "a number of too many digits")
    else Int (Z.of_string found)
  in
  let rec value level =
    blanks ();
    let found =
      match peek () with
      | '{' | '[' when level > most_levels -> raise (Malformed "too many levels")
      | '{' -> incr place; Object (members level [])
      | '[' -> incr place; List (elements level [])
      | '"' -> Text (string ())
      | 't' -> word "true" (Bool true)
      | 'f' -> word "false" (Bool false)
      | 'n' -> word "null" Null
      | 'N' -> word "NaN" (Text "NaN")
      | 'I' -> word "Infinity" (Text "Infinity")
      | '-' when !place + 1 < length && text.[!place + 1] = 'I' -> word "-Infinity" (Text "-Infinity")
      | '-' | '0' .. '9' -> number ()
      | _ -> fail ()
    in
    blanks ();
    found
  and elements level before =
    blanks ();
    if before = [] && peek () = ']' then (incr place; [])
    else
      let one = value (level + 1) in
      match peek () with
      | ',' -> incr place; elements level (one :: before)
      | ']' -> incr place; List.rev (one :: before)
      | _ -> fail ()
  and members level before =
    blanks ();
    if before = [] && peek () = '}' then (incr place; [])
    else (
      if peek () <> '"' then fail ();
      let key = string () in
      blanks ();
      if peek () <> ':' then fail ();
      incr place;
      let one = value (level + 1) in
      let before = (key, one) :: before in
      match peek () with
      | ',' -> incr place; members level before
      | '}' -> incr place; last_of_each (List.rev before)
      | _ -> fail ())
  in
  let found = value 1 in
  if !place < length then fail () else found
