(* exactmatch-coqcheck CERTIFICATES PAIRS: the verdicts of the checker that is proven to be right.

   Both files hold one JSON object a line; of one id, the k-th certificate is for the k-th pair. What
   is printed, and the exit status, are as those of checker.py, but for the words of reasons. *)
open Json

let lines path =
  let channel = open_in_bin path in
  let rec go found =
    match input_line channel with
    | line -> go (List.rev_append (Reader.lines line) found)
    | exception End_of_file -> close_in channel; List.rev found
  in
  go []

type finding = { id : string; verdict : Checked.outcome; reason : string }

let refuted id reason = { id; verdict = Refuted; reason }

let judged id pair certificate =
  match
    if not (Reader.is_about pair certificate) then None
    else Some (Checked.check (Reader.problem pair) (Reader.certificate certificate))
  with
  | None -> refuted id "it is about another pair, or of another schema"
  | Some Refuted -> refuted id "something that is claimed is not so, or is not shown"
  | Some verdict -> { id; verdict; reason = "what is claimed is so" }
  | exception Malformed reason -> refuted id ("malformed: " ^ reason)

(* The certificates by id, each a queue; ids in the order in which they come. *)
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

let held number line =
  match
    let json = Json.parse line in
    (Reader.identifier json, json)
  with
  | id, json -> Queue.add json (queue id); []
  | exception Malformed reason ->
      [ refuted (Printf.sprintf "certificate %d" (number + 1)) ("malformed: " ^ reason) ]

let answer line =
  let pair = Json.parse line in
  let id = Reader.identifier pair in
  match Queue.take_opt (queue id) with
  | Some certificate -> judged id pair certificate
  | None -> { id; verdict = Unproven; reason = "there is no certificate" }

let left_over id =
  let one _ = refuted id "there is no such pair, or it had one" in
  List.map one (List.of_seq (Queue.to_seq (queue id)))

let name = function
  | Checked.Verified -> "verified"
  | Bounded -> "bounded"
  | Unproven -> "unproven"
  | Refuted -> "refuted"

let printed text = Reader.text_of (Text text)

let told finding =
  if finding.verdict <> Checked.Verified then
    Printf.printf "%s %s: %s\n" (name finding.verdict) (printed finding.id) (printed finding.reason)

let () =
  if Array.length Sys.argv <> 3 then (
    prerr_endline "usage: exactmatch-coqcheck CERTIFICATES PAIRS";
    exit 1);
  let certificates = lines Sys.argv.(1) in
  let malformed = List.concat (List.mapi held certificates) in
  let answers = List.map answer (lines Sys.argv.(2)) in
  let findings = malformed @ answers @ List.concat_map left_over (List.rev !ids) in
  List.iter told findings;
  let number verdict = List.length (List.filter (fun f -> f.verdict = verdict) findings) in
  let verdicts = [ Checked.Verified; Bounded; Refuted; Unproven ] in
  print_endline
    (String.concat "  "
       (List.map (fun v -> Printf.sprintf "%s: %d" (name v) (number v)) verdicts));
  exit (if number Refuted > 0 then 4 else 0)
