(** Why the checks are right: what a proof shows, no mapping exceeds.

    The argument is that of checker.py: in a leaf, (1) the shares of the terms inside a mapping cover
    what it scores; (2) the shares that a pair gets from these are at most its worth; (3) the worths
    of the pairs of a mapping add up to no more than prices and best gains. Of a clique, one set at
    most is inside the mapping: what is taken from weights costs it no more than the multipliers. *)
From Coq Require Import NArith ZArith List Bool Lia Permutation Sorted FMapPositive.
From Exactmatch Require Import Statement Lists Terms Checker.
Import ListNotations.
Open Scope Z_scope.

(** * Sets of pairs *)

Lemma succ_pos_injective i j : N.succ_pos i = N.succ_pos j -> i = j.
Proof. intros E. apply N.succ_inj. rewrite <- !N.succ_pos_spec, E. reflexivity. Qed.

Lemma member_with_one s p q : member (with_one p s) q = true -> p = q \/ member s q = true.
Proof.
  destruct p as [i j], q as [k l]. unfold member, with_one, row_of. cbn.
  destruct (Pos.eq_dec (N.succ_pos k) (N.succ_pos i)) as [E|E].
  - rewrite E, PositiveMap.gss. apply succ_pos_injective in E. subst.
    destruct (Pos.eq_dec (N.succ_pos l) (N.succ_pos j)) as [F|F].
    + apply succ_pos_injective in F. subst. auto.
    + rewrite PositiveMap.gso by exact F. auto.
  - rewrite PositiveMap.gso by exact E. auto.
Qed.

Lemma member_with_all s ps q : member (with_all ps s) q = true -> In q ps \/ member s q = true.
Proof.
  induction ps as [|p ps IH]; cbn; [auto|]. intros H.
  apply member_with_one in H as [->|H]; [auto|]. destruct (IH H); auto.
Qed.

Lemma member_no_pairs q : member no_pairs q = false.
Proof. unfold member, row_of, no_pairs. rewrite !PositiveMap.gempty. reflexivity. Qed.

(** * Prices *)

Lemma table_find {A} (l : list (N * A)) i v :
  PositiveMap.find (N.succ_pos i) (table l) = Some v -> In (i, v) l.
Proof.
  unfold table. rewrite <- fold_left_rev_right.
  intros H. apply in_rev. revert H. induction (rev l) as [|[j w] m IH]; cbn.
  - rewrite PositiveMap.gempty. discriminate.
  - destruct (Pos.eq_dec (N.succ_pos i) (N.succ_pos j)) as [E|E].
    + rewrite E, PositiveMap.gss. apply succ_pos_injective in E. intros F. injection F. intros. subst. auto.
    + rewrite PositiveMap.gso by exact E. auto.
Qed.

(** Prices of different things add up to no more than all prices. *)
Lemma prices_cover {K} (look : K -> Z) (prices : list (K * Z)) : forall ks, NoDup ks ->
  (forall k, look k = 0 \/ In (k, look k) prices) -> (forall q, In q prices -> 0 <= snd q) ->
  total look ks <= total snd prices.
Proof.
  intros ks N L P.
  set (ks' := filter (fun k => negb (look k =? 0)) ks).
  assert (E : total look ks = total snd (map (fun k => (k, look k)) ks')).
  { rewrite total_map. cbn. unfold ks'. rewrite (total_filter _ (fun k => look k)). unfold total_if.
    apply total_ext. intros k _. destruct (Z.eqb_spec (look k) 0); cbn; auto. }
  rewrite E. apply part_le; [| |exact P].
  - apply (NoDup_map_inv fst). rewrite map_map. cbn. rewrite map_id. apply NoDup_filter, N.
  - intros [k v] I. apply in_map_iff in I as [k' [E' I]]. injection E' as -> <-.
    apply filter_In in I as [_ I]. destruct (L k) as [Z|J]; [|exact J].
    rewrite Z in I. discriminate.
Qed.

(** * Terms inside a mapping *)

Section Inside.
Variable M : mapping.
Hypothesis O : one_to_one M.

Lemma inside_holds t p : inside M t = true -> In p t -> holds M p = true.
Proof. unfold inside. rewrite forallb_forall. auto. Qed.

(** Terms of the same test variables are the same. *)
Lemma inside_same_tests : forall t u, inside M t = true -> inside M u = true ->
  map fst t = map fst u -> t = u.
Proof.
  induction t as [|[i j] t IH]; destruct u as [|[k l] u]; cbn; try congruence.
  rewrite !andb_true_iff. intros [A T] [B U] E. injection E as -> E.
  apply holds_spec in A, B. rewrite A in B. injection B as ->. rewrite (IH u T U E). reflexivity.
Qed.

Lemma rising_sorted l : rising l = true -> StronglySorted N.lt l.
Proof.
  intros R. apply Sorted_StronglySorted; [intros a b c; apply N.lt_trans|].
  induction l as [|x l IH]; [constructor|]. cbn in R. apply andb_prop in R as [A B].
  constructor; [exact (IH B)|]. destruct l as [|y l]; constructor. apply N.ltb_lt, A.
Qed.

Lemma rising_nodup l : rising l = true -> NoDup l.
Proof.
  intros R. apply rising_sorted in R. induction R as [|x l S IH F]; constructor; [|exact IH].
  intros I. rewrite Forall_forall in F. specialize (F x I). lia.
Qed.

(** Two terms in order with the same pairs are the same. *)
Lemma rising_same : forall t u : list pair, rising (map fst t) = true -> rising (map fst u) = true ->
  (forall p, In p t <-> In p u) -> t = u.
Proof.
  intros t u T U. apply rising_sorted in T, U. revert u U.
  induction t as [|p t IH]; intros [|q u] U H.
  - reflexivity.
  - destruct (proj2 (H q) (or_introl eq_refl)).
  - destruct (proj1 (H p) (or_introl eq_refl)).
  - cbn in T, U. inversion_clear T as [|? ? T' Tp]. inversion_clear U as [|? ? U' Uq].
    rewrite Forall_forall in Tp, Uq.
    assert (E : p = q).
    { destruct (proj1 (H p) (or_introl eq_refl)) as [E|I]; [congruence|].
      destruct (proj2 (H q) (or_introl eq_refl)) as [E|J]; [congruence|]. exfalso.
      pose proof (Tp _ (in_map fst _ _ J)). pose proof (Uq _ (in_map fst _ _ I)). lia. }
    subst q. f_equal. apply (IH T' u U'). intros r. split; intros I.
    + destruct (proj1 (H r) (or_intror I)) as [E|J]; [|exact J]. subst r. exfalso.
      pose proof (Tp _ (in_map fst _ _ I)). lia.
    + destruct (proj2 (H r) (or_intror I)) as [E|J]; [|exact J]. subst r. exfalso.
      pose proof (Uq _ (in_map fst _ _ I)). lia.
Qed.

Lemma column_members j t k : In k (column_of j t) <-> In k (map snd t) /\ k <> j.
Proof.
  unfold column_of.
  destruct (sort_spec (fun k => [k]) (filter (fun k => negb (N.eqb k j)) (map snd t))) as [_ P].
  rewrite (Permutation_in' eq_refl P), filter_In. destruct (N.eqb_spec k j); cbn; intuition congruence.
Qed.

(** Terms that hold one pair and have the same other gold variables are the same. *)
Lemma same_columns p t u : rising (map fst t) = true -> rising (map fst u) = true ->
  inside M t = true -> inside M u = true -> In p t -> In p u ->
  column_of (snd p) t = column_of (snd p) u -> t = u.
Proof.
  intros T U It Iu Pt Pu E. apply rising_same; [exact T|exact U|].
  assert (H : forall t u, inside M t = true -> inside M u = true -> In p u ->
    column_of (snd p) t = column_of (snd p) u -> forall q, In q t -> In q u).
  { clear - O. intros t u It Iu Pu E [i j] Q.
    assert (J : In j (map snd u)).
    { destruct (N.eq_dec j (snd p)) as [->|N]; [apply in_map; exact Pu|].
      apply (column_members (snd p)). rewrite <- E. apply column_members. split; [|exact N].
      exact (in_map snd _ _ Q). }
    apply in_map_iff in J as [[k l] [F J]]. cbn in F. subst l.
    apply (inside_holds _ _ It) in Q. pose proof (inside_holds _ _ Iu J) as K.
    apply holds_spec in Q, K. rewrite (O _ _ _ Q K). exact J. }
  intros q. split; [apply (H t u)|apply (H u t)]; auto.
Qed.

(** * What a pair is worth *)

(** What an item counts: the share of a term, if that is inside the mapping. *)
Definition counts (it : pair * item) : Z :=
  match snd it with Share t part => if inside M t then part else 0 | Local _ _ => 0 end.

Lemma counts_shares its :
  total counts its = total_if (fun s => inside M (fst s)) snd (shares_of its).
Proof.
  unfold total_if, shares_of. rewrite total_flat_map. apply total_ext.
  intros [p [t part|c v]] _; unfold counts; cbn [fst snd total]; [destruct (inside M t)|]; lia.
Qed.

Lemma price_in_found b c : price_in b c = 0 \/ In (c, price_in b c) b.
Proof.
  induction b as [|[d v] b IH]; cbn; [auto|].
  destruct (same_variables c d) eqn:E.
  - apply (list_eqb_spec N.eqb N.eqb_eq) in E. subst. auto.
  - destruct IH; auto.
Qed.

Lemma local_prices_in its c v : In (c, v) (local_prices its) -> exists p, In (p, Local c v) its.
Proof.
  induction its as [|[p [t part|d w]] its IH]; cbn; [tauto| |].
  - intros I. destruct (IH I) as [q Q]. exists q. auto.
  - destruct (existsb _ (local_prices its)).
    + intros I. destruct (IH I) as [q Q]. exists q. auto.
    + intros [E|I]; [injection E as -> ->; exists p; auto|]. destruct (IH I) as [q Q]. exists q. auto.
Qed.

(** A term may be said to take part in the competition of its row if it has another pair. *)
Definition competes (s : list pair * Z) : bool :=
  match map fst (fst s) with [_] => false | _ => true end.

Lemma row_counts p b k es : holds M p = true ->
  (forall s, In s es -> In p (fst s)) -> (forall s, In s es -> map fst (fst s) = k) ->
  NoDup (map fst es) ->
  total_if (fun s => inside M (fst s)) snd es <=
  row_worth (snd p) b (k, es) +
  total_if (fun s => inside M (fst s) && competes s) (fun s => price_in b (column_of (snd p) (fst s))) es.
Proof.
  intros H P K N. unfold row_worth. cbn [fst snd].
  assert (C : forall s, In s es -> competes s = match k with [_] => false | _ => true end).
  { intros s S. unfold competes. rewrite (K s S). reflexivity. }
  destruct (match k with [_] => false | _ => true end) eqn:E.
  - (* at most one of these terms is inside *)
    assert (L : total_if (fun s => inside M (fst s))
        (fun s => snd s - price_in b (column_of (snd p) (fst s))) es <=
      largest (fun s => snd s - price_in b (column_of (snd p) (fst s))) es).
    { apply one_counts; [exact (NoDup_map_inv _ _ N)|].
      intros s u S U Is Iu. assert (F : fst s = fst u).
      { apply inside_same_tests; auto. rewrite (K s S), (K u U). reflexivity. }
      exact (nodup_map_inj fst es N s u S U F). }
    assert (D : total_if (fun s => inside M (fst s)) snd es =
      total_if (fun s => inside M (fst s)) (fun s => snd s - price_in b (column_of (snd p) (fst s))) es +
      total_if (fun s => inside M (fst s) && competes s)
        (fun s => price_in b (column_of (snd p) (fst s))) es).
    { unfold total_if. rewrite <- total_add. apply total_ext. intros s S. rewrite (C s S), andb_true_r.
      destruct (inside M (fst s)); lia. }
    destruct k as [|i [|]]; try discriminate; lia.
  - destruct k as [|i [|]]; try discriminate.
    (* the term of the pair alone *)
    assert (A : total_if (fun s => inside M (fst s)) snd es = total snd es).
    { apply total_ext. intros s S. specialize (P s S). specialize (K s S).
      destruct (fst s) as [|q [|]]; try discriminate. destruct P as [->|[]].
      cbn. rewrite H. reflexivity. }
    assert (B : total_if (fun s => inside M (fst s) && competes s)
        (fun s => price_in b (column_of (snd p) (fst s))) es = 0).
    { apply total_zero. intros s S. rewrite (C s S), andb_false_r. reflexivity. }
    lia.
Qed.

(** What a pair of the mapping gets from the terms inside is at most its worth. *)
Lemma worth_counts p its : holds M p = true -> (forall it, In it its -> fst it = p) ->
  (forall q t part, In (q, Share t part) its -> In q t /\ rising (map fst t) = true) ->
  NoDup (map fst (shares_of its)) -> (forall q c v, In (q, Local c v) its -> 0 <= v) ->
  total counts its <= worth (snd p) its.
Proof.
  intros H P R N L. rewrite counts_shares. unfold worth.
  set (ss := shares_of its) in *. set (b := local_prices its).
  assert (R' : forall s, In s ss -> In p (fst s) /\ rising (map fst (fst s)) = true).
  { intros s S. unfold ss, shares_of in S. apply in_flat_map in S as [[q [t part|c v]] [I S]].
    - destruct S as [<-|[]]. cbn. pose proof (P _ I) as E. cbn in E. subst q. exact (R _ _ _ I).
    - destruct S. }
  set (by_tests := fun s : list pair * Z => map fst (fst s)).
  set (c := fun s : list pair * Z => inside M (fst s) && competes s).
  set (price := fun s : list pair * Z => price_in b (column_of (snd p) (fst s))).
  assert (A : total_if (fun s => inside M (fst s)) snd ss <=
    total (row_worth (snd p) b) (group by_tests ss) + total_if c price ss).
  { unfold total_if. rewrite (group_total by_tests), (group_total by_tests _ ss), <- total_add.
    apply total_le. intros [k es] G. cbn [snd]. apply (row_counts p b k es H).
    - intros s S. apply R'. exact (group_within _ _ _ _ _ G S).
    - intros s S. exact (group_keys _ _ _ _ _ G S).
    - apply nodup_map; [exact (group_nodup _ _ _ _ (NoDup_map_inv _ _ N) G)|].
      intros x y X Y. apply (nodup_map_inj fst ss N); eapply group_within; eauto. }
  enough (B : total_if c price ss <= total snd b)
    by (etransitivity; [exact A|apply Zplus_le_compat_l, B]).
  rewrite <- total_filter. unfold price.
  rewrite <- (total_map (price_in b) (fun s => column_of (snd p) (fst s))).
  apply prices_cover.
  - apply nodup_map; [apply NoDup_filter, (NoDup_map_inv _ _ N)|].
    intros x y X Y E. apply filter_In in X as [X Cx], Y as [Y Cy].
    apply andb_prop in Cx as [Ix _], Cy as [Iy _]. apply (nodup_map_inj fst ss N x y X Y).
    destruct (R' x X), (R' y Y). apply (same_columns p); auto.
  - apply price_in_found.
  - intros [col v] I. cbn. apply local_prices_in in I as [q I]. exact (L _ _ _ I).
Qed.

(** * Leaves *)

Lemma share_items_total t : forall ps parts, length parts = length ps ->
  total counts (share_items t ps parts) = if inside M t then total (fun x => x) parts else 0.
Proof.
  induction ps as [|p ps IH]; destruct parts as [|part parts]; cbn [length]; try discriminate; intros L.
  - cbn. destruct (inside M t); reflexivity.
  - cbn [share_items total]. rewrite IH by lia. unfold counts at 1. cbn [snd].
    destruct (inside M t); lia.
Qed.

Lemma share_items_in t q u part : forall ps parts,
  In (q, Share u part) (share_items t ps parts) -> u = t /\ In q ps.
Proof.
  induction ps as [|p ps IH]; destruct parts as [|x parts]; cbn; try tauto.
  intros [E|I]; [injection E; intros; subst; auto|]. destruct (IH _ I). auto.
Qed.

Lemma share_items_no_local t q c v : forall ps parts, ~ In (q, Local c v) (share_items t ps parts).
Proof.
  induction ps as [|p ps IH]; destruct parts as [|x parts]; cbn; try tauto.
  intros [E|I]; [discriminate|]. exact (IH _ I).
Qed.

(** Which pairs get shares of which terms. *)
Definition owners (its : list (pair * item)) : list (pair * list pair) :=
  flat_map (fun it => match snd it with Share t _ => [(fst it, t)] | _ => [] end) its.

Lemma owners_app a b : owners (a ++ b) = owners a ++ owners b.
Proof. unfold owners. apply flat_map_app. Qed.

Lemma owners_permutation a b : Permutation a b -> Permutation (owners a) (owners b).
Proof. apply Permutation_flat_map. Qed.

Lemma owners_shares p its : (forall it, In it its -> fst it = p) -> NoDup (owners its) ->
  NoDup (map fst (shares_of its)).
Proof.
  intros P N. assert (E : map fst (shares_of its) = map snd (owners its)).
  { unfold shares_of, owners. clear. induction its as [|[q [t part|c v]] its IH]; cbn; congruence. }
  rewrite E. apply nodup_map; [exact N|]. intros [q t] [r u] A B F. cbn in F. subst u. f_equal.
  assert (W : forall q t, In (q, t) (owners its) -> q = p).
  { clear - P. intros q t I. apply in_flat_map in I as [[r [u part|c v]] [I J]]; cbn in J; [|tauto].
    destruct J as [J|[]]. injection J as <- <-. exact (P _ I). }
  rewrite (W _ _ A), (W _ _ B). reflexivity.
Qed.

Lemma owners_share_items t : forall ps parts q u,
  In (q, u) (owners (share_items t ps parts)) -> u = t /\ In q ps.
Proof.
  intros ps parts q u I. apply in_flat_map in I as [[r [w part|c v]] [I J]]; cbn in J; [|tauto].
  destruct J as [J|[]]. injection J as <- <-. exact (share_items_in _ _ _ _ _ _ I).
Qed.

Lemma owners_share_items_nodup t : forall ps parts, NoDup ps ->
  NoDup (owners (share_items t ps parts)).
Proof.
  induction ps as [|p ps IH]; destruct parts as [|x parts]; cbn; intros N; try constructor.
  - inversion_clear N as [|? ? X N']. intros I. apply X. exact (proj2 (owners_share_items _ _ _ _ _ I)).
  - inversion_clear N. auto.
Qed.

Section Leaf.
Variable l : leaf.
Variable ts : list (N * term).
Hypothesis Distinct : NoDup (map (fun t => fst (snd t)) ts).
Hypothesis InOrder : forall t, In t ts -> rising (map fst (fst (snd t))) = true.
Variable parts : N * term -> list Z.
Hypothesis Covered : forall t, In t ts -> covered l parts t = true.
Hypothesis LocalNonnegative : forall q, In q (local l) -> 0 <= snd q.

Let its := items l parts ts.

Lemma owners_items : NoDup (owners its).
Proof.
  unfold its, items. rewrite owners_app.
  assert (E : owners (map (fun '(p, column, price) => (p, Local column price)) (local l)) = []).
  { clear. induction (local l) as [|[[p c] v] m IH]; [reflexivity|exact IH]. }
  rewrite E, app_nil_r. clear - Distinct InOrder. induction ts as [|t us IH]; cbn; [constructor|].
  rewrite owners_app. cbn in Distinct. inversion_clear Distinct as [|? ? X N].
  assert (A : NoDup (owners (flat_map
      (fun t => share_items (fst (snd t)) (fst (snd t)) (parts t)) us))).
  { apply IH; [exact N|]. intros u U. apply InOrder. cbn. auto. }
  assert (B : NoDup (owners (share_items (fst (snd t)) (fst (snd t)) (parts t)))).
  { apply owners_share_items_nodup, (NoDup_map_inv fst), rising_nodup, InOrder. cbn. auto. }
  revert A B. apply nodup_join. intros [q u] I J. apply X.
  apply owners_share_items in I as [-> _].
  apply in_flat_map in J as [[r [w part|c v]] [J K]]; cbn in K; [|tauto]. destruct K as [K|[]].
  injection K as <- <-. apply in_flat_map in J as [t' [T J]]. apply share_items_in in J as [-> _].
  apply in_map_iff. exists t'. auto.
Qed.

Lemma items_share q t part : In (q, Share t part) its -> In q t /\ rising (map fst t) = true.
Proof.
  unfold its, items. rewrite in_app_iff. intros [I|I].
  - apply in_flat_map in I as [u [U I]]. apply share_items_in in I as [-> I]. auto.
  - apply in_map_iff in I as [[[r c] v] [E _]]. discriminate.
Qed.

Lemma items_local q c v : In (q, Local c v) its -> 0 <= v.
Proof.
  unfold its, items. rewrite in_app_iff. intros [I|I].
  - apply in_flat_map in I as [u [U I]]. apply share_items_no_local in I. tauto.
  - apply in_map_iff in I as [[[r d] w] [E I]]. injection E as -> -> ->.
    exact (LocalNonnegative _ I).
Qed.

Lemma score_items : denominator l * total_if (fun t => inside M (fst (snd t))) (fun t => snd (snd t)) ts
  <= total counts its.
Proof.
  unfold its, items, total_if. rewrite total_app, total_flat_map, <- total_mul.
  assert (E : total counts (map (fun '(p, column, price) => (p, Local column price)) (local l)) = 0).
  { rewrite total_map. apply total_zero. intros [[p c] v] _. reflexivity. }
  rewrite E, Z.add_0_r. apply total_le. intros [n [t w]] T.
  specialize (Covered _ T). unfold covered in Covered. cbn [fst snd] in *.
  apply andb_prop in Covered as [A B]. apply Nat.eqb_eq in A. apply Z.leb_le in B.
  rewrite share_items_total by exact A. destruct (inside M t); lia.
Qed.

Variable given : PositiveMap.t Z.
Let gains := flat_map (gain given) (group by_pair its).

(** Each group is of one pair. *)
Lemma group_of_pair k g : In (k, g) (group by_pair its) ->
  exists p, k = flat [p] /\ (forall it, In it g -> fst it = p) /\
    gain given (k, g) = [(p, worth (snd p) g - price_of given (snd p))].
Proof.
  intros G. destruct g as [|[p x] g].
  - exfalso. exact (group_filled _ _ _ _ G eq_refl).
  - exists p. split; [symmetry; exact (group_keys _ _ _ _ (p, x) G (or_introl eq_refl))|].
    split; [|reflexivity]. intros it I.
    pose proof (group_keys _ _ _ _ it G I) as E. pose proof (group_keys _ _ _ _ (p, x) G (or_introl eq_refl)) as F.
    rewrite <- F in E. apply flat_injective in E. cbn in E. congruence.
Qed.

Lemma gains_distinct : NoDup (map fst gains).
Proof.
  apply (NoDup_map_inv (fun p => flat [p])). rewrite map_map.
  pose proof (group_distinct by_pair its) as N.
  assert (E : map (fun g => flat [fst g]) gains = map fst (group by_pair its)).
  { unfold gains. pose proof group_of_pair as H. revert H.
    generalize (group by_pair its). clear.
    induction l as [|[k g] gs IH]; cbn [flat_map map]; intros H; [reflexivity|].
    rewrite map_app, IH by (intros; apply H; cbn; auto).
    destruct (H k g (or_introl eq_refl)) as (p & -> & _ & ->). reflexivity. }
  rewrite E. exact N.
Qed.

Lemma items_gains : total counts its <=
  total_if (fun g => holds M (fst g)) (fun g => snd g + price_of given (snd (fst g))) gains.
Proof.
  rewrite (group_total by_pair). unfold total_if, gains. rewrite total_flat_map.
  apply total_le. intros [k g] G. destruct (group_of_pair k g G) as (p & _ & P & ->).
  cbn [total fst snd]. rewrite Z.add_0_r. destruct (holds M p) eqn:H.
  - pose proof (worth_counts p g H P) as W.
    assert (total counts g <= worth (snd p) g); [|lia]. apply W.
    + intros q t part I. apply items_share with part. exact (group_within _ _ _ _ _ G I).
    + apply (owners_shares p g P).
      destruct (sort_spec by_pair its) as [_ S].
      apply in_split in G as (before & after & E).
      pose proof owners_items as N. apply (Permutation_NoDup (owners_permutation _ _ (Permutation_sym S))) in N.
      rewrite <- (runs_concat by_pair (sort by_pair its)) in N.
      unfold group in E. rewrite E in N.
      rewrite map_app, concat_app, owners_app in N. cbn [map concat snd] in N. rewrite owners_app in N.
      apply nodup_app in N as [_ N]. apply nodup_app in N as [N _]. exact N.
    + intros q c v I. apply items_local with q c. exact (group_within _ _ _ _ _ G I).
  - rewrite total_zero; [lia|]. intros [q [t part|c v]] I; unfold counts; cbn [snd]; [|reflexivity].
    destruct (inside M t) eqn:T; [|reflexivity]. exfalso.
    pose proof (P _ I) as E. cbn in E. subst q.
    destruct (items_share p t part (group_within _ _ _ _ _ G I)) as [Q _].
    rewrite (inside_holds _ _ T Q) in H. discriminate.
Qed.

Hypothesis PricesNonnegative : forall q, In q (prices l) -> 0 <= snd q.
Hypothesis Given : given = table (prices l).

(** The prices of the gold variables of a mapping are among all prices. *)
Lemma gains_prices :
  total_if (fun g => holds M (fst g)) (fun g => price_of given (snd (fst g))) gains
  <= total snd (prices l).
Proof.
  rewrite <- total_filter, <- (total_map (price_of given) (fun g => snd (fst g))).
  apply prices_cover; [| |exact PricesNonnegative].
  - apply nodup_map; [apply NoDup_filter, (NoDup_map_inv _ _ gains_distinct)|].
    intros x y X Y E. apply filter_In in X as [X Hx], Y as [Y Hy].
    apply (nodup_map_inj fst gains gains_distinct x y X Y).
    destruct x as [[i j] a], y as [[k n] b]. cbn in *. subst n.
    apply holds_spec in Hx, Hy. rewrite (O _ _ _ Hx Hy). reflexivity.
  - intros j. unfold price_of. rewrite Given.
    destruct (PositiveMap.find (N.succ_pos j) (table (prices l))) as [v|] eqn:F; [|auto].
    right. apply table_find, F.
Qed.

Let rs := group by_test gains.

(** One pair of each row at most is in the mapping. *)
Lemma row_gains k gs : In (k, gs) rs ->
  NoDup gs /\ forall x y, In x gs -> In y gs -> holds M (fst x) = true -> holds M (fst y) = true -> x = y.
Proof.
  intros R. split; [exact (group_nodup _ _ _ _ (NoDup_map_inv _ _ gains_distinct) R)|].
  intros x y X Y Hx Hy. apply (nodup_map_inj fst gains gains_distinct); [eapply group_within; eauto..|].
  pose proof (group_keys _ _ _ _ _ R X) as Kx. pose proof (group_keys _ _ _ _ _ R Y) as Ky.
  destruct x as [[i j] a], y as [[m n] b]. cbn in *. rewrite <- Kx in Ky. injection Ky as ->.
  apply holds_spec in Hx, Hy. rewrite Hx in Hy. injection Hy as ->. reflexivity.
Qed.

Lemma gains_rows : total_if (fun g => holds M (fst g)) snd gains =
  total (fun r => total_if (fun g => holds M (fst g)) snd (snd r)) rs.
Proof. unfold total_if. apply group_total. Qed.

Lemma rows_best : total_if (fun g => holds M (fst g)) snd gains <= total best rs.
Proof.
  rewrite gains_rows. apply total_le. intros [k gs] R. destruct (row_gains k gs R) as [N H].
  apply one_counts; auto.
Qed.

(** With a pair in the mapping, its gain stands for the best of its row. *)
Lemma rows_with k gs g : In (k, gs) rs -> In g gs -> holds M (fst g) = true ->
  total_if (fun g => holds M (fst g)) snd gains <= total best rs - best (k, gs) + snd g.
Proof.
  intros R G H. rewrite gains_rows.
  enough (E : total (fun r => total_if (fun g => holds M (fst g)) snd (snd r)) rs - snd g
    <= total best rs - best (k, gs)) by lia.
  destruct (in_split _ _ R) as (before & after & E). rewrite E, !total_app. cbn [total snd].
  assert (A : total_if (fun g => holds M (fst g)) snd gs <= snd g).
  { destruct (row_gains k gs R) as [N U]. apply in_split in G as (g1 & g2 & ->).
    unfold total_if. rewrite total_app. cbn [total]. rewrite H.
    assert (Z1 : forall x, In x (g1 ++ g2) -> holds M (fst x) = false).
    { intros x X. destruct (holds M (fst x)) eqn:Hx; [|reflexivity]. exfalso.
      apply NoDup_remove_2 in N. apply N.
      rewrite <- (U x g (in_longer _ _ _ _ X) (in_elt _ _ _) Hx H). exact X. }
    rewrite !total_zero; [lia| |]; intros x X; (rewrite Z1; [reflexivity|apply in_or_app; auto]). }
  assert (B : forall r, In r (before ++ after) ->
    total_if (fun g => holds M (fst g)) snd (snd r) <= best r).
  { intros [k' gs'] I. assert (R' : In (k', gs') rs).
    { rewrite E. exact (in_longer _ _ _ _ I). }
    destruct (row_gains k' gs' R') as [N U]. apply one_counts; auto. }
  pose proof (total_le _ best before (fun r I => B r (in_or_app _ _ _ (or_introl I)))).
  pose proof (total_le _ best after (fun r I => B r (in_or_app _ _ _ (or_intror I)))).
  cbn beta in *. lia.
Qed.

Lemma leaf_bound : denominator l * total_if (fun t => inside M (fst (snd t))) (fun t => snd (snd t)) ts
  <= total_if (fun g => holds M (fst g)) snd gains + total snd (prices l).
Proof.
  pose proof score_items. pose proof items_gains as I. pose proof gains_prices.
  assert (E : total_if (fun g => holds M (fst g)) (fun g => snd g + price_of given (snd (fst g))) gains =
    total_if (fun g => holds M (fst g)) snd gains +
    total_if (fun g => holds M (fst g)) (fun g => price_of given (snd (fst g))) gains).
  { unfold total_if. rewrite <- total_add. apply total_ext. intros g _. destruct (holds M (fst g)); lia. }
  rewrite E in I. clear E. lia.
Qed.
End Leaf.

(** What a mapping scores, of numbered terms. *)
Definition scored (ts : list (N * term)) : Z :=
  total_if (fun t => inside M (fst (snd t))) (fun t => snd (snd t)) ts.

Definition avoids (banned : pairs_set) : Prop := forall p, member banned p = true -> holds M p = false.

Section Proof.
Variable ts : list (N * term).
Hypothesis Distinct : NoDup (map (fun t => fst (snd t)) ts).
Hypothesis InOrder : forall t, In t ts -> rising (map fst (fst (snd t))) = true.

Lemma scored_live banned : avoids banned -> scored (live ts banned) = scored ts.
Proof.
  intros A. unfold scored, live. unfold total_if at 1. rewrite total_filter. unfold total_if.
  apply total_ext. intros t _.
  destruct (existsb (member banned) (fst (snd t))) eqn:E; cbn; [|reflexivity].
  destruct (inside M (fst (snd t))) eqn:I; [|reflexivity]. exfalso.
  apply existsb_exists in E as [p [P B]]. apply A in B.
  rewrite (inside_holds _ _ I P) in B. discriminate.
Qed.

(** A leaf bounds what a mapping scores; with a pair that it rules out, by what it says. *)
Lemma judge_bound l banned v : judge l ts banned = Some v -> avoids banned ->
  0 < denominator l /\ denominator l * scored ts <= most v /\
  forall enough p, In p (ruled_out l v enough) -> holds M p = true -> scored ts <= enough.
Proof.
  unfold judge. set (parts := parts_of l (table (shares l))).
  destruct (0 <? denominator l) eqn:D; cbn [andb]; [|discriminate].
  destruct (forallb (fun x => 0 <=? x) (map snd (prices l) ++ map snd (local l))) eqn:F;
    cbn [andb]; [|discriminate].
  destruct (forallb (covered l parts) (live ts banned)) eqn:C; [|discriminate].
  intros E A. apply Z.ltb_lt in D. split; [exact D|].
  rewrite forallb_forall in C, F.
  assert (P : forall q, In q (prices l) -> 0 <= snd q).
  { intros q Q. apply Z.leb_le, F, in_or_app. left. apply in_map, Q. }
  assert (L : forall q, In q (local l) -> 0 <= snd q).
  { intros q Q. apply Z.leb_le, F, in_or_app. right. apply in_map, Q. }
  assert (N : NoDup (map (fun t => fst (snd t)) (live ts banned))).
  { apply nodup_map; [apply NoDup_filter, (NoDup_map_inv _ _ Distinct)|].
    intros x y X Y. apply filter_In in X as [X _], Y as [Y _]. apply (nodup_map_inj _ _ Distinct); auto. }
  assert (R : forall t, In t (live ts banned) -> rising (map fst (fst (snd t))) = true).
  { intros t T. apply filter_In in T as [T _]. auto. }
  pose proof (leaf_bound l (live ts banned) N R parts C L (table (prices l)) P eq_refl) as B.
  fold (scored (live ts banned)) in B. rewrite (scored_live banned A) in B.
  injection E as <-. cbn [rows most]. split.
  - etransitivity; [exact B|]. apply Z.add_le_mono_r.
    apply (rows_best l (live ts banned) parts (table (prices l))).
  - intros enough p I H. unfold ruled_out in I. cbn [rows most] in I.
    apply in_flat_map in I as [[k gs] [K I]]. apply in_map_iff in I as [g [<- I]].
    apply filter_In in I as [G I]. apply Z.leb_le in I. etransitivity; [|exact I].
    apply Z.div_le_lower_bound; [exact D|]. etransitivity; [exact B|].
    pose proof (rows_with l (live ts banned) parts (table (prices l)) k gs g K G H). lia.
Qed.

End Proof.

(** * Cliques *)

Lemma rival_holds p q : rival p q = true -> holds M p = true -> holds M q = true -> False.
Proof.
  destruct p as [i j], q as [k n]. unfold rival. intros R H Q. apply holds_spec in H, Q. cbn in R.
  destruct (N.eqb_spec k i), (N.eqb_spec n j); cbn in R; try discriminate; subst.
  - congruence.
  - apply n0. exact (O _ _ _ Q H).
Qed.

Lemma exclude_inside s t : exclude s t = true -> inside M s = true -> inside M t = true -> False.
Proof.
  unfold exclude. intros E S T. apply existsb_exists in E as [p [P E]].
  apply existsb_exists in E as [q [Q E]].
  exact (rival_holds p q E (inside_holds _ _ S P) (inside_holds _ _ T Q)).
Qed.

(** Of a clique, no more than its multiplier is taken from what a mapping scores. *)
Lemma paid_least c : is_clique c = true -> - fst c <= score_of M (paid c).
Proof.
  destruct c as [k sets]. unfold is_clique, score_of, total_if, paid. cbn [fst snd].
  rewrite !andb_true_iff. intros [[[K _] _] E]. apply Z.leb_le in K. rewrite total_map. cbn [fst snd].
  induction sets as [|s sets IH]; cbn [total]; [lia|]. cbn [all_exclude] in E.
  apply andb_prop in E as [E F]. destruct (inside M s) eqn:S; [|exact (IH F)].
  rewrite total_zero; [lia|]. intros t T. destruct (inside M t) eqn:I; [|reflexivity]. exfalso.
  rewrite forallb_forall in E. exact (exclude_inside s t (E _ T) S I).
Qed.

Lemma reweighted_score cs each ts : forallb is_clique cs = true ->
  each * score_of M ts <= multipliers cs + score_of M (reweighted cs each ts).
Proof.
  intros C. unfold reweighted. rewrite in_one_score. unfold score_of at 2, total_if.
  rewrite total_app. fold (total_if (fun t => inside M (fst t)) snd (flat_map paid cs)).
  fold (score_of M (flat_map paid cs)).
  assert (A : total (fun t : term => if inside M (fst t) then snd t else 0)
      (map (fun t : term => (fst t, each * snd t)) ts) = each * score_of M ts).
  { rewrite total_map. unfold score_of, total_if. rewrite <- total_mul. apply total_ext.
    intros t _. cbn [fst snd]. destruct (inside M (fst t)); lia. }
  assert (B : - multipliers cs <= score_of M (flat_map paid cs)).
  { clear A. unfold score_of, total_if. rewrite total_flat_map. unfold multipliers.
    induction cs as [|c cs IH]; cbn [total]; [lia|]. cbn [forallb] in C.
    apply andb_prop in C as [C D]. specialize (IH D). pose proof (paid_least c C) as L.
    unfold score_of, total_if in L. lia. }
  lia.
Qed.

(** What proofs want of terms: no two are the same, and their pairs are in order. *)
Definition well_formed (ts : list (N * term)) : Prop :=
  NoDup (map (fun t => fst (snd t)) ts) /\ forall t, In t ts -> rising (map fst (fst (snd t))) = true.

Lemma numbered_terms n ts : map snd (numbered n ts) = ts.
Proof. revert n. induction ts as [|t ts IH]; intros n; cbn; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma scored_terms ts : scored ts = score_of M (map snd ts).
Proof. unfold scored, score_of, total_if. rewrite total_map. reflexivity. Qed.

Lemma numbered_well_formed n ts : NoDup (map fst ts) ->
  (forall t, In t ts -> rising (map fst (fst t)) = true) -> well_formed (numbered n ts).
Proof.
  intros D R. split.
  - rewrite <- map_map, numbered_terms. exact D.
  - intros t T. apply R. rewrite <- (numbered_terms n ts). apply in_map, T.
Qed.

Lemma reweighted_well_formed cs each ts : forallb is_clique cs = true -> well_formed ts ->
  well_formed (numbered 0 (reweighted cs each (map snd ts))).
Proof.
  intros C [_ R]. apply numbered_well_formed; [apply in_one_distinct|].
  intros t T. apply in_one_pairs in T as [e [I <-]]. apply in_app_or in I as [I|I].
  - apply in_map_iff in I as [u [<- U]]. apply in_map_iff in U as [v [<- V]]. exact (R v V).
  - apply in_flat_map in I as [c [K I]]. apply in_map_iff in I as [s [<- S]].
    rewrite forallb_forall in C. specialize (C c K). unfold is_clique in C.
    rewrite !andb_true_iff in C. destruct C as [[_ C] _]. rewrite forallb_forall in C.
    specialize (C s S). cbn [fst]. unfold is_set in C. destruct s; [discriminate|].
    apply andb_prop in C as [C _]. exact C.
Qed.

(** * Proofs *)

(** Whatever the proof: the score of a mapping that avoids banned pairs is no more than its bound. *)
Theorem bound_right pr : forall ts banned b, well_formed ts -> bound ts banned pr = Some b ->
  avoids banned -> scored ts <= b.
Proof.
  induction pr as [l|p w IHw o IHo|l enough rest IH|cs each rest IH]; cbn; intros ts banned b P E A.
  - destruct (judge l ts banned) as [v|] eqn:J; [|discriminate]. injection E as <-.
    destruct (judge_bound ts (proj1 P) (proj2 P) l banned v J A) as (D & B & _).
    apply Z.div_le_lower_bound; assumption.
  - destruct (bound ts (with_all (rivals p ts) banned) w) as [x|] eqn:X; [|discriminate].
    destruct (bound ts (with_one p banned) o) as [y|] eqn:Y; [|discriminate]. injection E as <-.
    destruct (holds M p) eqn:H.
    + enough (scored ts <= x) by lia. apply (IHw _ _ _ P X). intros q Q.
      apply member_with_all in Q as [Q|Q]; [|auto].
      unfold rivals in Q. apply in_flat_map in Q as [t [_ Q]]. apply filter_In in Q as [_ Q].
      destruct (holds M q) eqn:Hq; [|reflexivity]. exfalso. exact (rival_holds p q Q H Hq).
    + enough (scored ts <= y) by lia. apply (IHo _ _ _ P Y). intros q Q.
      apply member_with_one in Q as [<-|Q]; auto.
  - destruct (judge l ts banned) as [v|] eqn:J; [|discriminate].
    destruct (bound ts (with_all (ruled_out l v enough) banned) rest) as [x|] eqn:X; [|discriminate].
    injection E as <-. destruct (judge_bound ts (proj1 P) (proj2 P) l banned v J A) as (_ & _ & S).
    destruct (existsb (holds M) (ruled_out l v enough)) eqn:H.
    + apply existsb_exists in H as [p [R H]]. specialize (S _ p R H). lia.
    + enough (scored ts <= x) by lia. apply (IH _ _ _ P X). intros q Q.
      apply member_with_all in Q as [Q|Q]; [|auto].
      destruct (holds M q) eqn:Hq; [|reflexivity]. exfalso.
      apply not_true_iff_false in H. apply H, existsb_exists. exists q. auto.
  - destruct (are_rows cs each) eqn:W; [|discriminate]. unfold are_rows in W.
    rewrite !andb_true_iff in W. destruct W as [[U _] C]. apply Z.ltb_lt in U.
    destruct (bound (numbered 0 (reweighted cs each (map snd ts))) banned rest) as [x|] eqn:X;
      [|discriminate]. injection E as <-.
    pose proof (IH _ _ _ (reweighted_well_formed cs each ts C P) X A) as B.
    rewrite scored_terms, numbered_terms in B.
    pose proof (reweighted_score cs each (map snd ts) C) as S. rewrite <- scored_terms in S.
    apply Z.div_le_lower_bound; [exact U|]. lia.
Qed.
End Inside.

(** * The bound that a proof shows, no valid mapping exceeds. *)
Theorem proven_bound_right p pr b : proven_bound p pr = Some b ->
  forall M, valid p M -> score p M <= b.
Proof.
  unfold proven_bound. destruct (in_order (terms p)) eqn:R; [|discriminate].
  intros E M V. rewrite (terms_score p M V).
  rewrite <- (numbered_terms 0 (terms p)), <- scored_terms.
  apply (bound_right M (proj1 V)) with pr no_pairs; [|exact E|].
  - apply numbered_well_formed; [apply terms_distinct|]. unfold in_order in R.
    rewrite forallb_forall in R. exact R.
  - intros q. rewrite member_no_pairs. discriminate.
Qed.
