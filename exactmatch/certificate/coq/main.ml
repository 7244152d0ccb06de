(* exactmatch-coqcheck CERTIFICATES PAIRS: the verdicts of the checker that is proven to be right.

   Both files hold one JSON object a line; of one id, the k-th certificate is for the k-th pair. What
   is printed, and the exit status, are as those of checker.py, but for the words of reasons. With -
   for both files, standard input holds the certificates, an empty line, and the pairs. *)
open Json

type finding = { id : string; verdict : Checked.outcome; reason : string }

(* * Verdicts *)

let refuted id reason = { id; verdict = Refuted; reason }

let unproven = "there is no proof that no mapping scores more"

let between low high =
  Printf.sprintf "the best mapping scores between %s and %s: gap %s" (Z.to_string low)
    (Z.to_string high)
    (Z.to_string (Z.sub high low))

let reason claimed = function
  | Checked.Verified -> "no mapping scores more"
  | Bounded -> between claimed.Checked.value claimed.upper
  | Unproven -> unproven
  | Refuted -> "something that is claimed is not so, or is not shown"

let judged id pair certificate =
  match
    if not (Reader.is_about pair certificate) then None
    else
      let claimed = Reader.certificate certificate in
      Some (claimed, Checked.check (Reader.problem pair) claimed)
  with
  | None -> refuted id "it is about another pair, or of another schema"
  | Some (claimed, verdict) -> { id; verdict; reason = reason claimed verdict }
  | exception Malformed what -> refuted id ("malformed: " ^ what)

(* * Certificates that wait for their pairs *)

(* By id, each a queue; the ids, the last one first. *)
let waiting = Hashtbl.create 1024
let ids = ref []

let queue id =
  match Hashtbl.find_opt waiting id with
  | Some found -> found
  | None ->
      let made = Queue.create () in
      Hashtbl.add waiting id made;
      ids := id :: !ids;
      made

(* * Findings: what is not verified is kept until all is known, of the rest the number *)

let findings = Queue.create ()
let verified = ref 0

let find finding =
  if finding.verdict = Checked.Verified then incr verified else Queue.add finding findings

let hold number line =
  match
    let json = Json.parse line in
    (Reader.identifier json, json)
  with
  | id, json -> Queue.add json (queue id)
  | exception Malformed what ->
      find (refuted (Printf.sprintf "certificate %d" number) ("malformed: " ^ what))

exception Unusable of string

let answer number line =
  match
    let pair = Json.parse line in
    (Reader.identifier pair, pair)
  with
  | id, pair -> (
      match Queue.take_opt (queue id) with
      | None -> find { id; verdict = Unproven; reason = unproven }
      | Some certificate -> (
          match judged id pair certificate with
          | finding -> find finding
          | exception Stack_overflow ->
              let what = "too large for the stack, of which ulimit -s allows more" in
              raise (Unusable (Printf.sprintf "pair %d: %s" number what))))
  | exception Malformed what -> raise (Unusable (Printf.sprintf "pair %d: malformed: %s" number what))

let leave_over id =
  let over _ = find (refuted id "there is no such pair, or it had one") in
  Queue.iter over (queue id)

(* * Input and output *)

(* Calls [f] with the lines of a channel and their numbers, up to the end or to the line [last]. *)
let each_line ?last channel f =
  let number = ref 0 in
  let one line = incr number; f !number line in
  let rec go () =
    match input_line channel with
    | line when Some line <> last -> List.iter one (Reader.lines line); go ()
    | _ | exception End_of_file -> ()
  in
  go ()

let each_line_of path f =
  let channel = open_in_bin path in
  each_line channel f;
  close_in channel

let name = function
  | Checked.Verified -> "verified"
  | Bounded -> "bounded"
  | Unproven -> "unproven"
  | Refuted -> "refuted"

let printed text = Reader.text_of (Text text)

let tell finding =
  Printf.printf "%s %s: %s\n" (name finding.verdict) (printed finding.id) (printed finding.reason)

let number = function
  | Checked.Verified -> !verified
  | verdict -> Queue.fold (fun n f -> if f.verdict = verdict then n + 1 else n) 0 findings

let tell_numbers () =
  let told verdict = Printf.sprintf "%s: %d" (name verdict) (number verdict) in
  print_endline (String.concat "  " (List.map told [ Checked.Verified; Bounded; Refuted; Unproven ]))

let read = function
  | [ "-"; "-" ] ->
      set_binary_mode_in stdin true;
      each_line ~last:"" stdin hold;
      each_line stdin answer
  | [ certificates; pairs ] ->
      each_line_of certificates hold;
      each_line_of pairs answer
  | _ -> raise (Unusable "usage: exactmatch-coqcheck CERTIFICATES PAIRS")

let () =
  match read (List.tl (Array.to_list Sys.argv)) with
  | () ->
      List.iter leave_over (List.rev !ids);
      Queue.iter tell findings;
      tell_numbers ();
      exit (if number Checked.Refuted > 0 then 4 else 0)
  | exception (Unusable what | Sys_error what) -> prerr_endline what; exit 1
