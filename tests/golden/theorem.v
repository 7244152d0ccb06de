(** Of the pair "p", with the profile
    "default":
    one mapping scores 3, and no mapping scores more.

    That is stated here, as [claim], and proven. What has to be believed is that the graphs are the
    ones that are meant, and that Statement.v and Named.v, which the claim is made of, say what is
    meant by a mapping and by what it scores. What follows the claim need not be believed or read.

    Texts stand in quotes, quotes within them are doubled; a character that cannot be seen is
    written by the numbers of its bytes in UTF-8. To have Coq check this file:
    sh Exactmatch/prove; coqc -Q Exactmatch Exactmatch FILE *)
From Coq Require Import ZArith String List.
From Exactmatch Require Import Statement Named.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.

(** The test graph: that of the system. *)
Definition test_graph : named_graph := {|
  variables := ["a"; "b"];
  triples := [
    (["is"; "want"], ["a"]);
    (["is"; "boy"],  ["b"]);
    (["ARG0"],       ["a"; "b"])];
  keys := None
|}.

(** The gold graph. *)
Definition gold_graph : named_graph := {|
  variables := ["x"; "y"; "z"];
  triples := [
    (["is"; "want"], ["x"]);
    (["is"; "boy"],  ["y"]);
    (["is"; "boy"],  ["z"]);
    (["ARG0"],       ["x"; "y"]);
    (["ARG1"],       ["x"; "z"])];
  keys := None
|}.

(** Two triples of one label that match are worth [scale], of two labels what [similar] lists for
    these. Triples that occur several times count once for every pair of occurrences. *)
Definition both : problem := {|
  counted := AsProduct;
  scale := 1;
  similar := [];
  test := by_position test_graph;
  gold := by_position gold_graph
|}.

(** From test variables to gold variables; those that are not listed are mapped to nothing. *)
Definition mapped : list (string * string) := [("a", "x"); ("b", "y")].
Definition the_mapping : mapping := by_name test_graph gold_graph mapped.

(** * The claim *)
Definition claim : Prop :=
  well_named test_graph /\ well_named gold_graph /\
  valid both the_mapping /\
  score both the_mapping = 3 /\
  forall M, valid both M -> score both M <= 3.

(** * Evidence

    What follows need not be read: it is for Coq alone. *)
From Exactmatch Require Import Checker Certificate.

Definition proof_0 := Bound (Leaf 2 [] [] []).

Definition evidence := Shown proof_0.

Theorem proven : claim.
Proof.
  refine (concluded test_graph gold_graph both mapped 3 3 evidence _).
  left. vm_cast_no_check (eq_refl Verified).
Qed. (* Here Coq computes what the checker says. *)

Print Assumptions proven.
