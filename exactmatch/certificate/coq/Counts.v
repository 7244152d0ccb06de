(** Bounds from numbers of triples alone, for pairs of graphs with too many terms to be listed. *)
From Coq Require Import NArith ZArith List Bool Lia Permutation Sorted.
From Exactmatch Require Import Statement Lists Terms.
Import ListNotations.
Open Scope Z_scope.

(** * Matching: what a one-to-one matching of two lists is worth at most

    The worth of a match is the credit of two numbers. Then a matching is worth at most as much as if
    the largest number were matched with the largest, and so on. *)

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
        rewrite (U1 v w u (or_introl eq_refl) (in_elt _ _ _) (in_longer _ _ _ _ I) Hw Hu). exact I. }
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

(** * The bounds *)

(** Where a variable first stands in a list. *)
Fixpoint first_place (x : variable) (l : list variable) : N :=
  match l with [] => 0%N | y :: l => if N.eqb x y then 0%N else N.succ (first_place x l) end.

(** Which places of a triple have equal variables. *)
Definition pattern (v : list variable) : key := map (fun x => first_place x v) v.

(** Variables of triples, and how often each triple occurs; most often first. *)
Definition counted_triples := list (list variable * Z).

Definition most_often_first (l : counted_triples) : counted_triples :=
  rev (sort (fun q => [Z.to_N (snd q)]) l).

Definition with_times (vs : list (list variable)) (l : list (list variable)) : counted_triples :=
  most_often_first (map (fun v => (v, times same_variables v vs)) l).

(** Triples of both graphs of which any two may match, and what that is worth. *)
Record kind := Kind { each : Z; tests : counted_triples; golds : counted_triples }.

Fixpoint found (k : key) (groups : list (key * list (list variable))) : list (list variable) :=
  match groups with
  | [] => []
  | g :: groups => if list_eqb N.eqb k (fst g) then snd g else found k groups
  end.

Definition every_kind (p : problem) : list kind :=
  flat_map (fun '(own, other, worth) =>
    let vs := labelled (test p) own in
    let ws := labelled (gold p) other in
    let by_pattern := group pattern (distinct same_variables ws) in
    map (fun g => Kind worth (with_times vs (snd g)) (with_times ws (found (fst g) by_pattern)))
      (group pattern (distinct same_variables vs)))
  (worths p).

(** Those that both graphs have triples of. *)
Definition kinds (p : problem) : list kind :=
  filter (fun k => match golds k with [] => false | _ => true end) (every_kind p).

(** What the triples of a kind score at most. *)
Definition most_of (d : duplicates) (k : kind) : Z :=
  Z.max 0 (each k) * zipped (credit d) (map snd (tests k)) (map snd (golds k)).

Definition counted_bound (p : problem) : Z := total (most_of (counted p)) (kinds p).

(** * Why that is right *)

Lemma times_nonnegative {A} (eqb : A -> A -> bool) x l : 0 <= times eqb x l.
Proof. apply total_nonnegative. intros y _. destruct (eqb x y); lia. Qed.

Lemma same_variables_spec v w : same_variables v w = true <-> v = w.
Proof. apply list_eqb_spec. apply N.eqb_eq. Qed.

Lemma distinct_nodup {A} (eqb : A -> A -> bool) (spec : forall x y, eqb x y = true <-> x = y) l :
  NoDup (distinct eqb l).
Proof.
  induction l as [|x l IH]; cbn; [constructor|]. destruct (existsb (eqb x) l) eqn:E; [exact IH|].
  constructor; [|exact IH]. intros I. apply (proj1 (distinct_in eqb spec l x)) in I.
  apply not_true_iff_false in E. apply E, existsb_exists. exists x. split; [exact I|].
  apply spec. reflexivity.
Qed.

Lemma takes_images M : forall v w, takes M v w = true -> map M v = map Some w.
Proof.
  induction v as [|i v IH]; destruct w as [|j w]; cbn; try congruence.
  destruct (M i) as [k|] eqn:E; [|discriminate]. rewrite andb_true_iff, N.eqb_eq.
  intros [-> T]. rewrite (IH w T). reflexivity.
Qed.

Lemma takes_one_image M v w u : takes M v w = true -> takes M v u = true -> w = u.
Proof.
  intros A B. apply takes_images in A, B. rewrite A in B. clear A. revert u B.
  induction w as [|j w IH]; destruct u as [|k u]; cbn; try congruence.
  intros E. injection E as -> E. rewrite (IH u E). reflexivity.
Qed.

Lemma takes_one_source M : one_to_one M -> forall v u w,
  takes M v w = true -> takes M u w = true -> v = u.
Proof.
  intros O. induction v as [|i v IH]; destruct u as [|k u], w as [|j w]; cbn; try congruence.
  destruct (M i) as [x|] eqn:E; [|discriminate]. destruct (M k) as [y|] eqn:F; [|discriminate].
  rewrite !andb_true_iff, !N.eqb_eq. intros [-> A] [-> B]. rewrite (O i k j E F), (IH u w A B).
  reflexivity.
Qed.

Lemma takes_first_place M : one_to_one M -> forall v w i j, M i = Some j -> takes M v w = true ->
  first_place i v = first_place j w.
Proof.
  intros O. induction v as [|x v IH]; destruct w as [|y w]; cbn; intros i j H; try congruence.
  destruct (M x) as [z|] eqn:E; [|discriminate]. rewrite andb_true_iff, N.eqb_eq. intros [-> T].
  destruct (N.eqb_spec i x) as [->|D]; destruct (N.eqb_spec j y) as [->|F]; try congruence.
  - exfalso. apply D. exact (O _ _ _ H E).
  - rewrite (IH w i j H T). reflexivity.
Qed.

Lemma takes_pattern M v w : one_to_one M -> takes M v w = true -> pattern v = pattern w.
Proof.
  intros O T. unfold pattern.
  assert (H : forall a b, takes M a b = true ->
    map (fun x => first_place x v) a = map (fun y => first_place y w) b).
  { induction a as [|i a IH]; destruct b as [|j b]; cbn; try congruence.
    destruct (M i) as [k|] eqn:E; [|discriminate]. rewrite andb_true_iff, N.eqb_eq. intros [-> A].
    rewrite (IH b A), (takes_first_place M O v w i j E T). reflexivity. }
  apply H, T.
Qed.

(** Sorted by a number that is not below 0, the largest first. *)
Lemma sorted_falling {A} (f : A -> Z) l : (forall x, In x l -> 0 <= f x) ->
  let m := rev (sort (fun x => [Z.to_N (f x)]) l) in
  falling (map f m) /\ Forall (Z.le 0) (map f m) /\ Permutation m l.
Proof.
  intros P. cbn zeta. destruct (sort_spec (fun x => [Z.to_N (f x)]) l) as [S Q].
  assert (P' : forall x, In x (sort (fun x => [Z.to_N (f x)]) l) -> 0 <= f x).
  { intros x I. apply P. exact (Permutation_in _ Q I). }
  split; [|split].
  - revert S P'. generalize (sort (fun x => [Z.to_N (f x)]) l). clear.
    intros l S P. induction S as [|x l S IH F]; cbn; [constructor|]. rewrite map_app. cbn.
    specialize (IH (fun q I => P q (or_intror I))). rewrite Forall_forall in F.
    assert (G : forall y, In y (rev l) -> f x <= f y).
    { intros y Y. apply in_rev in Y. pose proof (P y (or_intror Y)). pose proof (P x (or_introl eq_refl)).
      specialize (F y Y). unfold before, at_most in F. cbn in F.
      destruct (N.compare_spec (Z.to_N (f x)) (Z.to_N (f y))); try discriminate; lia. }
    revert IH G. generalize (rev l). clear.
    induction l as [|y l IH]; cbn; intros S G; [repeat constructor|].
    inversion_clear S as [|? ? S' F]. constructor; [apply IH; auto|].
    apply Forall_app. split; [exact F|]. constructor; [apply G; auto|constructor].
  - apply Forall_map, Forall_forall. intros q I. apply in_rev in I. auto.
  - rewrite <- Permutation_rev. exact Q.
Qed.

Lemma most_often_first_falling (l : counted_triples) : (forall q, In q l -> 0 <= snd q) ->
  falling (map snd (most_often_first l)) /\ Forall (Z.le 0) (map snd (most_often_first l)) /\
  Permutation (most_often_first l) l.
Proof. exact (sorted_falling snd l). Qed.

(** What a mapping matches of the triples of a kind. *)
Lemma matched_most M d vs ws gv gw : one_to_one M -> NoDup gv -> NoDup gw ->
  total (fun v => total (fun w => if takes M v w
    then credit d (times same_variables v vs) (times same_variables w ws) else 0) gw) gv
  <= zipped (credit d) (map snd (with_times vs gv)) (map snd (with_times ws gw)).
Proof.
  intros O Nv Nw. unfold with_times.
  set (ps := map (fun v => (v, times same_variables v vs)) gv).
  set (qs := map (fun w => (w, times same_variables w ws)) gw).
  destruct (most_often_first_falling ps) as (Fp & Pp & Ep).
  { intros q I. apply in_map_iff in I as [v [<- _]]. apply times_nonnegative. }
  destruct (most_often_first_falling qs) as (Fq & Pq & Eq).
  { intros q I. apply in_map_iff in I as [v [<- _]]. apply times_nonnegative. }
  assert (E : total (fun v => total (fun w => if takes M v w
      then credit d (times same_variables v vs) (times same_variables w ws) else 0) gw) gv =
    matched d snd snd (fun v w : list variable * Z => takes M (fst v) (fst w))
      (most_often_first ps) (most_often_first qs)).
  { unfold matched. rewrite (total_permutation _ _ _ Ep). unfold ps. rewrite total_map.
    apply total_ext. intros v _. rewrite (total_permutation _ _ _ Eq). unfold qs. rewrite total_map.
    reflexivity. }
  rewrite E. apply matched_zipped; auto.
  - apply (Permutation_NoDup (Permutation_sym Ep)). unfold ps.
    apply (NoDup_map_inv fst). rewrite map_map. cbn. rewrite map_id. exact Nv.
  - apply (Permutation_NoDup (Permutation_sym Eq)). unfold qs.
    apply (NoDup_map_inv fst). rewrite map_map. cbn. rewrite map_id. exact Nw.
  - assert (I : forall q, In q (most_often_first ps) -> snd q = times same_variables (fst q) vs).
    { intros q I. apply (Permutation_in _ Ep), in_map_iff in I as [v [<- _]]. reflexivity. }
    assert (J : forall q, In q (most_often_first qs) -> snd q = times same_variables (fst q) ws).
    { intros q J. apply (Permutation_in _ Eq), in_map_iff in J as [v [<- _]]. reflexivity. }
    split.
    + intros v [w t] [u s] V W U A B. cbn in A, B. pose proof (takes_one_image M _ _ _ A B). subst.
      f_equal. pose proof (J _ W). pose proof (J _ U). cbn in *. congruence.
    + intros [v t] [u s] w V U W A B. cbn in A, B. pose proof (takes_one_source M O _ _ _ A B). subst.
      f_equal. pose proof (I _ V). pose proof (I _ U). cbn in *. congruence.
Qed.

Lemma found_total (f : list variable -> Z) k groups : NoDup (map fst groups) ->
  total (fun g => if list_eqb N.eqb k (fst g) then total f (snd g) else 0) groups = total f (found k groups).
Proof.
  induction groups as [|g groups IH]; cbn [map total found]; intros N; [reflexivity|].
  inversion_clear N as [|? ? X N'].
  destruct (list_eqb N.eqb k (fst g)) eqn:E; [|rewrite IH by exact N'; apply Z.add_0_l].
  apply (list_eqb_spec N.eqb N.eqb_eq) in E. subst.
  transitivity (total f (snd g) + 0); [f_equal; apply total_zero|apply Z.add_0_r].
  intros h H. destruct (list_eqb N.eqb (fst g) (fst h)) eqn:E; [|reflexivity].
  apply (list_eqb_spec N.eqb N.eqb_eq) in E. exfalso. apply X. rewrite E. apply in_map, H.
Qed.

Lemma found_nodup k groups : (forall k g, In (k, g) groups -> NoDup g) -> NoDup (found k groups).
Proof.
  induction groups as [|[k' g] groups IH]; cbn; intros H; [constructor|].
  destruct (list_eqb N.eqb k k'); [apply (H k' g); auto|]. apply IH. eauto.
Qed.

(** What a mapping matches of a kind. *)
Definition taken (M : mapping) (d : duplicates) (k : kind) : Z :=
  total (fun v => total (fun w =>
    if takes M (fst v) (fst w) then credit d (snd v) (snd w) else 0) (golds k)) (tests k).

Lemma with_times_permutation vs l :
  Permutation (with_times vs l) (map (fun v => (v, times same_variables v vs)) l).
Proof.
  apply most_often_first_falling. intros q I. apply in_map_iff in I as [v [<- _]].
  apply times_nonnegative.
Qed.

Lemma with_times_taken M d worth vs ws gv gw :
  taken M d (Kind worth (with_times vs gv) (with_times ws gw)) =
  total (fun v => total (fun w => if takes M v w
    then credit d (times same_variables v vs) (times same_variables w ws) else 0) gw) gv.
Proof.
  unfold taken. cbn [tests golds]. rewrite (total_permutation _ _ _ (with_times_permutation vs gv)).
  rewrite total_map. apply total_ext. intros v _.
  rewrite (total_permutation _ _ _ (with_times_permutation ws gw)), total_map. reflexivity.
Qed.

(** What holds of the triples of a kind: none is listed twice, and no number is below 0. *)
Definition proper (k : kind) : Prop :=
  NoDup (map fst (tests k)) /\ NoDup (map fst (golds k)) /\
  (forall q, In q (tests k) -> 0 <= snd q) /\ (forall q, In q (golds k) -> 0 <= snd q).

Lemma with_times_nodup vs l : NoDup l -> NoDup (map fst (with_times vs l)).
Proof.
  intros N. apply (Permutation_NoDup (Permutation_sym (Permutation_map fst (with_times_permutation vs l)))).
  rewrite map_map. cbn. rewrite map_id. exact N.
Qed.

Lemma with_times_nonnegative vs l q : In q (with_times vs l) -> 0 <= snd q.
Proof.
  intros I. apply (Permutation_in _ (with_times_permutation vs l)), in_map_iff in I as [v [<- _]].
  apply times_nonnegative.
Qed.

Lemma kinds_proper p k : In k (kinds p) -> proper k.
Proof.
  unfold kinds, every_kind. intros I. apply filter_In in I as [I _]. apply in_flat_map in I as [[[own other] worth] [_ I]].
  apply in_map_iff in I as [g [<- G]]. destruct g as [key gv].
  pose proof (distinct_nodup same_variables same_variables_spec (labelled (test p) own)) as Nv.
  pose proof (distinct_nodup same_variables same_variables_spec (labelled (gold p) other)) as Nw.
  repeat split; cbn [tests golds fst snd]; try apply with_times_nodup; try apply with_times_nonnegative.
  - exact (group_nodup _ _ _ _ Nv G).
  - apply found_nodup. intros k' g. apply (group_nodup pattern _ k' g Nw).
Qed.

(** The score of a mapping is what it matches of all kinds, or less. *)
Theorem score_taken p M : valid p M ->
  score p M <= total (fun k => Z.max 0 (each k) * taken M (counted p) k) (kinds p).
Proof.
  intros [O _]. unfold kinds. rewrite total_filter. unfold total_if.
  rewrite (total_ext _ (fun k => Z.max 0 (each k) * taken M (counted p) k)).
  2: { intros k _. destruct (golds k) eqn:G; [|reflexivity]. unfold taken. rewrite G. cbn.
       rewrite total_zero by reflexivity. lia. }
  unfold score, every_kind. rewrite total_flat_map. apply total_le.
  intros [[own other] worth] _. cbn zeta.
  set (vs := labelled (test p) own). set (ws := labelled (gold p) other).
  set (dv := distinct same_variables vs). set (dw := distinct same_variables ws).
  rewrite total_map, (group_total pattern). apply total_le. intros [k gv] G. cbn [fst snd each].
  set (gw := found k (group pattern dw)). rewrite with_times_taken.
  (* what is taken to each other has one pattern *)
  assert (E : total (fun v => total (fun w => if takes M v w
      then worth * credit (counted p) (times same_variables v vs) (times same_variables w ws) else 0) dw) gv
    = worth * total (fun v => total (fun w => if takes M v w
      then credit (counted p) (times same_variables v vs) (times same_variables w ws) else 0) gw) gv).
  { rewrite <- total_mul. apply total_ext. intros v V.
    unfold gw. rewrite <- found_total by apply group_distinct.
    rewrite (group_total pattern _ dw), <- total_mul. apply total_ext.
    intros [k' ws'] W. cbn [fst snd]. destruct (list_eqb N.eqb k k') eqn:K.
    - rewrite <- total_mul. apply total_ext. intros w _. destruct (takes M v w); ring.
    - rewrite Z.mul_0_r. apply total_zero. intros w Iw. destruct (takes M v w) eqn:T; [|reflexivity].
      exfalso. apply not_true_iff_false in K. apply K, (list_eqb_spec N.eqb N.eqb_eq).
      rewrite <- (group_keys _ _ _ _ v G V), <- (group_keys _ _ _ _ w W Iw).
      exact (takes_pattern M v w O T). }
  rewrite E.
  assert (L : 0 <= total (fun v => total (fun w => if takes M v w
      then credit (counted p) (times same_variables v vs) (times same_variables w ws) else 0) gw) gv).
  { apply total_nonnegative. intros v _. apply total_nonnegative. intros w _.
    destruct (takes M v w); [|lia]. apply credit_nonnegative; apply times_nonnegative. }
  nia.
Qed.

Theorem counted_bound_right p M : valid p M -> score p M <= counted_bound p.
Proof.
  intros V. etransitivity; [apply score_taken, V|]. apply total_le. intros k K. unfold most_of.
  assert (taken M (counted p) k <= zipped (credit (counted p)) (map snd (tests k)) (map snd (golds k)));
    [|nia].
  unfold kinds, every_kind in K. apply filter_In in K as [K _]. apply in_flat_map in K as [[[own other] worth] [_ K]].
  apply in_map_iff in K as [[key gv] [<- G]]. rewrite with_times_taken. apply matched_most.
  - exact (proj1 V).
  - exact (group_nodup _ _ _ _ (distinct_nodup _ same_variables_spec _) G).
  - apply found_nodup. intros k' g.
    exact (group_nodup pattern _ k' g (distinct_nodup _ same_variables_spec _)).
Qed.
