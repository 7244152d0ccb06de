"""Brute force for Counter, written from the definition, that shares no code with exactmatch."""

import re
from collections import Counter
from functools import cached_property
from itertools import permutations, product

SYMMETRIC = ("APX", "NEQ", "EQU", "TAB")

Clause = tuple[str, ...]


class Definition:
    """Counter's count by brute force over all mappings, without code of exactmatch.

    *like_2021* has the peculiarities of the published program.
    """

    def __init__(self, text: str, like_2021: bool) -> None:
        self.like_2021 = like_2021
        lines = [re.sub(r"(^|\s)%.*", "", line).split() for line in text.splitlines()]
        clauses = [self.upright(tuple(words)) for words in lines if words]
        if not like_2021:
            clauses = list(dict.fromkeys(clauses))
        kept = [
            clause
            for k, clause in enumerate(clauses)
            if clause[1] != "REF"
            or not any(
                other[0] == clause[0] and clause[2] in other[2:]
                for m, other in enumerate(clauses)
                if m != k
            )
        ]
        self.clauses = list(dict.fromkeys(kept))
        self.boxes: list[str] = []
        self.referents: list[str] = []
        for clause in self.clauses:
            for k, word in enumerate((clause[0], *clause[2:])):
                if not word.startswith('"') and word not in self.boxes + self.referents:
                    is_box = word.startswith("b")
                    if like_2021 and k and clause[1] in ("DRS", "PRP"):
                        is_box = False
                    (self.boxes if is_box else self.referents).append(word)

    def upright(self, clause: Clause) -> Clause:
        """Turn inverse roles round, put constants last, and mark mapped variables."""
        box, relation, *others = clause
        if re.fullmatch("[A-Z][a-z]+Of", relation):
            return (box, relation[:-2], *others[::-1])
        quoted = [other.startswith('"') for other in others]
        if relation in SYMMETRIC and quoted == [True, False]:
            return (box, relation, *others[::-1])
        is_role = re.fullmatch("[A-Z].*[a-z]", relation)
        if quoted == [True, True] and self.like_2021 and not is_role:
            return (box, relation, others[0], "?" + others[1])
        return clause

    @property
    def total(self) -> int:
        return len(self.clauses) if self.like_2021 else len(self.renamed({}, everything=True))

    def renamed(self, names: dict[str, str], everything: bool = False) -> Counter[Clause]:
        """Return the clauses whose variables are all mapped; swapped clauses become equal."""
        found: list[Clause] = []
        for (box, relation, *others), is_counted, is_symmetric in self.marked:
            if is_counted or everything:
                words = [names.get(word, word) for word in others]  # no constant has a name here
                if is_symmetric:
                    words.sort()
                found.append((names.get(box, box), relation, *words))
        return Counter(found if self.like_2021 else set(found))

    @cached_property
    def marked(self) -> list[tuple[Clause, bool, bool]]:
        """The clauses, each with whether it is counted, and whether its words may be swapped."""
        found = []
        for clause in self.clauses:
            variables = [w for w in (clause[0], *clause[2:]) if not w.startswith('"')]
            repeats = self.like_2021 and len(set(variables)) < len(variables) == 3
            is_fixed = self.like_2021 and len(variables) < 3
            found.append((clause, not repeats, clause[1] in SYMMETRIC and not is_fixed))
        return found

    def best(self, gold: "Definition") -> int:
        wanted = gold.renamed({})
        return max(
            sum(min(n, wanted.get(clause, 0)) for clause, n in self.renamed(boxes | names).items())
            for boxes, names in product(
                mappings(self.boxes, gold.boxes), mappings(self.referents, gold.referents)
            )
        )


def mappings(left: list[str], right: list[str]) -> list[dict[str, str]]:
    """Return all one-to-one mappings that leave out as little as can be."""
    images = right + [f"nothing {k}" for k in range(len(left) - len(right))]
    return [dict(zip(left, order, strict=True)) for order in permutations(images, len(left))]
