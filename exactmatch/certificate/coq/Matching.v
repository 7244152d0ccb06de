(** What a one-to-one matching of two lists is worth at most, where the worth of a match is the
    credit of two numbers: as much as if the largest number were matched with the largest, and so
    on. *)
From Coq Require Import ZArith List Bool Lia Permutation Sorted.
From Exactmatch Require Import Statement Sums.
Import ListNotations.
Open Scope Z_scope.

Fixpoint zipped (c : Z -> Z -> Z) (a b : list Z) : Z :=
  match a, b with x :: a, y :: b => c x y + zipped c a b | _, _ => 0 end.

Definition falling := StronglySorted (fun x y : Z => y <= x).

Section Credit.
Variable d : duplicates.
Let c := credit d.

Lemma credit_nonnegative x y : 0 <= x -> 0 <= y -> 0 <= c x y.
Proof. unfold c, credit. destruct d; nia. Qed.

Lemma credit_right x y z : 0 <= x -> y <= z -> c x y <= c x z.
Proof. unfold c, credit. destruct d; intros; try lia. nia. Qed.

Lemma credit_left x y z : 0 <= x -> y <= z -> c y x <= c z x.
Proof. unfold c, credit. destruct d; intros; try lia. nia. Qed.

(** Increasing differences. *)
Lemma credit_exchange x a y z : a <= x -> y <= z -> c x y + c a z <= c x z + c a y.
Proof. unfold c, credit. destruct d; intros; try lia. nia. Qed.

Lemma zipped_nonnegative : forall a b, Forall (Z.le 0) a -> Forall (Z.le 0) b -> 0 <= zipped c a b.
Proof.
  induction a as [|x a IH]; destruct b as [|y b]; cbn; try lia.
  intros A B. inversion_clear A. inversion_clear B.
  pose proof (credit_nonnegative x y). specialize (IH b). intuition lia.
Qed.

(** One number more, the largest, makes it no less. *)
Lemma zipped_more : forall a x b, falling (x :: a) -> Forall (Z.le 0) (x :: a) -> Forall (Z.le 0) b ->
  zipped c a b <= zipped c (x :: a) b.
Proof.
  induction a as [|z a IH]; intros x b S A B.
  - change (0 <= zipped c [x] b). apply zipped_nonnegative; assumption.
  - destruct b as [|y b]; cbn [zipped]; [lia|].
    inversion_clear S as [|? ? S' F]. inversion_clear F as [|? ? Z _].
    inversion_clear A as [|? ? _ A']. inversion_clear B as [|? ? Y B'].
    pose proof (credit_left y z x Y Z). specialize (IH z b S' A' B'). cbn [zipped] in IH. lia.
Qed.

(** To match the largest number with another than the largest is worth no more. *)
Lemma zipped_insert : forall b1 a x y b2, falling (x :: a) -> falling (b1 ++ y :: b2) ->
  Forall (Z.le 0) (x :: a) -> Forall (Z.le 0) (b1 ++ y :: b2) ->
  c x y + zipped c a (b1 ++ b2) <= zipped c (x :: a) (b1 ++ y :: b2).
Proof.
  induction b1 as [|z b1 IH]; intros a x y b2 S T A B; cbn [app zipped]; [lia|].
  inversion_clear T as [|? ? T' F]. inversion_clear B as [|? ? Bz B'].
  assert (Y : y <= z). { rewrite Forall_forall in F. apply F, in_or_app. cbn. auto. }
  inversion_clear A as [|? ? Ax A'].
  destruct a as [|w a]; cbn [zipped].
  - pose proof (credit_right x y z Ax Y).
    pose proof (zipped_nonnegative [] (b1 ++ y :: b2) (Forall_nil _) B'). cbn in *. lia.
  - inversion_clear S as [|? ? S' G]. inversion_clear G as [|? ? W _].
    specialize (IH a w y b2 S' T' A' B'). cbn [zipped] in IH.
    pose proof (credit_exchange x w y z W Y). lia.
Qed.

Section Matching.
Context {V W : Type}.
Variable a : V -> Z.
Variable b : W -> Z.
Variable m : V -> W -> bool.

(** What is matched of two lists. *)
Definition matched (vs : list V) (ws : list W) : Z :=
  total (fun v => total (fun w => if m v w then c (a v) (b w) else 0) ws) vs.

(** Each is matched with one other at most. *)
Definition one_each (vs : list V) (ws : list W) : Prop :=
  (forall v w w', In v vs -> In w ws -> In w' ws -> m v w = true -> m v w' = true -> w = w') /\
  (forall v v' w, In v vs -> In v' vs -> In w ws -> m v w = true -> m v' w = true -> v = v').

Lemma matched_zipped : forall vs ws, NoDup vs -> NoDup ws -> one_each vs ws ->
  falling (map a vs) -> falling (map b ws) ->
  Forall (Z.le 0) (map a vs) -> Forall (Z.le 0) (map b ws) ->
  matched vs ws <= zipped c (map a vs) (map b ws).
Proof.
  induction vs as [|v vs IH]; intros ws Nv Nw [U1 U2] Sa Sb Pa Pb; [cbn; lia|].
  inversion_clear Nv as [|? ? V' Nv']. unfold matched. cbn [total]. fold (matched vs ws).
  assert (U' : forall ws', incl ws' ws -> one_each vs ws').
  { intros ws' I. split; intros; [eapply U1|eapply U2]; cbn; eauto. }
  cbn [map] in Sa, Pa. inversion Sa as [|? ? Sa' _]; subst. inversion Pa as [|? ? _ Pa']; subst.
  destruct (existsb (m v) ws) eqn:E.
  - apply existsb_exists in E as [w [I Hw]]. apply in_split in I as (w1 & w2 & ->).
    assert (R : total (fun w => if m v w then c (a v) (b w) else 0) (w1 ++ w :: w2) = c (a v) (b w)).
    { rewrite total_app. cbn [total]. rewrite Hw.
      assert (Z : forall u, In u (w1 ++ w2) -> m v u = false).
      { intros u I. destruct (m v u) eqn:Hu; [|reflexivity]. exfalso.
        apply NoDup_remove_2 in Nw. apply Nw.
        rewrite (U1 v w u); cbn; auto; rewrite in_app_iff in *; cbn; tauto. }
      rewrite !total_zero; [lia| |]; intros u I; rewrite Z; auto; apply in_or_app; auto. }
    assert (Q : matched vs (w1 ++ w :: w2) = matched vs (w1 ++ w2)).
    { unfold matched. apply total_ext. intros u I. rewrite !total_app. cbn [total].
      destruct (m u w) eqn:Hu; [|lia]. exfalso. apply V'.
      rewrite (U2 v u w); cbn; auto. apply in_or_app. cbn. auto. }
    rewrite R, Q. rewrite map_app in *. cbn [map] in *.
    assert (Sb' : falling (map b w1 ++ map b w2) /\ Forall (Z.le 0) (map b w1 ++ map b w2)).
    { clear - Sb Pb. induction w1 as [|u w1 IHw]; cbn in *.
      - inversion_clear Sb. inversion_clear Pb. auto.
      - inversion_clear Sb as [|? ? S F]. inversion_clear Pb as [|? ? P P']. destruct (IHw S P').
        split; constructor; auto. apply Forall_app in F as [F1 F2]. inversion_clear F2.
        apply Forall_app. auto. }
    assert (H : matched vs (w1 ++ w2) <= zipped c (map a vs) (map b (w1 ++ w2))).
    { apply IH; auto.
      - apply NoDup_remove_1 in Nw. exact Nw.
      - apply U'. intros u I. rewrite in_app_iff in *. cbn. tauto.
      - rewrite map_app. apply Sb'.
      - rewrite map_app. apply Sb'. }
    rewrite map_app in H.
    pose proof (zipped_insert (map b w1) (map a vs) (a v) (b w) (map b w2) Sa Sb Pa Pb). lia.
  - assert (R : total (fun w => if m v w then c (a v) (b w) else 0) ws = 0).
    { apply total_zero. intros w I. destruct (m v w) eqn:Hw; [|reflexivity]. exfalso.
      apply not_true_iff_false in E. apply E, existsb_exists. exists w. auto. }
    rewrite R. specialize (IH ws Nv' Nw (U' ws (incl_refl _)) Sa' Sb Pa' Pb).
    pose proof (zipped_more (map a vs) (a v) (map b ws) Sa Pa Pb). cbn [map]. lia.
Qed.
End Matching.
End Credit.
