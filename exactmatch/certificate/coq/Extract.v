(** The checker as a program in OCaml, its numbers those of Zarith, of any size. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNativeString ExtrOcamlZBigInt.
From Exactmatch Require Import Certificate.

Extraction Language OCaml.
Extraction "checked.ml" check.
