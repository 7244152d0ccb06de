(* JSON as Python's json module reads it: whole numbers of any size, other numbers kept as text. *)
type t =
  | Null
  | Bool of bool
  | Int of Z.t
  | Text of string  (* UTF-8 *)
  | List of t list
  | Object of (string * t) list  (* the last of each key *)

exception Malformed of string

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
    if !place = whole then Int (Z.of_string found) else Text found
  in
  let rec value () =
    blanks ();
    let found =
      match peek () with
      | '{' -> incr place; Object (members [])
      | '[' -> incr place; List (elements [])
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
  and elements before =
    blanks ();
    if before = [] && peek () = ']' then (incr place; [])
    else
      let one = value () in
      match peek () with
      | ',' -> incr place; elements (one :: before)
      | ']' -> incr place; List.rev (one :: before)
      | _ -> fail ()
  and members before =
    blanks ();
    if before = [] && peek () = '}' then (incr place; [])
    else (
      if peek () <> '"' then fail ();
      let key = string () in
      blanks ();
      if peek () <> ':' then fail ();
      incr place;
      let one = value () in
      let before = (key, one) :: before in
      match peek () with
      | ',' -> incr place; members before
      | '}' -> incr place; last_of_each before
      | _ -> fail ())
  and last_of_each backwards =
    let seen = Hashtbl.create 8 in
    List.fold_left
      (fun kept (key, one) ->
        if Hashtbl.mem seen key then kept else (Hashtbl.add seen key (); (key, one) :: kept))
      [] backwards
  in
  let found = value () in
  if !place < length then fail () else found
