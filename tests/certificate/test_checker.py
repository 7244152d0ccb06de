"""The checker of certificates: its verdicts on a true, a changed and an absent example."""

import json
from typing import Any

import pytest
from certificate_samples import (
    CERTIFICATE,
    PAIR,
    TERMS,
    TRIANGLE,
    TRIANGLE_CERTIFICATE,
    TRIANGLE_PROOF,
    TRIANGLE_SETS,
)

from exactmatch.certificate.checker import (
    LARGEST_UNIT,
    MALFORMED,
    MOST_PAIRS,
    bound,
    check,
    check_all,
    digest,
    parse,
    terms,
)


def verdicts(pairs: list[Any], *certificates: Any) -> list[tuple[str, str, str]]:
    lines = [c if isinstance(c, bytes) else json.dumps(c).encode() for c in certificates]
    return list(check_all(pairs, lines))


def verdict(**changes: Any) -> tuple[str, str]:
    """Return verdict and reason of the example's certificate with *changes*."""
    _, found, reason = verdicts([PAIR], {**CERTIFICATE, **changes})[0]
    return found, reason


class TestExample:
    def test_the_terms_of_a_pair_are_those_of_the_definition(self) -> None:
        assert terms(PAIR) == TERMS

    def test_digest_is_what_anyone_computes(self) -> None:
        # printf and sha256sum say so.
        assert digest(PAIR) == (
            "sha256:d30245be0c1b0872e1261cfadce78d82b85748614fb973f1d57308bd4167d031"
        )

    def test_a_certificate_that_shows_the_optimum_is_verified(self) -> None:
        assert check(PAIR, CERTIFICATE) == "verified"

    @pytest.mark.parametrize(
        ("leaf", "expected"),
        [
            ({"denominator": 2}, 6 // 2),
            # The odd share goes to (0, 0): worths 1 + 1, 1, 1.
            ({"denominator": 1}, 3),
            # Nothing at (1, 1): worths 2 + 2 and 2 and 2.
            ({"denominator": 2, "shares": {"1": [2, 0]}}, 6 // 2),
            # More than there is to divide: worths 2 + 4 and 2 + 1.
            ({"denominator": 2, "shares": {"1": [4, 1]}}, 9 // 2),
            # 5 for gold variable 1 leaves the largest of 3 - 5 and 2 for test variable 1.
            ({"denominator": 2, "prices": {"1": 5}}, (3 + 2 + 5) // 2),
            # At (0, 0), column {1} costs 1: 2 + (1 - 1) + 1. At (1, 1), {0} costs 3: 2 + 0 + 3.
            ({"denominator": 2, "local": [[0, 0, [1], 1]]}, (3 + 3) // 2),
            ({"denominator": 2, "local": [[1, 1, [0], 3]]}, (3 + 5) // 2),
            # With (1, 2): worth 2 + 2. Without: 3 + 3.
            ({"pair": [1, 2], "with": {"denominator": 1}, "without": {"denominator": 1}}, 3),
            ({"pair": [1, 1], "with": {"denominator": 9}, "without": {"denominator": 1}}, 3),
        ],
    )
    def test_a_leaf_shows_the_bound_of_its_shares(self, leaf: Any, expected: int) -> None:
        assert bound(TERMS, leaf) == expected

    def test_banned_pairs_lower_a_bound(self) -> None:
        assert bound(TERMS, {"denominator": 1}, frozenset({(1, 1)})) == 2
        assert bound(TERMS, {"denominator": 1}, frozenset({(0, 0), (1, 1)})) == 1

    def test_what_has_no_proof_is_unproven(self) -> None:
        assert verdict(proof="none")[0] == "unproven"
        assert verdict(proof="none", upper=4)[0] == "unproven"

    def test_a_certificate_that_leaves_a_gap_is_bounded(self) -> None:
        reason = "the best mapping scores between {} and {}: gap {}"
        assert verdict(upper=5) == ("bounded", reason.format(3, 5, 2))
        assert verdict(mapping=[0, 2], value=2) == ("bounded", reason.format(2, 3, 1))


class TestRefuted:
    @pytest.mark.parametrize(
        "changes",
        [
            {"schema": 0},
            {"schema": 3},
            {"profile": "other"},
            {"digest": "sha256:" + 64 * "0"},
            {"mapping": [0]},
            {"mapping": [0, 1, None]},
            {"mapping": [0, 3]},
            {"mapping": [0, -1]},
            {"mapping": [0, 0]},
            {"mapping": [0, "1"]},
            {"mapping": [0, 1.0]},
            {"mapping": [0, [1]]},
            {"mapping": None},
            {"mapping": [0, 2]},
            # These score what they say, but are no mappings of these variables.
            {"mapping": [0], "value": 1},
            {"mapping": [0, None, None], "value": 1},
            {"mapping": [0, 3], "value": 1},
            {"mapping": [0, -1], "value": 1},
            {"mapping": [0, 0], "value": 1},
            {"value": 2},
            {"value": 4, "upper": 4},
            {"value": 3.0},
            {"value": "3"},
            {"upper": 2},
            {"upper": 2, "proof": "none"},
            {"upper": 3.0},
            {"upper": None},
            {"proof": None},
            {"proof": "pair"},
            {"proof": []},
            {"proof": {}},
            {"proof": {"denominator": 0}},
            {"proof": {"denominator": -1}},
            {"proof": {"denominator": 2.0}},
            {"proof": {"denominator": 2, "shares": {"1": [1, 0]}}},
            {"proof": {"denominator": 2, "shares": {"1": [2]}}},
            {"proof": {"denominator": 2, "shares": {"1": [2, 0, 0]}}},
            {"proof": {"denominator": 2, "shares": {"1": [2.0, 0]}}},
            {"proof": {"denominator": 2, "shares": {"1": 2}}},
            {"proof": {"denominator": 2, "shares": [[1, 1]]}},
            {"proof": {"denominator": 2, "prices": {"0": -1}}},
            {"proof": {"denominator": 2, "prices": {"0": 0.0}}},
            {"proof": {"denominator": 2, "prices": {"zero": 0}}},
            {"proof": {"denominator": 2, "local": [[0, 0, [1], -1]]}},
            {"proof": {"denominator": 2, "local": [[0, 0, [1]]]}},
            {"proof": {"denominator": 2, "local": [[0, 0, 1, 1]]}},
            {"proof": {"denominator": 2, "prices": {"1": 9}}},
            {"proof": {"denominator": 2, "shares": {"1": [4, 1]}}},
            {"proof": {"pair": [0, 0], "with": {"denominator": 2}}},
            {"proof": {"pair": [0], "with": {"denominator": 2}, "without": {"denominator": 2}}},
            {"proof": {"pair": [0, 0], "with": {"denominator": 0}, "without": {"denominator": 2}}},
            {"proof": {"pair": [0, 0], "with": {"denominator": 2}, "without": {"denominator": 0}}},
        ],
    )
    def test_a_changed_certificate_is_refuted(self, changes: dict[str, Any]) -> None:
        found, reason = verdict(**changes)
        assert found == "refuted"
        assert reason

    def test_value_above_what_the_proof_shows(self) -> None:
        # The mapping and the value are right: only the proof says less than it should.
        weak = {"denominator": 2, "prices": {"1": 5}}
        assert verdict(proof=weak) == ("refuted", "the proof shows a bound of 5, not 3")
        assert verdict(proof=weak, upper=5)[0] == "bounded"

    @pytest.mark.parametrize("key", sorted(CERTIFICATE))
    def test_a_certificate_that_lacks_a_key_is_refuted(self, key: str) -> None:
        rest = {name: value for name, value in CERTIFICATE.items() if name != key}
        assert "refuted" in [found for _, found, _ in verdicts([PAIR], rest)]

    @pytest.mark.parametrize(
        "text",
        [
            b"",
            b"3",
            b"[]",
            b"{",
            b"\xff",
            b'{"id": "\xed\xa0\x80"}',
            b'{"id": "p", "value": ' + 5000 * b"9" + b"}",
            b'{"id": "p", "value": ' + 100_000 * b"[",
            b'{"id": "p", "proof": ' + 100_000 * b'{"with":',
            '{"id": "p"}'.encode("utf-16"),
        ],
    )
    def test_a_line_that_is_not_readable_is_refuted(self, text: bytes) -> None:
        with pytest.raises(MALFORMED):
            parse(text)
        found = verdicts([PAIR], text, CERTIFICATE)
        assert sorted(entry[1] for entry in found) == ["refuted", "verified"]

    def test_proofs_may_be_deep(self) -> None:
        proof: Any = {"denominator": 2}
        for _ in range(100_000):
            proof = {"pair": [0, 0], "with": proof, "without": {"denominator": 2}}
        try:
            assert check(PAIR, {**CERTIFICATE, "proof": proof}) == "verified"
        except MALFORMED:
            pass  # a checker may have its limits
        finally:
            while "with" in proof:  # or Python itself would go as deep to free it
                proof = proof["with"]


def of_triangle(**changes: Any) -> tuple[str, str]:
    """Return verdict and reason of the triangle's certificate with a proof with *changes*."""
    certificate = {**TRIANGLE_CERTIFICATE, "proof": {**TRIANGLE_PROOF, **changes}}
    _, found, reason = verdicts([TRIANGLE], certificate)[0]
    return found, reason


def clique(*sets: Any, multiplier: Any = 0) -> Any:
    """Return a clique beside that which makes the bound."""
    return {"cliques": [*TRIANGLE_PROOF["cliques"], [multiplier, [*sets]]]}


class TestCliques:
    def test_a_clique_shows_what_no_leaf_does(self) -> None:
        assert check(TRIANGLE, TRIANGLE_CERTIFICATE) == "verified"
        assert bound(terms(TRIANGLE), {"denominator": 2}) == 4
        assert bound(terms(TRIANGLE), {"denominator": 2, "prices": {"0": 1}}) == 3

    @pytest.mark.parametrize(
        ("multiplier", "unit", "expected"),
        [
            (0, 1, 4),
            (1, 1, 1 + 3),  # of 1, the first pair has all: that is worth 1 for a, b and c
            (2, 1, 2),
            (3, 1, 3),
            (4, 2, 4 // 2),
            (5, 2, 5 // 2),
            (3, 2, (3 + 3) // 2),
            (6, 3, 6 // 3),
        ],
    )
    def test_what_is_left_of_weights_is_bounded_in_units(
        self, multiplier: int, unit: int, expected: int
    ) -> None:
        rows = {**TRIANGLE_PROOF, "cliques": [[multiplier, TRIANGLE_SETS]], "unit": unit}
        assert bound(terms(TRIANGLE), rows) == expected

    def test_sets_that_are_no_terms_are_numbered_with_them(self) -> None:
        # Terms (0, 0), then (0, 0) (1, 1), and so on: what is taken from the new one is missed.
        rest = {"denominator": 1, "shares": {"0": [-2], "1": [2, 0]}}
        rows = {"cliques": [[2, [[[0, 0]], [[3, 0]]]]], "unit": 1, "rest": rest}
        assert bound(terms(TRIANGLE), rows) == 2 + 0 + 1 + 1
        rest["shares"] = {"0": [-3], "1": [2, 0]}
        with pytest.raises(MALFORMED, match="below its weight"):
            bound(terms(TRIANGLE), rows)

    def test_banned_pairs_stay_banned(self) -> None:
        leaf: Any = {"denominator": 1}
        rows = {"cliques": [], "unit": 1, "rest": leaf}
        for banned, expected in [({(1, 1)}, 3), ({(1, 2)}, 4), ({(1, 1), (2, 4)}, 2)]:
            assert bound(terms(TRIANGLE), leaf, frozenset(banned)) == expected
            assert bound(terms(TRIANGLE), rows, frozenset(banned)) == expected

    def test_pairs_that_only_cliques_have_may_be_banned(self) -> None:
        leaf = {"denominator": 1, "shares": {"1": [-2]}}
        rows = {"cliques": [[1, [[[0, 4]]]]], "unit": 1, "rest": leaf}
        assert bound(terms(TRIANGLE), rows, frozenset({(0, 4)})) == 1 + 4
        with pytest.raises(MALFORMED, match="below its weight"):
            bound(terms(TRIANGLE), rows)

    @pytest.mark.parametrize("schema", [1, 0, 3, "2", None])
    def test_they_are_in_schema_2_alone(self, schema: Any) -> None:
        certificate = {**TRIANGLE_CERTIFICATE, "schema": schema}
        assert verdicts([TRIANGLE], certificate)[0][1] == "refuted"
        nested: Any = {"pair": [0, 0], "with": {"denominator": 1}, "without": TRIANGLE_PROOF}
        nested = {"sieve": {"denominator": 1}, "score": 0, "rest": nested}
        certificate = {**certificate, "proof": nested, "upper": 9}
        assert verdicts([TRIANGLE], certificate)[0][1] == "refuted"
        assert verdicts([TRIANGLE], {**certificate, "schema": 2})[0][1] == "bounded"

    def test_schema_2_needs_no_cliques(self) -> None:
        assert verdict(schema=2) == verdict()

    @pytest.mark.parametrize(
        ("changes", "reason"),
        [
            ({"unit": 0}, "a unit is not positive"),
            ({"unit": -1}, "a unit is not positive"),
            ({"unit": LARGEST_UNIT + 1}, "too large"),
            ({"unit": 1.0}, "TypeError"),
            ({"unit": "1"}, "TypeError"),
            ({"unit": None}, "TypeError"),
            ({"unit": [1]}, "TypeError"),
            ({"rest": None}, "TypeError"),
            ({"cliques": None}, "TypeError"),
            ({"cliques": 1}, "TypeError"),
            ({"cliques": [TRIANGLE_SETS]}, "ValueError"),
            (clique(multiplier=-1), "a multiplier is negative"),
            (clique([[0, 0]], multiplier=0.5), "TypeError"),
            (clique([[0, 0]], multiplier="1"), "TypeError"),
            (clique([[0, 0]], multiplier=None), "TypeError"),
            (clique([]), "ValueError"),
            (clique([[0]]), "ValueError"),
            (clique([[0, 0, 0]]), "ValueError"),
            (clique([0, 0]), "TypeError"),
            (clique(["00"]), "TypeError"),
            (clique([[0, "0"]]), "TypeError"),
            (clique([["0", "0"]]), "TypeError"),
            (clique([[0.0, 0.0]]), "TypeError"),
            (clique([[None, None]]), "TypeError"),
            (clique([[[0], [0]]]), "TypeError"),
            (clique([[-1, 0]]), "not sorted"),
            (clique([[0, -1]]), "not sorted"),
            (clique([[1, 1], [0, 0]]), "not sorted"),
            (clique([[0, 0], [0, 0]]), "not sorted"),
            (clique([[0, 0], [0, 1]]), "not sorted"),
            (clique([[0, 0], [1, 0]]), "not one-to-one"),
            (clique([[0, 0], [1, 1], [2, 0]]), "not one-to-one"),
            (clique([[0, 0]], [[0, 0]]), "may include two sets"),
            (clique([[0, 0]], [[1, 1]]), "may include two sets"),
            (clique([[0, 0]], [[0, 0], [1, 1]]), "may include two sets"),
            (clique([[0, 0]], [[0, 1]], [[1, 0]]), "may include two sets"),
            (clique([[0, 1]], [[0, 0]], [[1, 0]]), "may include two sets"),
            (clique([[0, 1]], [[1, 0]], [[0, 0]]), "may include two sets"),
            (clique([[0, 0], [1, 1]], [[0, 0], [2, 2]]), "may include two sets"),
            (clique(*TRIANGLE_SETS, [[3, 4]], [[0, 2]]), "may include two sets"),
            (clique(*([[0, j]] for j in range(MOST_PAIRS + 1))), "too many pairs"),
            (clique([[i, i] for i in range(MOST_PAIRS + 1)]), "too many pairs"),
        ],
    )
    def test_what_is_no_clique_is_refused(self, changes: Any, reason: str) -> None:
        found, why = of_triangle(**changes)
        assert found == "refuted"
        assert reason in why

    @pytest.mark.parametrize(
        "changes",
        [
            {"unit": True},
            clique(),
            clique([[0, 0]]),
            clique([[99, 0]], [[99, 1]]),  # of variables that there are not
            clique([[False, 0]], [[0, True]]),
            clique(*TRIANGLE_SETS),
            clique(*([[0, j]] for j in range(MOST_PAIRS))),
            clique(*([[k, j] for j, k in enumerate(range(9), s)] for s in range(MOST_PAIRS // 9))),
        ],
    )
    def test_a_clique_may_be_odd(self, changes: Any) -> None:
        assert of_triangle(**changes)[0] == "verified"

    def test_without_keys_in_common_a_set_may_be_there(self) -> None:
        keys = [["k"]] * 4, [["k"]] * 4 + [["l"]]
        pair = {**TRIANGLE, "digest": ""}
        for side, kept in zip(("test", "gold"), keys, strict=True):
            pair[side] = {**TRIANGLE[side], "keys": kept}
        assert len(terms(pair)) == 2  # (2, 4) is in no mapping
        certificate = {**TRIANGLE_CERTIFICATE, "digest": digest(pair)}
        assert check(pair, certificate) == "verified"

    def test_cliques_may_be_deep_and_of_long_numbers(self) -> None:
        proof: Any = {"denominator": 1}
        for _ in range(200):
            proof = {"cliques": [[10**4000, [[[0, 0]]]]], "unit": LARGEST_UNIT, "rest": proof}
        assert bound(terms(TRIANGLE), proof) > 10**3990


class TestMatching:
    def test_certificates_of_one_name_are_taken_one_after_the_other(self) -> None:
        wrong = {**CERTIFICATE, "value": 1}
        found = verdicts([PAIR, PAIR, PAIR], wrong, CERTIFICATE)
        assert [entry[:2] for entry in found] == [
            ("p", "refuted"),
            ("p", "verified"),
            ("p", "unproven"),
        ]

    def test_verdicts_come_in_the_order_of_the_pairs(self) -> None:
        others = [{**PAIR, "id": str(k)} for k in range(5)]
        certificates = [{**CERTIFICATE, "id": str(k)} for k in reversed(range(5))]
        found = verdicts(others, *certificates)
        assert found == [(str(k), "verified", found[k][2]) for k in range(5)]

    def test_what_is_left_over_is_told(self) -> None:
        found = verdicts([PAIR], CERTIFICATE, CERTIFICATE, {**CERTIFICATE, "id": "q"})
        assert [entry[:2] for entry in found] == [
            ("p", "verified"),
            ("p", "refuted"),
            ("q", "refuted"),
        ]
