(** Bounds from numbers of triples with prices of gold variables.

    A match hands its worth out to the pairs of its variables, the same to each. A pair (i, j) gets
    its part as the s-th one only from triples of a kind with i in the s-th place, matched to ones
    with j there: no more than these can match. So what a pair may get is known from how often
    triples occur in which its variables stand, by kind and place: the star of a variable. *)
From Coq Require Import NArith ZArith List Bool Lia Permutation.
From Exactmatch Require Import Statement Sums Grouping Terms Matching Counts.
Import ListNotations.
Open Scope Z_scope.

(** The variables of a triple, each once. *)
Definition places (v : list variable) : list variable := distinct N.eqb v.

(** Numbers from [n] on beside elements. *)
Fixpoint enumerated {A} (n : N) (l : list A) : list (N * A) :=
  match l with [] => [] | x :: l => (n, x) :: enumerated (N.succ n) l end.

(** That a variable stands in a triple: kind and place, what a match in it hands to each pair, and
    the triple and how often it occurs. *)
Record standing := Standing {
  who : variable;
  spot : key;
  share : Z;
  triple_of : list variable;
  often : Z
}.

Definition standings (share : Z) (k : N) (triples : counted_triples) : list standing :=
  flat_map (fun q =>
    map (fun si => Standing (snd si) [k; fst si] share (fst q) (snd q)) (enumerated 0 (places (fst q))))
  triples.

Lemma enumerated_fst {A} (l : list A) : forall n, NoDup (map fst (enumerated n l)).
Proof.
  induction l as [|x l IH]; cbn; intros n; constructor; [|apply IH].
  assert (H : forall m s, In s (map fst (enumerated m l)) -> (m <= s)%N).
  { clear. induction l as [|y l IH]; cbn; [tauto|]. intros m s [<-|I]; [lia|].
    apply IH in I. lia. }
  intros I. apply H in I. lia.
Qed.

(** Lists made of different things that can be told from their elements. *)
Lemma nodup_flat_map {A B C} (f : A -> list B) (of : A -> C) (back : B -> C) l :
  NoDup (map of l) -> (forall x y, In x l -> In y (f x) -> back y = of x) ->
  (forall x, In x l -> NoDup (f x)) -> NoDup (flat_map f l).
Proof.
  induction l as [|x l IH]; cbn; intros N H F; [constructor|]. inversion_clear N as [|? ? X N'].
  apply nodup_join; auto. intros y Y Z. apply X. apply in_flat_map in Z as [z [Z Z']].
  rewrite <- (H x y), (H z y); auto. apply in_map, Z.
Qed.

(** No triple is listed twice at one spot. *)
Definition told (a : standing) : key * list variable := (spot a, triple_of a).

Lemma standings_nodup s k triples : NoDup (map fst triples) -> NoDup (map told (standings s k triples)).
Proof.
  intros N. unfold standings. rewrite flat_map_concat_map, concat_map, map_map, <- flat_map_concat_map.
  apply (nodup_flat_map _ fst snd); [exact N| |].
  - intros q y _ I. rewrite map_map in I. apply in_map_iff in I as [si [<- _]]. reflexivity.
  - intros q _. rewrite map_map. apply nodup_map.
    + exact (NoDup_map_inv _ _ (enumerated_fst (places (fst q)) 0)).
    + intros [a i] [b j] I J E. cbn in E. injection E as ->.
      exact (nodup_map_inj fst _ (enumerated_fst (places (fst q)) 0) (b, i) (b, j) I J eq_refl).
Qed.

(** * Stars *)

(** How often the triples of each spot occur, most often first, and what a match there hands out. *)
Definition star := list (key * (Z * list Z)).

Definition times_falling (l : list standing) : list Z :=
  map often (rev (sort (fun a => [Z.to_N (often a)]) l)).

Definition handing (l : list standing) : Z := match l with a :: _ => share a | [] => 0 end.

Definition star_of (l : list standing) : star :=
  map (fun g => (fst g, (handing (snd g), times_falling (snd g)))) (group spot l).

Fixpoint times_at (k : key) (s : star) : list Z :=
  match s with
  | [] => []
  | (l, (_, ts)) :: s => if list_eqb N.eqb k l then ts else times_at k s
  end.

(** What a pair of variables with these stars gets at most. *)
Definition star_worth (d : duplicates) (s t : star) : Z :=
  total (fun e => fst (snd e) * zipped (credit d) (snd (snd e)) (times_at (fst e) t)) s.

(** All standings of the triples of one side. *)
Definition all_standings (side : kind -> counted_triples) (share : kind -> Z) (ks : list kind) :
  list standing :=
  flat_map (fun nk => standings (share (snd nk)) (fst nk) (side (snd nk))) (enumerated 0 ks).

Lemma total_at_least {A} (f : A -> Z) l x : In x l -> (forall y, In y l -> 0 <= f y) -> f x <= total f l.
Proof.
  induction l as [|y l IH]; cbn; [tauto|]. intros [->|I] P.
  - pose proof (total_nonnegative f l (fun z Z => P z (or_intror Z))). lia.
  - specialize (IH I (fun z Z => P z (or_intror Z))). pose proof (P y (or_introl eq_refl)). lia.
Qed.

Section Taken.
Variable M : mapping.
Hypothesis O : one_to_one M.

Lemma takes_places : forall v w, takes M v w = true -> takes M (places v) (places w) = true.
Proof.
  unfold places. induction v as [|i v IH]; destruct w as [|j w]; cbn; try congruence.
  destruct (M i) as [k|] eqn:E; [|discriminate]. rewrite andb_true_iff, N.eqb_eq. intros [-> T].
  assert (H : forall v w, takes M v w = true -> existsb (N.eqb i) v = existsb (N.eqb j) w).
  { clear - O E. induction v as [|x v IH]; destruct w as [|y w]; cbn; try congruence.
    destruct (M x) as [z|] eqn:F; [|discriminate]. rewrite andb_true_iff, N.eqb_eq. intros [-> T].
    rewrite (IH w T). f_equal. destruct (N.eqb_spec i x), (N.eqb_spec j y); try congruence.
    subst. exfalso. apply n. exact (O _ _ _ E F). }
  rewrite (H v w T). destruct (existsb (N.eqb j) w); [exact (IH w T)|].
  cbn. rewrite E, N.eqb_refl. exact (IH w T).
Qed.

(** A variable and its image stand in the same place. *)
Lemma takes_enumerated : forall v w n s i, takes M v w = true -> In (s, i) (enumerated n v) ->
  exists j, M i = Some j /\ In (s, j) (enumerated n w).
Proof.
  induction v as [|x v IH]; destruct w as [|y w]; cbn; try tauto; try congruence.
  intros n s i. destruct (M x) as [z|] eqn:E; [|discriminate]. rewrite andb_true_iff, N.eqb_eq.
  intros [-> T] [F|I]; [injection F as <- <-; eauto|].
  destruct (IH w _ _ _ T I) as (j & J & K). eauto.
Qed.

Variable d : duplicates.

(** What two standings hand to the pair of their variables. *)
Definition handed (a b : standing) : Z :=
  if holds M (who a, who b) && list_eqb N.eqb (spot a) (spot b) && takes M (triple_of a) (triple_of b)
  then share a * credit d (often a) (often b) else 0.

(** All that matches of a kind is handed out. *)
Lemma kind_handed s k (ts gs : counted_triples) : 0 <= s ->
  (forall q, In q ts -> 0 <= snd q) -> (forall q, In q gs -> 0 <= snd q) ->
  total (fun v => total (fun w => if takes M (fst v) (fst w)
    then Z.of_nat (length (places (fst v))) * s * credit d (snd v) (snd w) else 0) gs) ts
  <= total (fun a => total (handed a) (standings s k gs)) (standings s k ts).
Proof.
  intros S Pt Pg. unfold standings at 2. rewrite total_flat_map. apply total_le. intros v V.
  rewrite total_map.
  transitivity (total (fun w => total (fun si => total (handed
    (Standing (snd si) [k; fst si] s (fst v) (snd v)))
    (map (fun sj => Standing (snd sj) [k; fst sj] s (fst w) (snd w)) (enumerated 0 (places (fst w)))))
    (enumerated 0 (places (fst v)))) gs).
  - apply total_le. intros w W.
    assert (C : 0 <= credit d (snd v) (snd w)) by (apply credit_nonnegative; auto).
    assert (P : forall a b, share a = s -> often a = snd v -> often b = snd w -> 0 <= handed a b).
    { intros a b A B B'. unfold handed. rewrite A, B, B'. destruct (_ && _ && _); nia. }
    destruct (takes M (fst v) (fst w)) eqn:T.
    + pose proof (takes_places _ _ T) as T'.
      transitivity (total (fun _ : N * N => s * credit d (snd v) (snd w)) (enumerated 0 (places (fst v)))).
      * assert (L : forall (A : Type) c (l : list A) n,
          total (fun _ => c) (enumerated n l) = Z.of_nat (length l) * c).
        { clear. induction l as [|x l IH]; cbn [enumerated total length]; intros n; [reflexivity|].
          rewrite IH. lia. }
        rewrite L. lia.
      * apply total_le. intros [a i] I. cbn [fst snd].
        destruct (takes_enumerated _ _ _ _ _ T' I) as (j & J & K).
        transitivity (handed (Standing i [k; a] s (fst v) (snd v)) (Standing j [k; a] s (fst w) (snd w))).
        -- unfold handed. cbn [who spot triple_of share often].
           rewrite (proj2 (holds_spec M i j) J), T. cbn [list_eqb]. rewrite !N.eqb_refl. cbn. lia.
        -- apply (total_at_least (handed (Standing i [k; a] s (fst v) (snd v)))).
           ++ apply in_map_iff. exists (a, j). auto.
           ++ intros b B. apply in_map_iff in B as [sj [<- _]]. apply P; reflexivity.
    + apply total_nonnegative. intros si _. apply total_nonnegative. intros b B.
      apply in_map_iff in B as [sj [<- _]]. apply P; reflexivity.
  - assert (Swap : forall (A B : Type) (f : A -> B -> Z) (l : list A) (m : list B),
      total (fun x => total (fun y => f x y) m) l = total (fun y => total (fun x => f x y) l) m).
    { clear. induction l as [|x l IH]; cbn; intros m.
      - symmetry. apply total_zero. reflexivity.
      - rewrite IH, <- total_add. reflexivity. }
    rewrite Swap. apply total_le. intros si _. unfold standings. rewrite total_flat_map. lia.
Qed.

(** What the standings of a pair of variables hand to it, at one spot. *)
Lemma spot_handed i j k A B s :
  (forall a, In a A -> who a = i /\ spot a = k /\ share a = s /\ 0 <= often a) ->
  (forall b, In b B -> who b = j /\ spot b = k /\ 0 <= often b) ->
  NoDup (map told A) -> NoDup (map told B) -> 0 <= s ->
  total (fun a => total (handed a) B) A <= s * zipped (credit d) (times_falling A) (times_falling B).
Proof.
  intros HA HB NA NB S.
  destruct (sorted_falling often A (fun a I => proj2 (proj2 (proj2 (HA a I))))) as (FA & PA & QA).
  destruct (sorted_falling often B (fun b I => proj2 (proj2 (HB b I)))) as (FB & PB & QB).
  fold (times_falling A) in FA, PA. fold (times_falling B) in FB, PB.
  set (A' := rev (sort (fun a => [Z.to_N (often a)]) A)) in *.
  set (B' := rev (sort (fun b => [Z.to_N (often b)]) B)) in *.
  set (m := fun a b : standing => takes M (triple_of a) (triple_of b)).
  assert (L : matched d often often m A' B' <= zipped (credit d) (map often A') (map often B')).
  { apply matched_zipped; auto.
    - apply (Permutation_NoDup (Permutation_sym QA)), (NoDup_map_inv _ _ NA).
    - apply (Permutation_NoDup (Permutation_sym QB)), (NoDup_map_inv _ _ NB).
    - split.
      + intros v w u _ W U Tw Tu. apply (Permutation_in _ QB) in W, U.
        apply (nodup_map_inj told B NB w u W U). unfold told.
        rewrite (takes_one_image M _ _ _ Tw Tu). destruct (HB w W) as (_ & -> & _), (HB u U) as (_ & -> & _).
        reflexivity.
      + intros v u w V U _ Tv Tu. apply (Permutation_in _ QA) in V, U.
        apply (nodup_map_inj told A NA v u V U). unfold told.
        rewrite (takes_one_source M O _ _ _ Tv Tu). destruct (HA v V) as (_ & -> & _), (HA u U) as (_ & -> & _).
        reflexivity. }
  assert (E : matched d often often m A' B' = matched d often often m A B).
  { unfold matched. rewrite (total_permutation _ _ _ QA). apply total_ext. intros a _.
    apply total_permutation, QB. }
  assert (H : total (fun a => total (handed a) B) A <= s * matched d often often m A B).
  { unfold matched. rewrite <- total_mul. apply total_le. intros a Ia. rewrite <- total_mul.
    apply total_le. intros b Ib. destruct (HA a Ia) as (_ & _ & Sa & Oa), (HB b Ib) as (_ & _ & Ob).
    unfold handed, m. rewrite Sa. pose proof (credit_nonnegative d (often a) (often b) Oa Ob).
    destruct (takes M (triple_of a) (triple_of b)); rewrite ?andb_false_r; [|lia].
    destruct (_ && true); nia. }
  unfold times_falling. fold A' B'. nia.
Qed.

Lemma nodup_told_group k g l : NoDup (map told l) -> In (k, g) (group spot l) -> NoDup (map told g).
Proof.
  intros N G. apply nodup_map; [exact (group_nodup _ _ _ _ (NoDup_map_inv _ _ N) G)|].
  intros x y X Y. apply (nodup_map_inj told l N); eapply group_within; eauto.
Qed.

(** What the standings of a pair of variables hand to it is what their stars say, or less. *)
Lemma stars_handed i j A B :
  (forall a, In a A -> who a = i /\ 0 <= share a /\ 0 <= often a) ->
  (forall a a', In a A -> In a' A -> spot a = spot a' -> share a = share a') ->
  (forall b, In b B -> who b = j /\ 0 <= often b) ->
  NoDup (map told A) -> NoDup (map told B) ->
  total (fun a => total (handed a) B) A <= star_worth d (star_of A) (star_of B).
Proof.
  intros HA HS HB NA NB. set (t := star_of B). unfold star_worth, star_of. subst t.
  rewrite total_map, (group_total spot).
  apply total_le. intros [k g] G. cbn [fst snd].
  assert (Sg : forall a, In a g -> share a = handing g).
  { intros a Ia. destruct g as [|a' g]; [destruct Ia|]. cbn [handing].
    apply HS; [eapply group_within; eauto|eapply group_within; [exact G|left; reflexivity]|].
    rewrite (group_keys _ _ _ _ a G Ia). symmetry. exact (group_keys _ _ _ _ a' G (or_introl eq_refl)). }
  assert (S0 : 0 <= handing g).
  { destruct g as [|a' g]; cbn; [lia|]. apply HA. eapply group_within; [exact G|left; reflexivity]. }
  assert (Look : forall gs, (forall h, In h gs -> In h (group spot B)) -> NoDup (map fst gs) ->
    total (fun h => total (fun a => total (handed a) (snd h)) g) gs <=
    handing g * zipped (credit d) (times_falling g)
      (times_at k (map (fun h => (fst h, (handing (snd h), times_falling (snd h)))) gs))).
  { induction gs as [|[l h] gs IH]; intros I N.
    - cbn. destruct (times_falling g); cbn; lia.
    - cbn [map total fst snd times_at]. inversion_clear N as [|? ? X N'].
      destruct (list_eqb N.eqb k l) eqn:E.
      + apply (list_eqb_spec N.eqb N.eqb_eq) in E. subst l.
        rewrite (total_zero (fun h0 : key * list standing => total (fun a => total (handed a) (snd h0)) g) gs).
        * rewrite Z.add_0_r. pose proof (I (k, h) (or_introl eq_refl)) as H.
          apply (spot_handed i j k); auto.
          -- intros a Ia. destruct (HA a (group_within _ _ _ _ _ G Ia)) as (-> & _ & Oa).
             repeat split; auto. exact (group_keys _ _ _ _ a G Ia).
          -- intros b Ib. destruct (HB b (group_within _ _ _ _ _ H Ib)) as (-> & Ob).
             repeat split; auto. exact (group_keys _ _ _ _ b H Ib).
          -- exact (nodup_told_group _ _ _ NA G).
          -- exact (nodup_told_group _ _ _ NB H).
        * intros [l h'] J. cbn [snd]. apply total_zero. intros a Ia. apply total_zero. intros b Ib.
          unfold handed. rewrite (group_keys _ _ _ _ a G Ia), (group_keys _ _ _ _ b (I _ (or_intror J)) Ib).
          destruct (list_eqb N.eqb k l) eqn:E; [|rewrite andb_false_r; reflexivity].
          apply (list_eqb_spec N.eqb N.eqb_eq) in E. subst l. exfalso. apply X.
          apply (in_map fst) in J. exact J.
      + assert (Z0 : total (fun a => total (handed a) h) g = 0).
        { apply total_zero. intros a Ia. apply total_zero. intros b Ib. unfold handed.
          rewrite (group_keys _ _ _ _ a G Ia), (group_keys _ _ _ _ b (I _ (or_introl eq_refl)) Ib), E.
          rewrite andb_false_r. reflexivity. }
        rewrite Z0. apply IH; [intros x Ix; apply I; right; exact Ix|exact N']. }
  specialize (Look (group spot B) (fun h I => I) (group_distinct spot B)).
  assert (E : total (fun a => total (handed a) B) g =
    total (fun h => total (fun a => total (handed a) (snd h)) g) (group spot B)).
  { assert (Swap : forall (A B : Type) (f : A -> B -> Z) (l : list A) (m : list B),
      total (fun x => total (fun y => f x y) m) l = total (fun y => total (fun x => f x y) l) m).
    { clear. induction l as [|x l IH]; cbn; intros m.
      - symmetry. apply total_zero. reflexivity.
      - rewrite IH, <- total_add. reflexivity. }
    rewrite (Swap _ _ (fun (h : key * list standing) a => total (handed a) (snd h))).
    apply total_ext. intros a _. apply (group_total spot). }
  rewrite E. exact Look.
Qed.
End Taken.
