(** What a certificate claims, in the terms of the definition of a score: no proof is in this file.

    A problem is two graphs of which triples are compared, and what counts as equal. Everything
    that a theorem about a pair of graphs says is defined here; whoever believes these definitions
    needs to read nothing else. *)
From Coq Require Import BinNat BinInt String List Bool.
Import ListNotations.
Open Scope Z_scope.

(** A variable is its position in the graph, from 0. *)
Notation variable := N (only parsing).
(** All of a triple that is no variable: its kind, its relation, its constants. *)
Definition label := list string.
Definition triple := (label * list variable)%type.

(** [keys], where there are any: for each variable, the texts of which it has to share one with
    whatever it is mapped to. *)
Record graph := Graph {
  size : N;
  triples : list triple;
  keys : option (list (list string))
}.

(** How triples count that occur several times: once; as often as on the side where they are fewer;
    or once for every pair of occurrences. *)
Inductive duplicates := AsSet | AsMultiset | AsProduct.

(** [scale] is what two triples of one label are worth that match, [similar] lists what triples of
    two labels are worth. *)
Record problem := Problem {
  counted : duplicates;
  scale : Z;
  similar : list (label * label * Z);
  test : graph;
  gold : graph
}.

(** * Mappings *)

(** A mapping takes variables of the test graph to variables of the gold graph, or to nothing. *)
Definition mapping := variable -> option variable.

Definition one_to_one (M : mapping) : Prop :=
  forall i i' j, M i = Some j -> M i' = Some j -> i = i'.

Definition keys_of (ks : list (list string)) (v : variable) : list string :=
  nth (N.to_nat v) ks [].

(** Whether keys allow to map [i] to [j]. *)
Definition may_map (p : problem) (i j : variable) : bool :=
  match keys (test p), keys (gold p) with
  | None, None => true
  | Some ks, Some ls =>
      existsb (fun k => existsb (String.eqb k) (keys_of ls j)) (keys_of ks i)
  | _, _ => false
  end.

Definition permitted (p : problem) (M : mapping) : Prop :=
  forall i j, M i = Some j -> may_map p i j = true.

(** What the best mapping is looked for among. *)
Definition valid (p : problem) (M : mapping) : Prop := one_to_one M /\ permitted p M.

(** * Scores *)

(** The sum of [f] over a list. *)
Fixpoint total {A} (f : A -> Z) (l : list A) : Z :=
  match l with [] => 0 | x :: l => f x + total f l end.

Definition list_eqb {A} (eqb : A -> A -> bool) : list A -> list A -> bool :=
  fix equal a b :=
    match a, b with
    | [], [] => true
    | x :: a, y :: b => eqb x y && equal a b
    | _, _ => false
    end.

(** The elements of a list, each once. *)
Fixpoint distinct {A} (eqb : A -> A -> bool) (l : list A) : list A :=
  match l with
  | [] => []
  | x :: l => if existsb (eqb x) l then distinct eqb l else x :: distinct eqb l
  end.

(** How often [x] is in a list. *)
Definition times {A} (eqb : A -> A -> bool) (x : A) (l : list A) : Z :=
  total (fun y => if eqb x y then 1 else 0) l.

Definition same_label : label -> label -> bool := list_eqb String.eqb.
Definition same_variables : list variable -> list variable -> bool := list_eqb N.eqb.

(** The variables of the triples of a graph that have a label, and any variable at all. *)
Definition labelled (g : graph) (l : label) : list (list variable) :=
  map snd (filter (fun t => same_label l (fst t) && negb (same_variables [] (snd t))) (triples g)).

(** What matches what, and how much it is worth. *)
Definition worths (p : problem) : list (label * label * Z) :=
  map (fun l => (l, l, scale p)) (distinct same_label (map fst (triples (test p)))) ++ similar p.

(** Whether a mapping takes some variables to others, in order. *)
Fixpoint takes (M : mapping) (vs ws : list variable) : bool :=
  match vs, ws with
  | [], [] => true
  | i :: vs, j :: ws =>
      match M i with Some k => N.eqb k j && takes M vs ws | None => false end
  | _, _ => false
  end.

(** What matching triples count that occur [a] and [b] times. *)
Definition credit (d : duplicates) (a b : Z) : Z :=
  match d with AsSet => 1 | AsMultiset => Z.min a b | AsProduct => a * b end.

(** What a mapping scores: for labels that match, the worth of all triples that it takes to each
    other. *)
Definition score (p : problem) (M : mapping) : Z :=
  total (fun '(own, other, worth) =>
    let vs := labelled (test p) own in
    let ws := labelled (gold p) other in
    total (fun v =>
      total (fun w =>
        if takes M v w
        then worth * credit (counted p) (times same_variables v vs) (times same_variables w ws)
        else 0)
      (distinct same_variables ws))
    (distinct same_variables vs))
  (worths p).

(** * Claims *)

(** The mapping of which a list has the image of each test variable, or None. *)
Definition mapping_of (images : list (option variable)) : mapping :=
  fun i => match nth_error images (N.to_nat i) with Some j => j | None => None end.

(** What a certificate claims: its mapping is a valid one and scores [value], and no valid mapping
    scores more than [upper]. *)
Definition right (p : problem) (images : list (option variable)) (value upper : Z) : Prop :=
  valid p (mapping_of images) /\ score p (mapping_of images) = value /\
  forall M, valid p M -> score p M <= upper.
