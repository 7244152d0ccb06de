(** Certificates, and the theorems about those that are accepted: of graphs whose variables are
    positions, and of graphs whose variables have names. *)
From Coq Require Import NArith ZArith String List Bool Lia.
From Exactmatch Require Import Statement Lists Terms Checker Soundness Counts Priced.
Import ListNotations.
Open Scope Z_scope.

(** What is shown that no mapping scores more: nothing, or that numbers of triples allow no more,
    with prices of gold variables or without, or a proof. *)
Inductive evidence := Nothing | Numbers (prices : option (list (variable * Z))) | Shown (pr : proof).

(** [images]: of each test variable, the gold variable that it is mapped to, or None. It is claimed
    that this mapping scores [value], and that none scores more than [upper]. *)
Record certificate := Certificate {
  images : list (option variable);
  value : Z;
  upper : Z;
  shown : evidence
}.

(** The pairs of a mapping that is listed from the variable [i] on. *)
Fixpoint pairs_from (i : variable) (images : list (option variable)) : list pair :=
  match images with
  | [] => []
  | Some j :: images => (i, j) :: pairs_from (N.succ i) images
  | None :: images => pairs_from (N.succ i) images
  end.

Fixpoint all_different (l : list N) : bool :=
  match l with [] => true | x :: l => negb (existsb (N.eqb x) l) && all_different l end.

Definition of_size {A} (n : N) (l : list A) : bool := N.eqb (N.of_nat (length l)) n.

(** Both graphs have keys for all variables, or neither has any. *)
Definition keys_fit (p : problem) : bool :=
  match keys (test p), keys (gold p) with
  | None, None => true
  | Some ks, Some ls => of_size (size (test p)) ks && of_size (size (gold p)) ls
  | _, _ => false
  end.

(** The mapping is one of the variables of the two graphs, one-to-one, and as keys allow. *)
Definition fits (p : problem) (images : list (option variable)) : bool :=
  let ps := pairs_from 0 images in
  keys_fit p && of_size (size (test p)) images
  && forallb (fun q => N.ltb (snd q) (size (gold p))) ps
  && all_different (map snd ps)
  && forallb (fun q => may_map p (fst q) (snd q)) ps.

(** The verdicts of checker.py; Refuted says that something claimed is not so, or is not shown. *)
Inductive outcome := Verified | Bounded | Unproven | Refuted.

(** The bound that evidence shows. *)
Definition shown_bound (p : problem) (e : evidence) : option Z :=
  match e with
  | Nothing => None
  | Numbers None => Some (counted_bound p)
  | Numbers (Some prices) => priced_bound p prices
  | Shown pr => proven_bound p pr
  end.

Definition check (p : problem) (c : certificate) : outcome :=
  if fits p (images c) && (score p (mapping_of (images c)) =? value c) && (value c <=? upper c) then
    match shown c with
    | Nothing => Unproven
    | e =>
        match shown_bound p e with
        | Some b => if b <=? upper c then if value c =? upper c then Verified else Bounded else Refuted
        | None => Refuted
        end
    end
  else Refuted.

(** * The theorem *)

Lemma pairs_from_spec images : forall i k j,
  In (k, j) (pairs_from i images) <->
  (i <= k)%N /\ nth_error images (N.to_nat (k - i)) = Some (Some j).
Proof.
  induction images as [|x images IH]; intros i k j.
  - cbn. split; [tauto|]. intros [_ E]. destruct (N.to_nat (k - i)); discriminate.
  - assert (S : (i < k)%N -> N.to_nat (k - i) = S (N.to_nat (k - N.succ i))) by lia.
    destruct x as [y|]; cbn [pairs_from In]; rewrite IH; split.
    + intros [E|[L E]].
      * injection E as <- <-. split; [lia|]. rewrite N.sub_diag. reflexivity.
      * split; [lia|]. rewrite S by lia. exact E.
    + intros [L E]. destruct (N.eq_dec k i) as [->|D].
      * rewrite N.sub_diag in E. injection E as ->. auto.
      * right. rewrite S in E by lia. split; [lia|exact E].
    + intros [L E]. split; [lia|]. rewrite S by lia. exact E.
    + intros [L E]. destruct (N.eq_dec k i) as [->|D].
      * rewrite N.sub_diag in E. discriminate.
      * rewrite S in E by lia. split; [lia|exact E].
Qed.

Lemma mapping_of_spec images i j : mapping_of images i = Some j <-> In (i, j) (pairs_from 0 images).
Proof.
  unfold mapping_of. rewrite pairs_from_spec, N.sub_0_r.
  destruct (nth_error images (N.to_nat i)) as [x|]; split; intros H.
  - subst. split; [lia|reflexivity].
  - destruct H as [_ H]. injection H as ->. reflexivity.
  - discriminate.
  - destruct H as [_ H]. discriminate.
Qed.

Lemma all_different_nodup l : all_different l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; cbn; intros H; constructor; apply andb_prop in H as [A B]; [|auto].
  intros I. apply negb_true_iff, not_true_iff_false in A. apply A, existsb_exists.
  exists x. rewrite N.eqb_refl. auto.
Qed.

Lemma fits_valid p images : fits p images = true -> valid p (mapping_of images).
Proof.
  unfold fits. rewrite !andb_true_iff. intros [[[_ _] D] K]. split.
  - intros i k j A B. apply mapping_of_spec in A, B. apply all_different_nodup in D.
    pose proof (nodup_map_inj snd _ D (i, j) (k, j) A B eq_refl) as E. congruence.
  - intros i j A. apply mapping_of_spec in A. rewrite forallb_forall in K. exact (K _ A).
Qed.

Lemma shown_bound_right p e b : shown_bound p e = Some b -> forall M, valid p M -> score p M <= b.
Proof.
  destruct e as [|[prices|]|pr]; cbn; intros E M V.
  - discriminate.
  - exact (priced_bound_right p prices b E M V).
  - injection E as <-. exact (counted_bound_right p M V).
  - exact (proven_bound_right p pr b E M V).
Qed.

(** What [check] has found to be so, if it accepts a certificate. *)
Lemma check_found p c o : check p c = o -> o = Verified \/ o = Bounded ->
  fits p (images c) = true /\ score p (mapping_of (images c)) = value c /\
  (exists b, shown_bound p (shown c) = Some b /\ b <= upper c) /\
  (o = Verified -> value c = upper c).
Proof.
  intros E A. unfold check in E.
  destruct (fits p (images c)); cbn [andb] in E; [|subst; destruct A; discriminate].
  destruct (Z.eqb_spec (score p (mapping_of (images c))) (value c)) as [S|S]; cbn [andb] in E;
    [|subst; destruct A; discriminate].
  destruct (value c <=? upper c); [|subst; destruct A; discriminate].
  repeat split; auto.
  - destruct (shown c) as [|prices|pr]; [subst; destruct A; discriminate| |];
      (destruct (shown_bound p _) as [b|]; [|subst; destruct A; discriminate]);
      exists b; split; auto; (destruct (Z.leb_spec b (upper c)); [assumption|]);
      subst; destruct A; discriminate.
  - intros ->. destruct (shown c) as [|prices|pr]; [discriminate| |];
      (destruct (shown_bound p _) as [b|]; [|discriminate]);
      (destruct (b <=? upper c); [|discriminate]);
      (destruct (Z.eqb_spec (value c) (upper c)); [assumption|discriminate]).
Qed.

(** What is accepted is right. *)
Theorem checked p c : check p c = Verified \/ check p c = Bounded ->
  right p (images c) (value c) (upper c).
Proof.
  intros A. destruct (check_found p c _ eq_refl A) as (F & S & (b & B & L) & _).
  split; [exact (fits_valid p _ F)|]. split; [exact S|].
  intros M V. pose proof (shown_bound_right p _ b B M V). lia.
Qed.

(** Of a verified one, the mapping is a best one. *)
Corollary verified_best p c : check p c = Verified ->
  right p (images c) (value c) (value c) /\
  forall M, valid p M -> score p M <= score p (mapping_of (images c)).
Proof.
  intros C. destruct (check_found p c _ C (or_introl eq_refl)) as (_ & S & _ & E).
  pose proof (checked p c (or_introl C)) as R. rewrite <- (E eq_refl) in R. split; [exact R|].
  rewrite S. apply R.
Qed.

(** * Graphs whose variables have names *)

From Exactmatch Require Import Named.

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
