(** From two graphs to terms: sets of pairs of variables, and what a mapping scores that holds all
    pairs of a set. *)
From Coq Require Import NArith ZArith List Bool Lia Permutation.
From Exactmatch Require Import Statement Lists.
Import ListNotations.
Open Scope Z_scope.

Notation pair := (N * N)%type (only parsing).

Definition pair_eqb (p q : pair) : bool := N.eqb (fst p) (fst q) && N.eqb (snd p) (snd q).

(** Whether a mapping holds a pair, and all of a list. *)
Definition holds (M : mapping) (p : pair) : bool :=
  match M (fst p) with Some j => N.eqb j (snd p) | None => false end.
Definition inside (M : mapping) (t : list pair) : bool := forallb (holds M) t.

(** The pairs in one list of numbers, by which terms are sorted. *)
Definition flat (t : list pair) : key := flat_map (fun p => [fst p; snd p]) t.

(** Whether pairs are such as a one-to-one mapping may hold together. *)
Definition consistent (ps : list pair) : bool :=
  forallb (fun p =>
    forallb (fun q => Bool.eqb (N.eqb (fst p) (fst q)) (N.eqb (snd p) (snd q))) ps) ps.

(** The pairs that take some variables to others; None if no one-to-one mapping does. *)
Definition pairs_of (vs ws : list variable) : option (list pair) :=
  let ps := combine vs ws in
  if Nat.eqb (length vs) (length ws) && consistent ps
  then Some (sort (fun p => flat [p]) (distinct pair_eqb ps))
  else None.

Notation term := (list (N * N) * Z)%type (only parsing).

(** What two triples score that match, as a term; nothing if no valid mapping takes one to the
    other. *)
Definition entry (p : problem) (v w : list variable) (weight : Z) : list term :=
  match pairs_of v w with
  | Some t => if forallb (fun q => may_map p (fst q) (snd q)) t then [(t, weight)] else []
  | None => []
  end.

Definition entries (p : problem) : list term :=
  flat_map (fun '(own, other, worth) =>
    let vs := labelled (test p) own in
    let ws := labelled (gold p) other in
    let counted_ws := map (fun w => (w, times same_variables w ws)) (distinct same_variables ws) in
    flat_map (fun v =>
      let often := times same_variables v vs in
      flat_map (fun w => entry p v (fst w) (worth * credit (counted p) often (snd w))) counted_ws)
    (distinct same_variables vs))
  (worths p).

(** Those of the same pairs in one. *)
Definition merged (g : key * list term) : term :=
  (match snd g with e :: _ => fst e | [] => [] end, total snd (snd g)).

Definition in_one (es : list term) : list term := map merged (group (fun e => flat (fst e)) es).

Definition terms (p : problem) : list term := in_one (entries p).

(** * A mapping scores the weights of the terms inside it *)

Lemma pair_eqb_spec p q : pair_eqb p q = true <-> p = q.
Proof.
  destruct p, q. unfold pair_eqb. cbn. rewrite andb_true_iff, !N.eqb_eq.
  split; [intros [-> ->]; reflexivity|]. intros E. injection E. auto.
Qed.

Lemma holds_spec M i j : holds M (i, j) = true <-> M i = Some j.
Proof.
  unfold holds. cbn. destruct (M i); [rewrite N.eqb_eq|]; split; congruence.
Qed.

Lemma inside_spec M t : inside M t = true <-> forall i j, In (i, j) t -> M i = Some j.
Proof.
  unfold inside. rewrite forallb_forall. split.
  - intros H i j I. apply holds_spec, (H _ I).
  - intros H [i j] I. apply holds_spec, (H _ _ I).
Qed.

Lemma flat_injective : forall a b, flat a = flat b -> a = b.
Proof.
  induction a as [|[i j] a IH]; destruct b as [|[k l] b]; cbn; try congruence.
  intros E. injection E as -> -> E. rewrite (IH b E). reflexivity.
Qed.

Lemma distinct_in {A} (eqb : A -> A -> bool) (spec : forall x y, eqb x y = true <-> x = y) l x :
  In x (distinct eqb l) <-> In x l.
Proof.
  induction l as [|y l IH]; cbn; [tauto|]. destruct (existsb (eqb y) l) eqn:E; cbn; rewrite IH; [|tauto].
  split; [tauto|]. intros [<-|I]; [|exact I].
  apply existsb_exists in E as [z [Z E]]. apply spec in E. subst. exact Z.
Qed.

Lemma takes_combine M : forall vs ws, takes M vs ws = true <->
  length vs = length ws /\ inside M (combine vs ws) = true.
Proof.
  induction vs as [|i vs IH]; destruct ws as [|j ws]; cbn; try (split; [congruence|intros []; congruence]).
  - split; auto.
  - rewrite andb_true_iff. unfold holds at 1. cbn. destruct (M i) as [k|].
    + rewrite andb_true_iff, IH. split; [intros (?&?&?); auto|].
      intros (E & ? & ?). injection E. auto.
    + split; [congruence|]. intros (_ & E & _). congruence.
Qed.

Lemma inside_consistent M ps : one_to_one M -> inside M ps = true -> consistent ps = true.
Proof.
  intros O I. rewrite inside_spec in I. unfold consistent.
  apply forallb_forall. intros [i j] P. apply forallb_forall. intros [k l] Q. cbn.
  apply Bool.eqb_true_iff. pose proof (I _ _ P) as A. pose proof (I _ _ Q) as B.
  destruct (N.eqb_spec i k) as [E|E], (N.eqb_spec j l) as [F|F]; try reflexivity; exfalso.
  - subst. congruence.
  - subst. apply E. exact (O _ _ _ A B).
Qed.

Lemma pairs_of_spec M vs ws : one_to_one M ->
  takes M vs ws = match pairs_of vs ws with Some t => inside M t | None => false end.
Proof.
  intros O. unfold pairs_of.
  destruct (Nat.eqb_spec (length vs) (length ws)) as [L|L]; cbn.
  - destruct (consistent (combine vs ws)) eqn:C.
    + apply eq_true_iff_eq. rewrite takes_combine, !inside_spec. split.
      * intros [_ H] i j I. apply H. apply (distinct_in pair_eqb pair_eqb_spec).
        destruct (sort_spec (fun p => flat [p]) (distinct pair_eqb (combine vs ws))) as [_ P].
        exact (Permutation_in _ P I).
      * intros H. split; [exact L|]. intros i j I. apply H.
        destruct (sort_spec (fun p => flat [p]) (distinct pair_eqb (combine vs ws))) as [_ P].
        apply (Permutation_in _ (Permutation_sym P)). apply (distinct_in pair_eqb pair_eqb_spec), I.
    + apply not_true_iff_false. rewrite takes_combine. intros [_ H].
      apply (inside_consistent M _ O) in H. congruence.
  - apply not_true_iff_false. rewrite takes_combine. tauto.
Qed.

(** What a list of terms scores under a mapping. *)
Definition score_of (M : mapping) (ts : list term) : Z := total_if (fun t => inside M (fst t)) snd ts.

Lemma entry_score p M v w weight : valid p M ->
  score_of M (entry p v w weight) = if takes M v w then weight else 0.
Proof.
  intros [O K]. unfold entry, score_of, total_if. rewrite (pairs_of_spec M v w O).
  destruct (pairs_of v w) as [t|]; [|reflexivity].
  destruct (forallb (fun q => may_map p (fst q) (snd q)) t) eqn:F; cbn [total fst snd].
  - destruct (inside M t); lia.
  - destruct (inside M t) eqn:I; [|reflexivity]. exfalso.
    rewrite inside_spec in I. apply not_true_iff_false in F. apply F, forallb_forall.
    intros [i j] P. cbn. apply K, I, P.
Qed.

Lemma entries_score p M : valid p M -> score_of M (entries p) = score p M.
Proof.
  intros V. unfold score, entries, score_of, total_if. rewrite total_flat_map. apply total_ext.
  intros [[own other] worth] _. rewrite total_flat_map. apply total_ext.
  intros v _. rewrite total_flat_map, total_map. apply total_ext.
  intros w _. exact (entry_score p M v w _ V).
Qed.

Lemma merged_pairs es g : In g (group (fun e => flat (fst e)) es) ->
  forall e, In e (snd g) -> fst e = fst (merged g).
Proof.
  destruct g as [k ds]. intros G e E. unfold merged. cbn in *. destruct ds as [|e' ds]; [destruct E|].
  apply flat_injective. rewrite (group_keys _ _ _ _ e G E).
  symmetry. exact (group_keys _ _ _ _ e' G (or_introl eq_refl)).
Qed.

(** What is in one scores as before. *)
Lemma in_one_score es M : score_of M (in_one es) = score_of M es.
Proof.
  symmetry. unfold score_of, total_if, in_one.
  rewrite (group_total (fun e => flat (fst e))), total_map. apply total_ext. intros g G.
  rewrite (total_ext _ (fun e => if inside M (fst (merged g)) then snd e else 0)).
  - destruct (inside M (fst (merged g))); [reflexivity|]. apply total_zero. reflexivity.
  - intros e E. rewrite (merged_pairs es g G e E). reflexivity.
Qed.

Theorem terms_score p M : valid p M -> score p M = score_of M (terms p).
Proof. intros V. unfold terms. rewrite in_one_score, (entries_score p M V). reflexivity. Qed.

Lemma in_one_pairs es t : In t (in_one es) -> exists e, In e es /\ fst e = fst t.
Proof.
  unfold in_one. intros I. apply in_map_iff in I as [[k ds] [<- G]].
  destruct ds as [|d ds]; [exfalso; exact (group_filled _ _ _ _ G eq_refl)|].
  exists d. split; [exact (group_within _ _ _ _ d G (or_introl eq_refl))|reflexivity].
Qed.

(** No two terms have the same pairs. *)
Lemma in_one_distinct es : NoDup (map fst (in_one es)).
Proof.
  unfold in_one. rewrite map_map. apply (NoDup_map_inv flat). rewrite map_map.
  rewrite (map_ext_in _ fst).
  - apply group_distinct.
  - intros [k ds] G. destruct ds as [|e ds].
    + exfalso. apply (group_filled _ _ _ _ G). reflexivity.
    + unfold merged. cbn. exact (group_keys _ _ _ _ e G (or_introl eq_refl)).
Qed.

Theorem terms_distinct p : NoDup (map fst (terms p)).
Proof. apply in_one_distinct. Qed.
