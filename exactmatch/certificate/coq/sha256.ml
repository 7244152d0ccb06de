(* SHA-256 (FIPS 180-4) of a string, as hexadecimal digits. *)
let mask = 0xFFFFFFFF

(* The first 32 bits of the fractional parts of a root of the first primes. *)
let primes count =
  let rec go found n =
    if List.length found = count then List.rev found
    else go (if List.exists (fun p -> n mod p = 0) found then found else n :: found) (n + 1)
  in
  go [] 2

let fraction power p =
  (* the largest r with r^power <= p * 2^(32 power), less its whole part *)
  let wanted = Z.shift_left (Z.of_int p) (32 * power) in
  let root = if power = 2 then Z.sqrt wanted else Z.root wanted 3 in
  Z.to_int (Z.logand root (Z.of_int mask))

let constants = Array.of_list (List.map (fraction 3) (primes 64))
let beginning = List.map (fraction 2) (primes 8)
let rotated x n = ((x lsr n) lor (x lsl (32 - n))) land mask

let padded text =
  let length = String.length text in
  let zeros = (119 - (length mod 64)) mod 64 in
  let size = Bytes.create 8 in
  Bytes.set_int64_be size 0 (Int64.of_int (8 * length));
  text ^ "\x80" ^ String.make zeros '\000' ^ Bytes.to_string size

let digest text =
  let text = padded text in
  let hash = Array.of_list beginning in
  let w = Array.make 64 0 in
  for block = 0 to (String.length text / 64) - 1 do
    for t = 0 to 15 do
      w.(t) <- Int32.to_int (String.get_int32_be text ((64 * block) + (4 * t))) land mask
    done;
    for t = 16 to 63 do
      let a = w.(t - 15) and b = w.(t - 2) in
      let s0 = rotated a 7 lxor rotated a 18 lxor (a lsr 3) in
      let s1 = rotated b 17 lxor rotated b 19 lxor (b lsr 10) in
      w.(t) <- (w.(t - 16) + s0 + w.(t - 7) + s1) land mask
    done;
    let v = Array.copy hash in
    for t = 0 to 63 do
      let a = v.(0) and e = v.(4) in
      let s1 = rotated e 6 lxor rotated e 11 lxor rotated e 25 in
      let choice = (e land v.(5)) lxor (lnot e land mask land v.(6)) in
      let one = v.(7) + s1 + choice + constants.(t) + w.(t) in
      let s0 = rotated a 2 lxor rotated a 13 lxor rotated a 22 in
      let majority = (a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2)) in
      Array.blit v 0 v 1 7;
      v.(4) <- (v.(4) + one) land mask;
      v.(0) <- (one + s0 + majority) land mask
    done;
    Array.iteri (fun k x -> hash.(k) <- (hash.(k) + x) land mask) v
  done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") hash))
