(** From the check of a certificate to a theorem about two graphs whose variables have names. *)
From Coq Require Import NArith ZArith String List Bool.
From Exactmatch Require Import Statement Checker Certificate Named.
Import ListNotations.
Open Scope Z_scope.

Definition is_in (name : string) (names : list string) : bool := existsb (String.eqb name) names.

Fixpoint different (names : list string) : bool :=
  match names with [] => true | name :: names => negb (is_in name names) && different names end.

Definition names_fit (g : named_graph) : bool :=
  different (variables g)
  && forallb (fun t => forallb (fun name => is_in name (variables g)) (snd t)) (triples g).

(** Evidence for what a mapping by names scores, and for what no mapping exceeds. *)
Definition check_by_name (test gold : named_graph) (p : problem) (pairs : list (string * string))
  (value upper : Z) (shown : evidence) : outcome :=
  if names_fit test && names_fit gold
  then check p (Certificate (images_by_name test gold pairs) value upper shown)
  else Refuted.

Lemma is_in_spec name names : is_in name names = true <-> In name names.
Proof.
  unfold is_in. rewrite existsb_exists. split.
  - intros [other [I E]]. apply String.eqb_eq in E. subst. exact I.
  - intros I. exists name. split; [exact I|apply String.eqb_refl].
Qed.

Lemma different_nodup names : different names = true -> NoDup names.
Proof.
  induction names as [|name names IH]; cbn; [constructor|]. rewrite andb_true_iff, negb_true_iff.
  intros [N D]. constructor; [|exact (IH D)]. rewrite <- is_in_spec, N. discriminate.
Qed.

Lemma names_fit_well g : names_fit g = true -> well_named g.
Proof.
  unfold names_fit. rewrite andb_true_iff. intros [D F]. split; [exact (different_nodup _ D)|].
  intros l names I name J. rewrite forallb_forall in F. specialize (F _ I).
  rewrite forallb_forall in F. apply is_in_spec, F, J.
Qed.

(** What is checked is so. *)
Theorem concluded test gold p pairs value upper shown :
  check_by_name test gold p pairs value upper shown = Verified \/
  check_by_name test gold p pairs value upper shown = Bounded ->
  well_named test /\ well_named gold /\
  valid p (by_name test gold pairs) /\ score p (by_name test gold pairs) = value /\
  forall M, valid p M -> score p M <= upper.
Proof.
  unfold check_by_name. destruct (names_fit test) eqn:T; cbn [andb];
    [|intros [E|E]; discriminate].
  destruct (names_fit gold) eqn:G; [|intros [E|E]; discriminate].
  intros A. split; [exact (names_fit_well _ T)|]. split; [exact (names_fit_well _ G)|].
  exact (checked p (Certificate _ value upper shown) A).
Qed.

(** Both theorems about certificates: what they rest on is the same, and takes long to be found. *)
Definition both_theorems := (@verified_best, @concluded).

Print Assumptions both_theorems.
