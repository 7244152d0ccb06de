"""Certificates of documents: the checker itself derives allowed pairs from sentences."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from nightly import day_share

import exactmatch
from exactmatch.certificate.checker import MALFORMED, VERIFIED, check, digest
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.comparison import compare

_Object = dict[str, Any]


def _document(rng: random.Random) -> str:
    """Return a document of four sentences with few concepts, so that several sentences fit."""
    sentences = [
        f":snt{n} (a{n} / {rng.choice('vwxyz')} :ARG0 (b{n} / {rng.choice('xyz')} :mod (c{n} / z)))"
        for n in range(1, 5)
    ]
    return f"(d / document {' '.join(sentences)} :topic a2)"


def certified(rule: str) -> Iterator[tuple[_Object, _Object]]:
    """Yield pairs and their certificates, where the best mapping of any variables is better."""
    rng = random.Random(8)
    metric = Smatch().with_choices(sentences=rule)
    while True:
        texts = _document(rng), _document(rng)
        best = exactmatch.best_mapping(*texts, metric=metric, certificates=True)
        if exactmatch.score(*texts).matched > best.matched:
            system, gold = (exactmatch.loads(text)[0] for text in texts)
            pair = compare(GraphPair(best.identifier, system, gold), metric).as_json("1")
            assert best.certificate is not None
            yield pair, json.loads(best.certificate)


def altered(pair: _Object, certificate: _Object) -> _Object:
    """Return a certificate that claims to be about *pair*."""
    return {**certificate, "digest": digest(pair)}


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["aligned", "aligned-docsmatch"])
def test_what_sentences_forbid_is_needed_by_the_proof(rule: str) -> None:
    for _, (pair, certificate) in zip(range(day_share(8)), certified(rule), strict=False):
        assert check(pair, certificate) == VERIFIED
        for side in ("test", "gold"):
            graph = pair[side]
            everywhere = [["root", "1", "2", "3", "4"] for _ in graph["keys"]]
            other = {**pair, side: {**graph, "keys": everywhere}}
            with pytest.raises(MALFORMED, match="another pair"):
                check(other, certificate)
            with pytest.raises(MALFORMED) as caught:
                check(other, altered(other, certificate))
            assert "another pair" not in str(caught.value)


def test_what_is_mapped_has_to_share_a_sentence() -> None:
    pair, certificate = next(certified("aligned"))
    keys = [["9"] if j is not None else k for j, k in mapped_with_keys(pair, certificate)]
    other = {**pair, "test": {**pair["test"], "keys": keys}}
    with pytest.raises(MALFORMED, match="a pair without a key in common"):
        check(other, altered(other, certificate))


def mapped_with_keys(pair: _Object, certificate: _Object) -> Iterator[tuple[int | None, list[str]]]:
    return zip(certificate["mapping"], pair["test"]["keys"], strict=True)


def test_without_keys_it_is_another_problem() -> None:
    pair, certificate = next(certified("aligned"))
    free = {**pair}
    for side in ("test", "gold"):
        free[side] = {name: value for name, value in pair[side].items() if name != "keys"}
    with pytest.raises(MALFORMED):
        check(free, altered(free, certificate))
