(** Bounds from numbers of triples with prices of gold variables.

    A match hands its worth out to the pairs of its variables, the same to each. A pair (i, j) gets
    its part as the s-th one only from triples of a kind with i in the s-th place, matched to ones
    with j there: no more than these can match. So what a pair may get is known from how often
    triples occur in which its variables stand, by kind and place: the star of a variable. *)
From Coq Require Import NArith ZArith List Bool Lia Permutation FMapPositive.
From Exactmatch Require Import Statement Lists Terms Counts Checker Soundness.
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

(** * The bound by stars of variables and prices of gold variables *)

(** More pairs of classes of variables than this are refused. *)
Definition most_classes : N := 250000.

Definition by_who (a : standing) : key := [who a].

(** The numbers of a star in one list. *)
Definition flat_star (s : star) : key :=
  flat_map (fun e => fst e ++ Z.to_N (fst (snd e)) :: N.of_nat (length (snd (snd e)))
    :: map Z.to_N (snd (snd e))) s.

Definition star_eqb : star -> star -> bool :=
  list_eqb (fun a b => list_eqb N.eqb (fst a) (fst b) && Z.eqb (fst (snd a)) (fst (snd b))
    && list_eqb Z.eqb (snd (snd a)) (snd (snd b))).

(** What there is of variables, by their stars. *)
Definition classes {A} (l : list (star * A)) : list (star * list (star * A)) :=
  map (fun g => (match snd g with x :: _ => fst x | [] => [] end, snd g))
    (group (fun x => flat_star (fst x)) l).

(** All in a class have its star. *)
Definition alike {A} (cs : list (star * list (star * A))) : bool :=
  forallb (fun c => forallb (fun x => star_eqb (fst x) (fst c)) (snd c)) cs.

Definition cheapest (l : list Z) : Z :=
  match l with [] => 0 | x :: l => fold_right Z.min x l end.

(** How many variables the triples of a kind have: those of its first one. *)
Definition width (k : kind) : Z :=
  match tests k with q :: _ => Z.of_nat (length (places (fst q))) | [] => 1 end.

Definition common_multiple (ks : list kind) : Z := fold_right (fun k m => Z.lcm (width k) m) 1 ks.

Definition handed_by (m : Z) (k : kind) : Z := Z.max 0 (each k) * m / width k.

(** What all matches of a kind hand out is what they are worth. *)
Definition handed_out (m : Z) (k : kind) : bool :=
  (0 <=? handed_by m k) && forallb (fun q =>
    Z.max 0 (each k) * m <=? Z.of_nat (length (places (fst q))) * handed_by m k) (tests k).

Definition stars_of (l : list standing) : list (star * variable) :=
  flat_map (fun g => match snd g with a :: _ => [(star_of (snd g), who a)] | [] => [] end)
    (group by_who l).

(** The most that a variable of a star gets in any pair, less the price of the other. *)
Definition best_of (d : duplicates) (rights : list (star * Z)) (s : star) : Z :=
  largest (fun c => star_worth d s (fst c) - snd c) rights.

Definition priced_bound (p : problem) (prices : list (variable * Z)) : option Z :=
  let ks := kinds p in
  let m := common_multiple ks in
  let d := counted p in
  let price := price_of (table prices) in
  let lefts := classes (stars_of (all_standings tests (handed_by m) ks)) in
  let rights := classes (stars_of (all_standings golds (handed_by m) ks)) in
  let offers := map (fun c => (fst c, cheapest (map (fun x => price (snd x)) (snd c)))) rights in
  if (0 <? m) && forallb (handed_out m) ks && alike lefts && alike rights
    && forallb (fun q => (0 <=? snd q) && N.ltb (fst q) (size (gold p))) prices
    && N.leb (N.of_nat (length lefts) * N.of_nat (length rights)) most_classes
  then
    let all := total (fun c => Z.of_nat (length (snd c)) * best_of d offers (fst c)) lefts in
    Some (Z.min (counted_bound p) ((all + total snd prices) / m))
  else None.

(** * Why that is right *)

Lemma star_eqb_eq s t : star_eqb s t = true -> s = t.
Proof.
  apply list_eqb_spec. intros [k [a l]] [k' [a' l']]. cbn [fst snd].
  rewrite !andb_true_iff, Z.eqb_eq.
  rewrite (list_eqb_spec N.eqb N.eqb_eq), (list_eqb_spec Z.eqb Z.eqb_eq).
  split; [intros [[-> ->] ->]; reflexivity|]. intros E. injection E as -> -> ->. auto.
Qed.

Lemma cheapest_le l x : In x l -> cheapest l <= x.
Proof.
  destruct l as [|y l]; [intros []|]. cbn [cheapest].
  assert (H : fold_right Z.min y l <= y /\ forall z, In z l -> fold_right Z.min y l <= z).
  { induction l as [|z l [IHy IHl]]; cbn; [split; [lia|intros z []]|]. split; [lia|].
    intros u [<-|U]; [lia|]. specialize (IHl u U). lia. }
  destruct H as [Hy Hl]. intros [<-|I]; [exact Hy|exact (Hl x I)].
Qed.

Lemma classes_total {A} (f : star -> Z) (l : list (star * A)) : alike (classes l) = true ->
  total (fun x => f (fst x)) l = total (fun c => Z.of_nat (length (snd c)) * f (fst c)) (classes l).
Proof.
  intros H. rewrite (group_total (fun x => flat_star (fst x))). unfold classes in *.
  rewrite total_map. apply total_ext. intros [k g] G. cbn [fst snd].
  unfold alike in H. rewrite forallb_forall in H.
  specialize (H (match g with x :: _ => fst x | [] => [] end, g)
    (in_map (fun g => (match snd g with x :: _ => fst x | [] => [] end, snd g)) _ _ G)).
  cbn [fst snd] in H. rewrite forallb_forall in H.
  assert (E : forall s g, (forall x : star * A, In x g -> star_eqb (fst x) s = true) ->
    total (fun x => f (fst x)) g = Z.of_nat (length g) * f s).
  { clear. induction g as [|x g IH]; intros H; [reflexivity|]. cbn [total length].
    rewrite IH by (intros y Y; apply H; right; exact Y).
    rewrite (star_eqb_eq _ _ (H x (or_introl eq_refl))), Nat2Z.inj_succ, Z.mul_succ_l.
    apply Z.add_comm. }
  exact (E _ g H).
Qed.

Lemma classes_in {A} (l : list (star * A)) x : alike (classes l) = true -> In x l ->
  exists c, In c (classes l) /\ fst c = fst x /\ In x (snd c).
Proof.
  intros H I.
  destruct (sort_spec (fun x : star * A => flat_star (fst x)) l) as [_ P].
  apply (Permutation_in _ (Permutation_sym P)) in I.
  rewrite <- (runs_concat (fun x : star * A => flat_star (fst x))) in I.
  apply in_concat in I as [g [G I]]. apply in_map_iff in G as [[k g'] [E G]]. cbn in E. subst g'.
  set (c := (match g with x :: _ => fst x | [] => [] end, g)).
  assert (C : In c (classes l)).
  { unfold classes. apply in_map_iff. exists (k, g). split; [reflexivity|exact G]. }
  exists c. split; [exact C|]. split; [|exact I].
  unfold alike in H. rewrite forallb_forall in H. specialize (H c C). rewrite forallb_forall in H.
  symmetry. apply star_eqb_eq, (H x I).
Qed.

Lemma enumerated_snd {A} (l : list A) : forall n, map snd (enumerated n l) = l.
Proof. induction l as [|x l IH]; cbn; intros n; [reflexivity|]. rewrite IH. reflexivity. Qed.

Section Priced.
Variable p : problem.
Variable M : mapping.
Hypothesis V : valid p M.
Variable m : Z.
Hypothesis Positive : 0 < m.
Let ks := kinds p.
Let d := counted p.
Hypothesis Out : forall k, In k ks -> handed_out m k = true.
Let left := all_standings tests (handed_by m) ks.
Let right := all_standings golds (handed_by m) ks.

Lemma all_standings_in side a : In a (all_standings side (handed_by m) ks) ->
  exists n k q, In (n, k) (enumerated 0 ks) /\ In q (side k) /\ often a = snd q /\
    share a = handed_by m k /\ exists s, spot a = [n; s].
Proof.
  intros I. apply in_flat_map in I as [[n k] [N I]]. cbn [fst snd] in I.
  apply in_flat_map in I as [q [Q I]]. apply in_map_iff in I as [si [<- _]].
  exists n, k, q. repeat split; auto. exists (fst si). reflexivity.
Qed.

Lemma enumerated_kind n k : In (n, k) (enumerated 0 ks) -> In k ks.
Proof. intros I. rewrite <- (enumerated_snd ks 0). exact (in_map snd _ _ I). Qed.

Lemma share_nonnegative k : In k ks -> 0 <= handed_by m k.
Proof.
  intros K. specialize (Out k K). unfold handed_out in Out. apply andb_prop in Out as [H _].
  apply Z.leb_le, H.
Qed.

Lemma left_standing a : In a left -> 0 <= share a /\ 0 <= often a.
Proof.
  intros I. destruct (all_standings_in tests a I) as (n & k & q & N & Q & -> & -> & _).
  apply enumerated_kind in N. split; [apply share_nonnegative, N|].
  exact (proj1 (proj2 (proj2 (kinds_proper p k N))) q Q).
Qed.

Lemma right_standing b : In b right -> 0 <= often b.
Proof.
  intros I. destruct (all_standings_in golds b I) as (n & k & q & N & Q & -> & _ & _).
  apply enumerated_kind in N. exact (proj2 (proj2 (proj2 (kinds_proper p k N))) q Q).
Qed.

Lemma same_share side a b : In a (all_standings side (handed_by m) ks) ->
  In b (all_standings side (handed_by m) ks) -> spot a = spot b -> share a = share b.
Proof.
  intros A B E. destruct (all_standings_in side a A) as (n & k & _ & N & _ & _ & -> & s & S).
  destruct (all_standings_in side b B) as (n' & k' & _ & N' & _ & _ & -> & s' & S').
  rewrite S, S' in E. injection E as -> _.
  pose proof (nodup_map_inj fst _ (enumerated_fst ks 0) (n', k) (n', k') N N' eq_refl) as E.
  injection E as ->. reflexivity.
Qed.

Lemma all_told side : (forall k, In k ks -> NoDup (map fst (side k))) ->
  NoDup (map told (all_standings side (handed_by m) ks)).
Proof.
  intros P. unfold all_standings.
  rewrite flat_map_concat_map, concat_map, map_map, <- flat_map_concat_map.
  apply (nodup_flat_map _ fst (fun t : key * list variable => hd 0%N (fst t))); [apply enumerated_fst| |].
  - intros [n k] t _ I. apply in_map_iff in I as [a [<- I]]. apply in_flat_map in I as [q [_ I]].
    apply in_map_iff in I as [si [<- _]]. reflexivity.
  - intros [n k] I. apply standings_nodup, P. exact (enumerated_kind n k I).
Qed.

Lemma handed_nonnegative a b : In a left -> In b right -> 0 <= handed M d a b.
Proof.
  intros A B. destruct (left_standing a A). pose proof (right_standing b B).
  unfold handed. destruct (_ && _ && _); [|lia].
  pose proof (credit_nonnegative d (often a) (often b)). nia.
Qed.

(** What a mapping scores is handed out. *)
Lemma score_handed : m * score p M <= total (fun a => total (handed M d a) right) left.
Proof.
  transitivity (total (fun k => m * (Z.max 0 (each k) * taken M d k)) ks).
  { rewrite total_mul. apply Z.mul_le_mono_nonneg_l; [lia|]. exact (score_taken p M V). }
  rewrite <- (enumerated_snd ks 0) at 1. rewrite total_map.
  unfold left at 1, all_standings. rewrite total_flat_map. apply total_le. intros [n k] I.
  cbn [fst snd]. pose proof (enumerated_kind n k I) as K.
  destruct (kinds_proper p k K) as (_ & _ & Pt & Pg).
  pose proof (kind_handed M (proj1 V) d (handed_by m k) n (tests k) (golds k)
    (share_nonnegative k K) Pt Pg) as H.
  transitivity (total (fun a => total (handed M d a) (standings (handed_by m k) n (golds k)))
    (standings (handed_by m k) n (tests k))).
  - etransitivity; [|exact H]. unfold taken. rewrite Z.mul_assoc, <- total_mul. apply total_le.
    intros v Iv. rewrite <- total_mul. apply total_le. intros w Iw.
    destruct (takes M (fst v) (fst w)); [|lia].
    pose proof (credit_nonnegative d (snd v) (snd w) (Pt v Iv) (Pg w Iw)).
    specialize (Out k K). unfold handed_out in Out. apply andb_prop in Out as [_ F].
    rewrite forallb_forall in F. specialize (F v Iv). apply Z.leb_le in F. nia.
  - apply total_le. intros a Ia. unfold right, all_standings. rewrite total_flat_map.
    apply (total_at_least (fun nk => total (handed M d a)
      (standings (handed_by m (snd nk)) (fst nk) (golds (snd nk)))) (enumerated 0 ks) (n, k) I).
    intros [n' k'] I'. apply total_nonnegative. intros b Ib. apply handed_nonnegative.
    + unfold left, all_standings. apply in_flat_map. exists (n, k). auto.
    + unfold right, all_standings. apply in_flat_map. exists (n', k'). auto.
Qed.

Variable prices : list (variable * Z).
Hypothesis Prices : forall q, In q prices -> 0 <= snd q.
Let price := price_of (table prices).
Let lefts := classes (stars_of left).
Let rights := classes (stars_of right).
Let offers := map (fun c => (fst c, cheapest (map (fun x => price (snd x)) (snd c)))) rights.
Hypothesis Lefts : alike lefts = true.
Hypothesis Rights : alike rights = true.

Lemma price_nonnegative j : 0 <= price j.
Proof.
  unfold price, price_of. destruct (PositiveMap.find (N.succ_pos j) (table prices)) as [v|] eqn:E; [|lia].
  apply table_find in E. exact (Prices _ E).
Qed.

Lemma group_by_who l k A : In (k, A) (group by_who l) ->
  exists i, k = [i] /\ (forall a, In a A -> who a = i) /\ In (star_of A, i) (stars_of l).
Proof.
  intros G. destruct A as [|a A]; [exfalso; exact (group_filled _ _ _ _ G eq_refl)|].
  pose proof (group_keys _ _ _ _ a G (or_introl eq_refl)) as K. unfold by_who in K. subst k.
  exists (who a). split; [reflexivity|]. split.
  - intros b B. pose proof (group_keys _ _ _ _ b G B) as K. unfold by_who in K. congruence.
  - unfold stars_of. apply in_flat_map. exists ([who a], a :: A). split; [exact G|]. left. reflexivity.
Qed.

(** A pair of variables gets no more than the best of the one and the price of the other. *)
Lemma pair_best i j A B : In ([i], A) (group by_who left) -> In ([j], B) (group by_who right) ->
  total (fun a => total (handed M d a) B) A <= best_of d offers (star_of A) + price j.
Proof.
  intros GA GB.
  destruct (group_by_who left [i] A GA) as (i' & E & WA & _). injection E as <-.
  destruct (group_by_who right [j] B GB) as (j' & E & WB & SB). injection E as <-.
  transitivity (star_worth d (star_of A) (star_of B)).
  - apply (stars_handed M (proj1 V) d i j).
    + intros a Ia. exact (conj (WA a Ia) (left_standing a (group_within _ _ _ _ _ GA Ia))).
    + intros a a' Ia Ia'. apply (same_share tests); [exact (group_within _ _ _ _ _ GA Ia)|exact (group_within _ _ _ _ _ GA Ia')].
    + intros b Ib. exact (conj (WB b Ib) (right_standing b (group_within _ _ _ _ _ GB Ib))).
    + apply nodup_map; [apply (group_nodup by_who left [i]); [|exact GA]|].
      * apply (NoDup_map_inv told), all_told. intros k K. apply (kinds_proper p k K).
      * intros x y X Y. apply (nodup_map_inj told left); [|exact (group_within _ _ _ _ _ GA X)|exact (group_within _ _ _ _ _ GA Y)].
        apply all_told. intros k K. apply (kinds_proper p k K).
    + apply nodup_map; [apply (group_nodup by_who right [j]); [|exact GB]|].
      * apply (NoDup_map_inv told), all_told. intros k K. apply (kinds_proper p k K).
      * intros x y X Y. apply (nodup_map_inj told right); [|exact (group_within _ _ _ _ _ GB X)|exact (group_within _ _ _ _ _ GB Y)].
        apply all_told. intros k K. apply (kinds_proper p k K).
  - destruct (classes_in (stars_of right) (star_of B, j) Rights SB) as (c & C & F & I). cbn in F.
    assert (L : cheapest (map (fun x => price (snd x)) (snd c)) <= price j).
    { apply cheapest_le, in_map_iff. exists (star_of B, j). split; [reflexivity|exact I]. }
    pose proof (largest_le (fun o => star_worth d (star_of A) (fst o) - snd o) offers
      (fst c, cheapest (map (fun x => price (snd x)) (snd c)))) as H.
    assert (J : In (fst c, cheapest (map (fun x => price (snd x)) (snd c))) offers).
    { unfold offers. apply in_map_iff. exists c. split; [reflexivity|exact C]. }
    specialize (H J). cbn [fst snd] in H. rewrite F in H. unfold best_of. lia.
Qed.

(** What one variable hands out: to the pair with its image, and to no other. *)
Definition image_price (i : variable) : Z := match M i with Some j => price j | None => 0 end.

Lemma variable_best i A : In ([i], A) (group by_who left) ->
  total (fun a => total (handed M d a) right) A <= best_of d offers (star_of A) + image_price i.
Proof.
  intros GA. destruct (group_by_who left [i] A GA) as (i' & E & WA & _). injection E as <-.
  assert (Swap : total (fun a => total (handed M d a) right) A =
    total (fun g => total (fun a => total (handed M d a) (snd g)) A) (group by_who right)).
  { transitivity (total (fun a => total (fun g => total (handed M d a) (snd g)) (group by_who right)) A).
    - apply total_ext. intros a _. apply group_total.
    - generalize (group by_who right). clear. induction A as [|a A IH]; cbn; intros gs.
      + symmetry. apply total_zero. reflexivity.
      + rewrite IH, <- total_add. reflexivity. }
  rewrite Swap. clear Swap.
  assert (Z0 : forall j B, In ([j], B) (group by_who right) -> M i <> Some j ->
    total (fun a => total (handed M d a) B) A = 0).
  { intros j B GB N. destruct (group_by_who right [j] B GB) as (j' & E & WB & _). injection E as <-.
    apply total_zero. intros a Ia. apply total_zero. intros b Ib. unfold handed.
    rewrite (WA a Ia), (WB b Ib). destruct (holds M (i, j)) eqn:H; [|reflexivity].
    apply holds_spec in H. contradiction. }
  pose proof (largest_nonnegative (fun o => star_worth d (star_of A) (fst o) - snd o) offers) as P.
  fold (best_of d offers (star_of A)) in P.
  assert (Q : 0 <= image_price i).
  { unfold image_price. destruct (M i); [apply price_nonnegative|lia]. }
  assert (H : forall gs, (forall g, In g gs -> In g (group by_who right)) -> NoDup (map fst gs) ->
    total (fun g => total (fun a => total (handed M d a) (snd g)) A) gs <=
    best_of d offers (star_of A) + image_price i).
  { induction gs as [|[k B] gs IH]; intros I N; [cbn; lia|]. cbn [total snd].
    inversion_clear N as [|? ? X N']. pose proof (I _ (or_introl eq_refl)) as GB.
    destruct (group_by_who right k B GB) as (j & -> & _ & _).
    assert (D : M i = Some j \/ M i <> Some j).
    { destruct (M i) as [x|]; [|right; discriminate]. destruct (N.eq_dec x j); [left|right]; congruence. }
    destruct D as [E|E].
    - rewrite (total_zero (fun g : key * list standing =>
        total (fun a => total (handed M d a) (snd g)) A) gs).
      + rewrite Z.add_0_r. unfold image_price. rewrite E. apply (pair_best i j A B GA GB).
      + intros [k' B'] J. cbn [snd]. pose proof (I _ (or_intror J)) as GB'.
        destruct (group_by_who right k' B' GB') as (j' & -> & _ & _). apply (Z0 j' B' GB').
        intros E'. apply X. rewrite E in E'. injection E' as ->. exact (in_map fst _ _ J).
    - rewrite (Z0 j B GB E). apply IH; [intros g G; apply I; right; exact G|exact N']. }
  exact (H _ (fun _ G => G) (group_distinct by_who right)).
Qed.

(** The prices of the images of different variables are among all prices. *)
Lemma image_prices is : NoDup is -> total image_price is <= total snd prices.
Proof.
  intros N.
  set (js := flat_map (fun i => match M i with Some j => [j] | None => [] end) is).
  assert (E : total image_price is = total price js).
  { unfold js. rewrite total_flat_map. apply total_ext. intros i _. unfold image_price.
    destruct (M i); cbn; lia. }
  rewrite E. apply prices_cover; [| |exact Prices].
  - unfold js. clear E js. induction is as [|i is IH]; cbn; [constructor|].
    inversion_clear N as [|? ? X N']. destruct (M i) as [j|] eqn:E; [|apply IH; exact N'].
    cbn. constructor; [|apply IH; exact N']. intros I. apply in_flat_map in I as [i' [I' I]].
    destruct (M i') as [j'|] eqn:E'; [|destruct I]. destruct I as [->|[]].
    apply X. rewrite (proj1 V i i' j E E'). exact I'.
  - intros j. unfold price, price_of.
    destruct (PositiveMap.find (N.succ_pos j) (table prices)) as [v|] eqn:F; [|auto].
    right. apply table_find, F.
Qed.

Theorem priced_score : m * score p M <=
  total (fun c => Z.of_nat (length (snd c)) * best_of d offers (fst c)) lefts + total snd prices.
Proof.
  etransitivity; [exact score_handed|]. rewrite (group_total by_who).
  unfold lefts. rewrite <- (classes_total (best_of d offers) (stars_of left) Lefts).
  set (whos := map (fun g : key * list standing => hd 0%N (fst g)) (group by_who left)).
  transitivity (total (fun g : key * list standing =>
    best_of d offers (star_of (snd g)) + image_price (hd 0%N (fst g))) (group by_who left)).
  - apply total_le. intros [k A] G. cbn [fst snd].
    destruct (group_by_who left k A G) as (i & -> & _ & _). apply (variable_best i A G).
  - rewrite total_add.
    assert (E : total (fun g : key * list standing => best_of d offers (star_of (snd g))) (group by_who left)
      = total (fun x => best_of d offers (fst x)) (stars_of left)).
    { unfold stars_of. rewrite total_flat_map. apply total_ext. intros [k A] G. cbn [snd].
      destruct A as [|a A]; [exfalso; exact (group_filled _ _ _ _ G eq_refl)|]. cbn. lia. }
    rewrite E. apply Z.add_le_mono_l.
    rewrite <- (total_map image_price (fun g : key * list standing => hd 0%N (fst g))).
    apply image_prices. apply nodup_map.
    + exact (NoDup_map_inv fst _ (group_distinct by_who left)).
    + intros [k A] [l B] I J E'. cbn in E'.
      destruct (group_by_who left k A I) as (i & -> & _ & _).
      destruct (group_by_who left l B J) as (j & -> & _ & _). cbn in E'. subst j.
      exact (nodup_map_inj fst _ (group_distinct by_who left) ([i], A) ([i], B) I J eq_refl).
Qed.
End Priced.

(** As [injection] has it, which takes a second for large numbers: it computes them. *)
Lemma some_injective (x y : Z) : Some x = Some y -> x = y.
Proof. congruence. Qed.

Theorem priced_bound_right p prices b : priced_bound p prices = Some b ->
  forall M, valid p M -> score p M <= b.
Proof.
  unfold priced_bound. set (ks := kinds p). set (m := common_multiple ks).
  destruct (Z.ltb_spec 0 m) as [P|P]; cbn [andb]; [|discriminate].
  destruct (forallb (handed_out m) ks) eqn:Out; cbn [andb]; [|discriminate].
  destruct (alike _) eqn:Lefts at 1; cbn [andb]; [|discriminate].
  destruct (alike (classes (stars_of (all_standings golds (handed_by m) ks)))) eqn:Rights;
    cbn [andb]; [|discriminate].
  destruct (forallb (fun q => (0 <=? snd q) && N.ltb (fst q) (size (gold p))) prices) eqn:Prices;
    cbn [andb]; [|discriminate].
  destruct (N.leb _ _); [|discriminate]. intros E M V. apply some_injective in E. subst b.
  apply Z.min_glb; [exact (counted_bound_right p M V)|].
  apply Z.div_le_lower_bound; [exact P|].
  apply (priced_score p M V m P); auto.
  - rewrite forallb_forall in Out. exact Out.
  - rewrite forallb_forall in Prices. intros q Q. specialize (Prices q Q).
    apply andb_prop in Prices as [A _]. apply Z.leb_le, A.
Qed.
