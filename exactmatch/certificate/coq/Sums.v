(** Sums over lists, and the two facts about them on which all bounds rest. *)
From Coq Require Import ZArith List Bool Lia Permutation.
From Exactmatch Require Import Statement.
Import ListNotations.
Open Scope Z_scope.

(** The sum of [f] over those elements of which [c] is true. *)
Definition total_if {A} (c : A -> bool) (f : A -> Z) (l : list A) : Z :=
  total (fun x => if c x then f x else 0) l.

(** The largest [f] of a list; 0 if none is larger. *)
Fixpoint largest {A} (f : A -> Z) (l : list A) : Z :=
  match l with [] => 0 | x :: l => Z.max (f x) (largest f l) end.

Lemma total_app {A} (f : A -> Z) a b : total f (a ++ b) = total f a + total f b.
Proof. induction a as [|x a IH]; cbn; lia. Qed.

Lemma total_map {A B} (f : B -> Z) (g : A -> B) l : total f (map g l) = total (fun x => f (g x)) l.
Proof. induction l as [|x l IH]; cbn; congruence. Qed.

Lemma total_flat_map {A B} (f : B -> Z) (g : A -> list B) l :
  total f (flat_map g l) = total (fun x => total f (g x)) l.
Proof. induction l as [|x l IH]; cbn; [reflexivity|]. rewrite total_app. congruence. Qed.

Lemma total_concat {A} (f : A -> Z) ls : total f (concat ls) = total (total f) ls.
Proof. induction ls as [|l ls IH]; cbn; [reflexivity|]. rewrite total_app. congruence. Qed.

Lemma total_ext {A} (f g : A -> Z) l : (forall x, In x l -> f x = g x) -> total f l = total g l.
Proof.
  induction l as [|x l IH]; cbn; intros H; [reflexivity|].
  rewrite (H x), IH; auto.
Qed.

Lemma total_le {A} (f g : A -> Z) l : (forall x, In x l -> f x <= g x) -> total f l <= total g l.
Proof.
  induction l as [|x l IH]; cbn; intros H; [lia|].
  pose proof (H x (or_introl eq_refl)). specialize (IH (fun y I => H y (or_intror I))). lia.
Qed.

Lemma total_add {A} (f g : A -> Z) l : total (fun x => f x + g x) l = total f l + total g l.
Proof. induction l as [|x l IH]; cbn; lia. Qed.

Lemma total_mul {A} k (f : A -> Z) l : total (fun x => k * f x) l = k * total f l.
Proof. induction l as [|x l IH]; cbn [total]; [|rewrite IH]; ring. Qed.

Lemma total_zero {A} (f : A -> Z) l : (forall x, In x l -> f x = 0) -> total f l = 0.
Proof.
  induction l as [|x l IH]; cbn; intros H; [reflexivity|].
  rewrite (H x), IH; auto.
Qed.

Lemma total_nonnegative {A} (f : A -> Z) l : (forall x, In x l -> 0 <= f x) -> 0 <= total f l.
Proof.
  induction l as [|x l IH]; cbn; intros H; [lia|].
  pose proof (H x (or_introl eq_refl)). specialize (IH (fun y I => H y (or_intror I))). lia.
Qed.

Lemma total_permutation {A} (f : A -> Z) a b : Permutation a b -> total f a = total f b.
Proof. induction 1; cbn; lia. Qed.

Lemma total_filter {A} (c : A -> bool) (f : A -> Z) l : total f (filter c l) = total_if c f l.
Proof.
  unfold total_if. induction l as [|x l IH]; cbn; [reflexivity|].
  destruct (c x); cbn; rewrite IH; reflexivity.
Qed.

Lemma largest_nonnegative {A} (f : A -> Z) l : 0 <= largest f l.
Proof. induction l as [|x l IH]; cbn; lia. Qed.

Lemma largest_le {A} (f : A -> Z) l x : In x l -> f x <= largest f l.
Proof.
  induction l as [|y l IH]; cbn; [tauto|]. intros [->|I]; [lia|]. specialize (IH I). lia.
Qed.

(** Where one element at most counts, the largest one bounds the sum. *)
Lemma one_counts {A} (c : A -> bool) (f : A -> Z) l :
  NoDup l -> (forall x y, In x l -> In y l -> c x = true -> c y = true -> x = y) ->
  total_if c f l <= largest f l.
Proof.
  unfold total_if. induction l as [|x l IH]; intros N H; cbn; [lia|].
  inversion_clear N as [|? ? X N']. destruct (c x) eqn:C.
  - rewrite (total_zero _ l); [lia|]. intros y Y. destruct (c y) eqn:D; [|reflexivity].
    exfalso. apply X. rewrite (H x y); cbn; auto.
  - assert (total (fun x => if c x then f x else 0) l <= largest f l).
    { apply IH; [exact N'|]. intros y z Y Z. apply H; cbn; auto. }
    lia.
Qed.

(** A part of a list sums up to no more than all of it, where nothing is below 0. *)
Lemma part_le {A} (f : A -> Z) a : forall b,
  NoDup a -> incl a b -> (forall x, In x b -> 0 <= f x) -> total f a <= total f b.
Proof.
  induction a as [|x a IH]; intros b N I P; cbn.
  - apply total_nonnegative, P.
  - inversion_clear N as [|? ? X N'].
    destruct (in_split x b (I x (or_introl eq_refl))) as (b1 & b2 & ->).
    assert (J : incl a (b1 ++ b2)).
    { intros y Y. specialize (I y (or_intror Y)). rewrite in_app_iff in *. cbn in I.
      destruct I as [?|[->|?]]; auto; contradiction. }
    assert (P' : forall y, In y (b1 ++ b2) -> 0 <= f y).
    { intros y Y. apply P. rewrite in_app_iff in *. cbn. tauto. }
    specialize (IH _ N' J P'). rewrite total_app in *. cbn. lia.
Qed.

(** What is different in all elements of a list tells them apart. *)
Lemma nodup_map_inj {A B} (f : A -> B) l : NoDup (map f l) ->
  forall x y, In x l -> In y l -> f x = f y -> x = y.
Proof.
  induction l as [|z l IH]; cbn; [tauto|]. intros N x y X Y E. inversion_clear N as [|? ? Z N'].
  destruct X as [->|X], Y as [->|Y]; auto; exfalso; apply Z.
  - rewrite E. apply in_map, Y.
  - rewrite <- E. apply in_map, X.
Qed.

Lemma nodup_map {A B} (f : A -> B) l : NoDup l ->
  (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup (map f l).
Proof.
  induction l as [|x l IH]; cbn; intros N H; [constructor|]. inversion_clear N as [|? ? X N'].
  constructor; [|apply IH; auto]. intros I. apply in_map_iff in I as [y [E Y]]. apply X.
  rewrite (H x y); auto.
Qed.

Lemma list_eqb_spec {A} (eqb : A -> A -> bool) (spec : forall x y, eqb x y = true <-> x = y) :
  forall a b, list_eqb eqb a b = true <-> a = b.
Proof.
  induction a as [|x a IH]; destruct b as [|y b]; cbn; try (split; congruence).
  rewrite andb_true_iff, spec, IH. split; [intros [-> ->]; reflexivity|].
  intros E. injection E. auto.
Qed.
