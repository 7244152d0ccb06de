(** Sums over lists, with the two facts about them on which all bounds rest; and lists sorted, and
    grouped, by keys that are lists of numbers. *)
From Coq Require Import NArith ZArith List Bool Lia Permutation Sorted.
From Exactmatch Require Import Statement.
Import ListNotations.
Open Scope Z_scope.

(** * Sums *)

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

Lemma in_longer {A} (x y : A) a b : In x (a ++ b) -> In x (a ++ y :: b).
Proof.
  intros I. apply in_or_app. destruct (in_app_or _ _ _ I) as [J|J]; [left|right; right]; exact J.
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
    { intros y Y. exact (P y (in_longer _ _ _ _ Y)). }
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

Notation key := (list N) (only parsing).

(** * The order of keys: that of a dictionary *)

Fixpoint compare_keys (a b : key) : comparison :=
  match a, b with
  | [], [] => Eq
  | [], _ => Lt
  | _, [] => Gt
  | x :: a, y :: b => match N.compare x y with Eq => compare_keys a b | c => c end
  end.

Lemma compare_keys_eq a b : compare_keys a b = Eq -> a = b.
Proof.
  revert b. induction a as [|x a IH]; destruct b as [|y b]; cbn; try congruence.
  destruct (N.compare_spec x y) as [->| |]; try congruence. intros H. rewrite (IH b H). reflexivity.
Qed.

Lemma compare_keys_refl a : compare_keys a a = Eq.
Proof. induction a as [|x a IH]; cbn; [reflexivity|]. rewrite N.compare_refl. exact IH. Qed.

Lemma compare_keys_antisym a b : compare_keys b a = CompOpp (compare_keys a b).
Proof.
  revert b. induction a as [|x a IH]; destruct b as [|y b]; cbn; try reflexivity.
  rewrite (N.compare_antisym x y). destruct (N.compare x y); cbn; auto.
Qed.

Lemma compare_keys_trans a : forall b c,
  compare_keys a b = Lt -> compare_keys b c = Lt -> compare_keys a c = Lt.
Proof.
  induction a as [|x a IH]; destruct b as [|y b], c as [|z c]; cbn; try congruence.
  destruct (N.compare_spec x y) as [E|L|L]; destruct (N.compare_spec y z) as [F|K|K];
    try congruence; intros A B.
  - subst. rewrite N.compare_refl. exact (IH _ _ A B).
  - rewrite (proj2 (N.compare_lt_iff x z)) by lia. reflexivity.
  - rewrite (proj2 (N.compare_lt_iff x z)) by lia. reflexivity.
  - rewrite (proj2 (N.compare_lt_iff x z)) by lia. reflexivity.
Qed.

Definition at_most (a b : key) : bool := match compare_keys a b with Gt => false | _ => true end.

Lemma at_most_total a b : at_most a b = false -> at_most b a = true.
Proof.
  unfold at_most. rewrite (compare_keys_antisym a b). destruct (compare_keys a b); cbn; congruence.
Qed.

Lemma at_most_trans a b c : at_most a b = true -> at_most b c = true -> at_most a c = true.
Proof.
  unfold at_most. intros H K.
  destruct (compare_keys a b) eqn:E; [|destruct (compare_keys b c) eqn:F|congruence]; try congruence.
  - apply compare_keys_eq in E. subst. exact K.
  - apply compare_keys_eq in F. subst. rewrite E. reflexivity.
  - rewrite (compare_keys_trans _ _ _ E F). reflexivity.
Qed.

Lemma nodup_app {A} (a b : list A) : NoDup (a ++ b) -> NoDup a /\ NoDup b.
Proof.
  induction a as [|x a IH]; cbn; intros N; [split; [constructor|exact N]|].
  inversion_clear N as [|? ? X N']. destruct (IH N') as [Na Nb]. split; [|exact Nb].
  constructor; [|exact Na]. intros I. apply X, in_or_app. auto.
Qed.

Lemma nodup_join {A} (a b : list A) : (forall x, In x a -> In x b -> False) ->
  NoDup b -> NoDup a -> NoDup (a ++ b).
Proof.
  induction a as [|x a IH]; cbn; intros D B N; [exact B|]. inversion_clear N as [|? ? X N'].
  constructor; [|apply IH; eauto]. rewrite in_app_iff. intros [I|I]; [auto|]. eapply D; eauto.
Qed.

(** * Sorting *)

Section Sorting.
Context {A : Type}.
Variable of : A -> key.

Definition before (x y : A) : Prop := at_most (of x) (of y) = true.

Fixpoint merge (a : list A) : list A -> list A :=
  match a with
  | [] => fun b => b
  | x :: a' =>
      fix into b :=
        match b with
        | [] => a
        | y :: b' => if at_most (of x) (of y) then x :: merge a' b else y :: into b'
        end
  end.

Fixpoint merge_neighbours (ls : list (list A)) : list (list A) :=
  match ls with a :: b :: ls => merge a b :: merge_neighbours ls | _ => ls end.

(** Merges lists until one is left; no more than [rounds] are needed. *)
Fixpoint merge_all (rounds : nat) (ls : list (list A)) : list A :=
  match ls with
  | [] => []
  | [l] => l
  | _ => match rounds with
         | O => fold_right merge [] ls
         | S rounds => merge_all rounds (merge_neighbours ls)
         end
  end.

Definition sort (l : list A) : list A := merge_all (length l) (map (fun x => [x]) l).

Lemma merge_cons x a y b : merge (x :: a) (y :: b) =
  if at_most (of x) (of y) then x :: merge a (y :: b) else y :: merge (x :: a) b.
Proof. reflexivity. Qed.

Lemma merge_nil a : merge a [] = a.
Proof. destruct a; reflexivity. Qed.

Lemma merge_permutation a : forall b, Permutation (merge a b) (a ++ b).
Proof.
  induction a as [|x a IH]; intros b; [reflexivity|].
  induction b as [|y b IHb]; [rewrite merge_nil, app_nil_r; reflexivity|].
  rewrite merge_cons. destruct (at_most (of x) (of y)).
  - cbn. constructor. apply IH.
  - rewrite IHb. apply Permutation_middle.
Qed.

Lemma merge_sorted a : forall b, StronglySorted before a -> StronglySorted before b ->
  StronglySorted before (merge a b).
Proof.
  induction a as [|x a IH]; intros b Sa Sb; [exact Sb|].
  induction b as [|y b IHb]; [exact Sa|].
  inversion Sa as [|? ? Sa' Fa]; inversion Sb as [|? ? Sb' Fb]; subst.
  rewrite merge_cons. destruct (at_most (of x) (of y)) eqn:E; constructor; auto.
  - apply (Permutation_Forall (Permutation_sym (merge_permutation a (y :: b)))).
    apply Forall_app. split; [exact Fa|]. constructor; [exact E|].
    revert Fb. apply Forall_impl. intros z. apply at_most_trans, E.
  - apply at_most_total in E.
    apply (Permutation_Forall (Permutation_sym (merge_permutation (x :: a) b))).
    apply Forall_app. split; [|exact Fb]. constructor; [exact E|].
    revert Fa. apply Forall_impl. intros z. apply at_most_trans, E.
Qed.

Lemma merge_neighbours_spec ls : Forall (StronglySorted before) ls ->
  Forall (StronglySorted before) (merge_neighbours ls) /\
  Permutation (concat (merge_neighbours ls)) (concat ls).
Proof.
  enough (H : forall n ls, (length ls <= n)%nat -> Forall (StronglySorted before) ls ->
    Forall (StronglySorted before) (merge_neighbours ls) /\
    Permutation (concat (merge_neighbours ls)) (concat ls)) by (apply (H (length ls)); lia).
  clear ls. induction n as [|n IH]; intros [|a [|b ls]] L F; cbn in L |- *; auto; try lia.
  inversion_clear F as [|? ? Fa F']. inversion_clear F' as [|? ? Fb F].
  destruct (IH ls ltac:(lia) F) as [S P]. split.
  - constructor; [apply merge_sorted|]; assumption.
  - rewrite P, merge_permutation, app_assoc. reflexivity.
Qed.

Lemma merge_right_spec ls : Forall (StronglySorted before) ls ->
  StronglySorted before (fold_right merge [] ls) /\ Permutation (fold_right merge [] ls) (concat ls).
Proof.
  induction 1 as [|l ls S F [IHs IHp]]; cbn; [split; constructor|]. split.
  - apply merge_sorted; assumption.
  - rewrite merge_permutation, IHp. reflexivity.
Qed.

Lemma merge_all_spec rounds : forall ls, Forall (StronglySorted before) ls ->
  StronglySorted before (merge_all rounds ls) /\ Permutation (merge_all rounds ls) (concat ls).
Proof.
  induction rounds as [|n IH]; intros [|a [|b ls]] F.
  - split; constructor.
  - inversion_clear F. cbn. rewrite app_nil_r. auto.
  - apply merge_right_spec, F.
  - split; constructor.
  - inversion_clear F. cbn. rewrite app_nil_r. auto.
  - destruct (merge_neighbours_spec _ F) as [S P]. destruct (IH _ S) as [S' P'].
    split; [exact S'|]. etransitivity; [exact P'|exact P].
Qed.

Lemma sort_spec l : StronglySorted before (sort l) /\ Permutation (sort l) l.
Proof.
  destruct (merge_all_spec (length l) (map (fun x => [x]) l)) as [S P].
  - induction l; constructor; auto. repeat constructor.
  - split; [exact S|]. unfold sort. rewrite P. clear. induction l; cbn; auto.
Qed.

(** * Grouping *)

(** Neighbours of one key together. *)
Fixpoint runs (l : list A) : list (key * list A) :=
  match l with
  | [] => []
  | x :: l =>
      match runs l with
      | (k, ys) :: rest =>
          match compare_keys (of x) k with
          | Eq => (k, x :: ys) :: rest
          | _ => (of x, [x]) :: (k, ys) :: rest
          end
      | [] => [(of x, [x])]
      end
  end.

(** All elements of one key together, by their keys. *)
Definition group (l : list A) : list (key * list A) := runs (sort l).

Lemma runs_concat l : concat (map snd (runs l)) = l.
Proof.
  induction l as [|x l IH]; cbn; [reflexivity|].
  destruct (runs l) as [|[k ys] rest]; cbn in *; [congruence|].
  destruct (compare_keys (of x) k); cbn; congruence.
Qed.

Lemma runs_keys l : forall k ys, In (k, ys) (runs l) -> forall y, In y ys -> of y = k.
Proof.
  induction l as [|x l IH]; cbn; [tauto|]. intros k ys.
  destruct (runs l) as [|[k' ys'] rest]; cbn in *.
  - intros [E|[]] y. injection E as <- <-. intros [->|[]]. reflexivity.
  - destruct (compare_keys (of x) k') eqn:C; cbn.
    + intros [E|I] y; [|eapply IH; eauto]. injection E as <- <-.
      intros [<-|Y]; [apply compare_keys_eq, C|]. eapply IH; [left; reflexivity|exact Y].
    + intros [E|I] y; [|eapply IH; eauto]. injection E as <- <-. intros [->|[]]. reflexivity.
    + intros [E|I] y; [|eapply IH; eauto]. injection E as <- <-. intros [->|[]]. reflexivity.
Qed.

(** In a sorted list, runs have keys in strictly rising order. *)
Definition strictly (a b : key) : Prop := compare_keys a b = Lt.

Lemma runs_head x l : exists ys rest, runs (x :: l) = (of x, ys) :: rest.
Proof.
  cbn. destruct (runs l) as [|[k ys] rest]; eauto.
  destruct (compare_keys (of x) k) eqn:E; eauto. apply compare_keys_eq in E. subst. eauto.
Qed.

Lemma runs_rise l : Sorted before l -> Sorted strictly (map fst (runs l)).
Proof.
  induction 1 as [|x l S IH H]; [constructor|]. destruct l as [|y l]; [repeat constructor|].
  inversion_clear H as [|? ? B]. destruct (runs_head y l) as (ys & rest & E).
  change (runs (x :: y :: l)) with
    (match runs (y :: l) with
     | (k, ys) :: rest => match compare_keys (of x) k with
                          | Eq => (k, x :: ys) :: rest
                          | _ => (of x, [x]) :: (k, ys) :: rest end
     | [] => [(of x, [x])] end).
  rewrite E in IH |- *. cbn in IH |- *. unfold before, at_most in B.
  destruct (compare_keys (of x) (of y)) eqn:C; cbn; [exact IH| |congruence].
  constructor; [exact IH|]. constructor. exact C.
Qed.

Lemma rising_distinct ks : Sorted strictly ks -> NoDup ks.
Proof.
  intros H. apply Sorted_StronglySorted in H; [|intros a b c; apply compare_keys_trans].
  induction H as [|k ks S IH F]; constructor; [|exact IH]. intros I.
  rewrite Forall_forall in F. specialize (F k I). unfold strictly in F.
  rewrite compare_keys_refl in F. congruence.
Qed.

(** What is to be known of groups. *)
Lemma group_total (f : A -> Z) l : total f l = total (fun g => total f (snd g)) (group l).
Proof.
  destruct (sort_spec l) as [_ P]. rewrite <- (total_permutation f _ _ P).
  rewrite <- (runs_concat (sort l)) at 1. rewrite total_concat, total_map. reflexivity.
Qed.

Lemma group_keys l k ys y : In (k, ys) (group l) -> In y ys -> of y = k.
Proof. intros G Y. exact (runs_keys _ k ys G y Y). Qed.

Lemma group_distinct l : NoDup (map fst (group l)).
Proof.
  apply rising_distinct, runs_rise, StronglySorted_Sorted, (sort_spec l).
Qed.

Lemma group_within l k ys y : In (k, ys) (group l) -> In y ys -> In y l.
Proof.
  destruct (sort_spec l) as [_ P]. intros G Y. apply (Permutation_in _ P).
  rewrite <- (runs_concat (sort l)). apply in_concat. exists ys. split; [|exact Y].
  apply in_map_iff. exists (k, ys). auto.
Qed.

Lemma group_filled l k ys : In (k, ys) (group l) -> ys <> [].
Proof.
  unfold group. induction (sort l) as [|x m IH]; cbn; [tauto|].
  destruct (runs m) as [|[k' zs] rest]; cbn in *.
  - intros [E|[]]. congruence.
  - destruct (compare_keys (of x) k'); cbn; (intros [E|I]; [congruence|]); auto.
Qed.

Lemma group_nodup l k ys : NoDup l -> In (k, ys) (group l) -> NoDup ys.
Proof.
  destruct (sort_spec l) as [_ P]. intros N G.
  apply (Permutation_NoDup (Permutation_sym P)) in N. rewrite <- (runs_concat (sort l)) in N.
  apply in_split in G as (before & after & E). unfold group in E. rewrite E in N.
  rewrite map_app, concat_app in N. cbn in N.
  apply nodup_app in N as [_ N]. apply nodup_app in N as [N _]. exact N.
Qed.
End Sorting.
