(** Graphs whose variables have names: what a theorem about two graphs needs besides Statement.v, so
    that it can speak of them as their files do. No proof is in this file. *)
From Coq Require Import BinNat String Ascii List.
From Exactmatch Require Import Statement.
Import ListNotations.

(** [variables] are different names. [keys] has, where there are any, the texts of which a variable
    shares one with whatever it is mapped to. *)
Record named_graph := NamedGraph {
  variables : list string;
  triples : list (label * list string);
  keys : option (list (string * list string))
}.

(** Names are different, and triples speak of nothing else: then their positions stand for them. *)
Definition well_named (g : named_graph) : Prop :=
  NoDup (variables g) /\
  forall l names, In (l, names) (triples g) -> incl names (variables g).

(** Where a name stands in a list, from 0. *)
Fixpoint position (names : list string) (name : string) : variable :=
  match names with
  | [] => 0
  | other :: names => if String.eqb name other then 0 else N.succ (position names name)
  end.

(** What a list has for a name, if anything. *)
Fixpoint listed {A} (name : string) (l : list (string * A)) : option A :=
  match l with
  | [] => None
  | (other, x) :: l => if String.eqb name other then Some x else listed name l
  end.

(** The graph with positions in the place of names. *)
Definition by_position (g : named_graph) : graph := {|
  size := N.of_nat (length (variables g));
  Statement.triples := map (fun t => (fst t, map (position (variables g)) (snd t))) (triples g);
  Statement.keys := option_map (fun keys =>
    map (fun name => match listed name keys with Some ks => ks | None => [] end) (variables g)) (keys g)
|}.

(** The image of each test variable, of pairs of names. *)
Definition images_by_name (test gold : named_graph) (pairs : list (string * string)) :
  list (option variable) :=
  map (fun name => option_map (position (variables gold)) (listed name pairs)) (variables test).

(** The mapping that takes the first name of each pair to the second one. *)
Definition by_name (test gold : named_graph) (pairs : list (string * string)) : mapping :=
  mapping_of (images_by_name test gold pairs).

(** A text by the numbers of its bytes in UTF-8, for what cannot be written between quotes. *)
Definition bytes (numbers : list N) : string :=
  string_of_list_ascii (map ascii_of_N numbers).
