"""The formats of proofs for other checkers, into which certificates are translated."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, NamedTuple

ProofFormat = Literal["coq", "veripb", "veripb-1.1"]

_Object = dict[str, Any]


class Translation(NamedTuple):
    """A translation of certificates to proofs.

    translate: returns the texts for a pair and its certificate, by the extensions of their files.
    files: the files and what they hold, in a line of help.
    needs_theory: the proofs need the theory in the folder ``coq``.
    """

    translate: Callable[[_Object, _Object], Mapping[str, str]]
    files: str
    needs_theory: bool = False


def _theorem(pair: _Object, certificate: _Object) -> Mapping[str, str]:
    from exactmatch.certificate.coq_theorem import theorem

    return {".v": theorem(pair, certificate)}


def _cutting_planes(
    pair: _Object, certificate: _Object, version: Literal["1.1", "2.0"]
) -> Mapping[str, str]:
    from exactmatch.certificate.veripb.cutting_planes import translate

    found = translate(pair, certificate, version)
    return {".opb": found.formula, ".pbp": found.proof}


#: By the names of the formats. Their modules are imported when they are used.
TRANSLATIONS: Mapping[ProofFormat, Translation] = {
    "coq": Translation(
        _theorem, "pair_k.v: the graphs, and a theorem that coqc checks", needs_theory=True
    ),
    "veripb": Translation(
        partial(_cutting_planes, version="2.0"),
        "pair_k.opb, pair_k.pbp: a pseudo-Boolean problem, a proof that VeriPB checks",
    ),
    "veripb-1.1": Translation(
        partial(_cutting_planes, version="1.1"), "the same, for versions of VeriPB before 2.0"
    ),
}
