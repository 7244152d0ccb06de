(** What is done to check a certificate. Why that is right is shown in Soundness.v. *)
From Coq Require Import NArith ZArith List Bool FMapPositive.
From Exactmatch Require Import Statement Lists Terms.
Import ListNotations.
Open Scope Z_scope.

(** * Certificates *)

(** Advice that bounds the score of all mappings, whatever its numbers are; all are integers.

    [shares]: of a term, by its number, a part of its weight for each of its pairs. [prices]: of gold
    variables. [local]: of a pair, and gold variables beside it. *)
Record leaf := Leaf {
  denominator : Z;
  shares : list (N * list Z);
  prices : list (variable * Z);
  local : list (pair * list variable * Z)
}.

(** Sets of pairs of which no mapping holds two, and what is taken from the weight of each. *)
Definition clique := (Z * list (list pair))%type.

(** A leaf; or two proofs, for mappings that hold a pair and for those that do not; or a leaf that
    rules out pairs, and a proof for mappings without these; or cliques, and a proof of what they
    leave of the score times [each]. *)
Inductive proof :=
| Bound (l : leaf)
| Split (p : pair) (with_pair without_pair : proof)
| Sieve (l : leaf) (enough : Z) (rest : proof)
| Rows (cliques : list clique) (each : Z) (rest : proof).

(** * Sets of banned pairs *)

Definition pairs_set := PositiveMap.t (PositiveMap.t unit).

Definition no_pairs : pairs_set := PositiveMap.empty _.

Definition row_of (i : variable) (s : pairs_set) : PositiveMap.t unit :=
  match PositiveMap.find (N.succ_pos i) s with Some r => r | None => PositiveMap.empty _ end.

Definition member (s : pairs_set) (p : pair) : bool :=
  match PositiveMap.find (N.succ_pos (snd p)) (row_of (fst p) s) with
  | Some _ => true
  | None => false
  end.

Definition with_one (p : pair) (s : pairs_set) : pairs_set :=
  PositiveMap.add (N.succ_pos (fst p))
    (PositiveMap.add (N.succ_pos (snd p)) tt (row_of (fst p) s)) s.

Definition with_all (ps : list pair) (s : pairs_set) : pairs_set := fold_right with_one s ps.

(** * Leaves *)

(** By numbers from 0, the last of what is listed for each. *)
Definition table {A} (l : list (N * A)) : PositiveMap.t A :=
  fold_left (fun m q => PositiveMap.add (N.succ_pos (fst q)) (snd q) m) l (PositiveMap.empty _).

(** Terms, each with its number. *)
Fixpoint numbered (n : N) (ts : list term) : list (N * term) :=
  match ts with [] => [] | t :: ts => (n, t) :: numbered (N.succ n) ts end.

(** What is handed out where no shares are given: as equal as can be, the first larger. *)
Fixpoint fair {A} (l : list A) (whole larger : Z) : list Z :=
  match l with
  | [] => []
  | _ :: l => (if 0 <? larger then whole + 1 else whole) :: fair l whole (larger - 1)
  end.

Definition parts_of (l : leaf) (given : PositiveMap.t (list Z)) (t : N * term) : list Z :=
  let '(n, (ps, weight)) := t in
  let number := Z.of_nat (length ps) in
  let equal := fair ps (denominator l * weight / number) (denominator l * weight mod number) in
  match PositiveMap.find (N.succ_pos n) given with
  | Some [] | None => equal
  | Some parts => parts
  end.

(** What a pair gets: a part of a term that holds it, or a local price of gold variables. *)
Inductive item :=
| Share (t : list pair) (part : Z)
| Local (column : list variable) (price : Z).

Fixpoint share_items (t ps : list pair) (parts : list Z) : list (pair * item) :=
  match ps, parts with
  | p :: ps, part :: parts => (p, Share t part) :: share_items t ps parts
  | _, _ => []
  end.

(** The parts of a term cover its weight, and there is one for each pair. *)
Definition covered (l : leaf) (parts : N * term -> list Z) (t : N * term) : bool :=
  Nat.eqb (length (parts t)) (length (fst (snd t)))
  && (denominator l * snd (snd t) <=? total (fun x => x) (parts t)).

Definition items (l : leaf) (parts : N * term -> list Z) (live : list (N * term)) :
  list (pair * item) :=
  flat_map (fun t => share_items (fst (snd t)) (fst (snd t)) (parts t)) live
  ++ map (fun '(p, column, price) => (p, Local column price)) (local l).

(** The other gold variables of a term that holds a pair of [j]. *)
Definition column_of (j : variable) (t : list pair) : list variable :=
  sort (fun k => [k]) (filter (fun k => negb (N.eqb k j)) (map snd t)).

Definition shares_of (its : list (pair * item)) : list (list pair * Z) :=
  flat_map (fun it => match snd it with Share t part => [(t, part)] | _ => [] end) its.

(** The last local price of each column. *)
Fixpoint local_prices (its : list (pair * item)) : list (list variable * Z) :=
  match its with
  | [] => []
  | (_, Local column price) :: its =>
      let rest := local_prices its in
      if existsb (fun q => same_variables column (fst q)) rest then rest else (column, price) :: rest
  | _ :: its => local_prices its
  end.

Fixpoint price_in (prices : list (list variable * Z)) (column : list variable) : Z :=
  match prices with
  | [] => 0
  | (c, price) :: rest => if same_variables column c then price else price_in rest column
  end.

(** What a pair may be worth. Of the terms with the same test variables, one counts at most; they
    compete by their shares less the prices of their columns. *)
Definition row_worth (j : variable) (b : list (list variable * Z)) (row : key * list (list pair * Z)) : Z :=
  match fst row with
  | [_] => total snd (snd row)
  | _ => largest (fun s => snd s - price_in b (column_of j (fst s))) (snd row)
  end.

Definition worth (j : variable) (its : list (pair * item)) : Z :=
  let b := local_prices its in
  total (row_worth j b) (group (fun s => map fst (fst s)) (shares_of its)) + total snd b.

Definition price_of (given : PositiveMap.t Z) (j : variable) : Z :=
  match PositiveMap.find (N.succ_pos j) given with Some v => v | None => 0 end.

(** Each pair with what it is worth, less the price of its gold variable. *)
Definition gain (given : PositiveMap.t Z) (g : key * list (pair * item)) : list (pair * Z) :=
  match snd g with
  | (p, _) :: _ => [(p, worth (snd p) (snd g) - price_of given (snd p))]
  | [] => []
  end.

Definition best (row : key * list (pair * Z)) : Z := largest snd (snd row).

(** What a leaf says: the gains by test variable, and a bound of the score times the denominator. *)
Record verdict := Verdict { rows : list (key * list (pair * Z)); most : Z }.

Definition by_pair (it : pair * item) : key := flat [fst it].
Definition by_test (g : pair * Z) : key := [fst (fst g)].

Definition live (ts : list (N * term)) (banned : pairs_set) : list (N * term) :=
  filter (fun t => negb (existsb (member banned) (fst (snd t)))) ts.

Definition judge (l : leaf) (ts : list (N * term)) (banned : pairs_set) : option verdict :=
  let ts := live ts banned in
  let parts := parts_of l (table (shares l)) in
  let nonnegative := forallb (fun x => 0 <=? x) (map snd (prices l) ++ map snd (local l)) in
  if (0 <? denominator l) && nonnegative && forallb (covered l parts) ts then
    let given := table (prices l) in
    let gains := flat_map (gain given) (group by_pair (items l parts ts)) in
    let rows := group by_test gains in
    Some (Verdict rows (total best rows + total snd (prices l)))
  else None.

(** Numbers rise from each to the next. *)
Fixpoint rising (l : list N) : bool :=
  match l with
  | x :: l' => match l' with y :: _ => N.ltb x y | [] => true end && rising l'
  | [] => true
  end.

(** * Cliques *)

(** Whether two pairs share one variable, and just one: no mapping holds both. *)
Definition rival (p q : pair) : bool := xorb (N.eqb (fst q) (fst p)) (N.eqb (snd q) (snd p)).

Definition exclude (s t : list pair) : bool := existsb (fun p => existsb (rival p) t) s.

Fixpoint all_exclude (sets : list (list pair)) : bool :=
  match sets with [] => true | s :: sets => forallb (exclude s) sets && all_exclude sets end.

(** Pairs in order, one-to-one, and one at least. *)
Definition is_set (s : list pair) : bool :=
  match s with [] => false | _ => rising (map fst s) && consistent s end.

Definition size_of (sets : list (list pair)) : Z := total (fun s => Z.of_nat (length s)) sets.

(** Larger ones would take too long. *)
Definition most_pairs : Z := 1000.
Definition largest_each : Z := 1000000000.

Definition is_clique (c : clique) : bool :=
  (0 <=? fst c) && (size_of (snd c) <=? most_pairs) && forallb is_set (snd c) && all_exclude (snd c).

Definition multipliers (cs : list clique) : Z := total fst cs.

(** The terms that cliques leave, of which some may weigh less than nothing. *)
Definition paid (c : clique) : list term := map (fun s => (s, - fst c)) (snd c).
Definition reweighted (cs : list clique) (each : Z) (ts : list term) : list term :=
  in_one (map (fun t => (fst t, each * snd t)) ts ++ flat_map paid cs).

Definition are_rows (cs : list clique) (each : Z) : bool :=
  (0 <? each) && (each <=? largest_each) && forallb is_clique cs.

(** * Proofs *)

(** The pairs that a leaf rules out: no mapping with one of them scores more than [enough]. *)
Definition ruled_out (l : leaf) (v : verdict) (enough : Z) : list pair :=
  flat_map (fun row =>
    map fst (filter (fun g => (most v - best row + snd g) / denominator l <=? enough) (snd row)))
  (rows v).

(** The pairs that share one variable with [p], and just one. *)
Definition rivals (p : pair) (ts : list (N * term)) : list pair :=
  flat_map (fun t => filter (rival p) (fst (snd t))) ts.

(** A bound of the score of all mappings without banned pairs; None if the proof shows none. *)
Fixpoint bound (ts : list (N * term)) (banned : pairs_set) (pr : proof) : option Z :=
  match pr with
  | Bound l => option_map (fun v => most v / denominator l) (judge l ts banned)
  | Split p w o =>
      match bound ts (with_all (rivals p ts) banned) w, bound ts (with_one p banned) o with
      | Some a, Some b => Some (Z.max a b)
      | _, _ => None
      end
  | Sieve l enough rest =>
      match judge l ts banned with
      | Some v => option_map (Z.max enough) (bound ts (with_all (ruled_out l v enough) banned) rest)
      | None => None
      end
  | Rows cs each rest =>
      if are_rows cs each then
        option_map (fun b => (multipliers cs + b) / each)
          (bound (numbered 0 (reweighted cs each (map snd ts))) banned rest)
      else None
  end.

(** Terms as proofs take them: the pairs of each in the order of their test variables. *)
Definition in_order (ts : list term) : bool := forallb (fun t => rising (map fst (fst t))) ts.

Definition proven_bound (p : problem) (pr : proof) : option Z :=
  let ts := terms p in
  if in_order ts then bound (numbered 0 ts) no_pairs pr else None.
