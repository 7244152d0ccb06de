"""Write the files of four simulated annotators, who each edit the consensus in their own way."""

import random
import re
import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import networkx as nx
import penman

Triple = tuple[str, str, str]
Node = tuple[str, list[tuple[str, Any]]]

# The study took a while: one graph every few days.
FIRST_DAY, PACE = date(2026, 1, 12), timedelta(days=4)

HERE = Path(__file__).resolve().parent
INSTANCE = ":instance"

# Concepts that annotators take for one another.
CONFUSED_CONCEPTS = """
want-01 desire-01 wish-01 | say-01 state-01 report-01 tell-01 | believe-01 think-01
possible-01 permit-01 | obligate-01 recommend-01 | close-01 shut-01 | crack-01 break-01
keep-01 retain-01 hold-01 | tell-02 know-01 predict-01 | remember-01 recall-02 | stir-01 mix-01
wash-01 clean-01 | leak-01 drip-01 | buy-01 purchase-01 | sell-01 offer-01 | answer-01 reply-01
choose-01 prefer-01 | dismiss-01 fire-02 | end-01 stop-01 | begin-01 start-01 | sign-01 agree-01
frighten-01 scare-01 | injure-01 hurt-01 wound-01 | glad-02 happy-01 | press-01 push-01 squeeze-01
leave-11 depart-01 | explain-01 clarify-10 | come-01 arrive-01 visit-01 | contrast-01 cause-01
ask-01 ask-02 request-01 | need-01 require-01 | eat-01 feed-01 | pass-03 move-01 | fall-01 drop-01
person human | boy lad | child infant | mayor leader | president head | film movie | novel book
city town | machine device | shop store | ship boat | company firm | clerk employee | manager boss
seal gasket | money cash | letter note | story tale | large big | small little | slow slow-05
old aged | coarse rough | deep deep-02 | far distant | any every | anybody nobody | few some
"""
# Roles that annotators take for one another.
CONFUSED_ROLES = """
:ARG0 :ARG1 :ARG2 | :ARG3 :ARG4 :extent | :location :source :destination :direction | :poss :part
:time :duration :frequency :condition | :manner :mod :degree :topic | :cause :purpose
:instrument :accompanier :beneficiary
"""
# Roles with the frame that can stand for them, and its roles for the source and the target.
REIFIED = """
:location be-located-at-91 :ARG1 :ARG2 | :mod have-mod-91 :ARG1 :ARG2 | :poss own-01 :ARG1 :ARG0
:time be-temporally-at-91 :ARG1 :ARG2 | :part have-part-91 :ARG1 :ARG2 | :cause cause-01 :ARG1 :ARG0
:manner have-manner-91 :ARG1 :ARG2 | :topic concern-02 :ARG0 :ARG1 | :duration last-01 :ARG1 :ARG2
:condition have-condition-91 :ARG1 :ARG2 | :destination be-destined-for-91 :ARG1 :ARG2
:purpose have-purpose-91 :ARG1 :ARG2 | :source be-from-91 :ARG1 :ARG2
"""


def rows(table: str) -> list[list[str]]:
    """Split a table into rows of words."""
    return [row.split() for row in re.split(r"[|\n]", table.strip())]


def confused(table: str) -> dict[str, list[str]]:
    """Return the other words in the row of each word."""
    return {word: [w for w in row if w != word] for row in rows(table) for word in row}


CONCEPTS, ROLES = confused(CONFUSED_CONCEPTS), confused(CONFUSED_ROLES)
FRAMES = {role: (frame, source, target) for role, frame, source, target in rows(REIFIED)}
# Frame -> its role for the node that gets plain roles, and the plain role for each other role.
PLAIN = {frame: (source, {target: role}) for role, frame, source, target in rows(REIFIED)} | {
    "have-org-role-91": (":ARG0", {":ARG1": ":poss", ":ARG2": ":mod"}),
    "have-rel-role-91": (":ARG0", {":ARG1": ":poss", ":ARG2": ":mod"}),
    "have-degree-91": (":ARG1", {":ARG2": ":mod", ":ARG3": ":degree", ":ARG4": ":compared-to"}),
}


@dataclass
class Draft:
    """Hold a graph while an annotator works on it."""

    triples: list[Triple]
    top: str
    rng: random.Random

    def concepts(self) -> dict[str, str]:
        """Return the concept of each variable."""
        return {source: target for source, role, target in self.triples if role == INSTANCE}

    def edges(self) -> list[Triple]:
        """Return the triples between two variables."""
        concepts = self.concepts()
        return [t for t in self.triples if t[1] != INSTANCE and t[2] in concepts]

    def pick(self, triples: list[Triple], rate: float) -> list[Triple]:
        """Return a random part of the triples."""
        return [t for t in triples if self.rng.random() < rate]

    def replace(self, old: list[Triple], new: list[Triple]) -> None:
        """Put new triples in place of old ones."""
        kept = [t for t in self.triples if t not in old]
        self.triples = list(dict.fromkeys(kept + new))


def network(edges: list[Triple], start: str) -> nx.DiGraph:
    """Return the graph of the edges, of which a variable is a node in any case."""
    graph = nx.DiGraph([(source, target) for source, _, target in edges])
    graph.add_node(start)
    return graph


def reach(edges: list[Triple], start: str) -> set[str]:
    """Find the variables that the edges lead to from a variable, itself included."""
    return {start, *nx.descendants(network(edges, start), start)}


def connected(edges: list[Triple], start: str) -> set[str]:
    """Find the variables connected to a variable, whatever the direction of the edges."""
    return set(nx.node_connected_component(network(edges, start).to_undirected(), start))


def change_concepts(draft: Draft, rate: float) -> None:
    """Take another concept or another sense of a frame."""
    for triple in draft.pick([t for t in draft.triples if t[1] == INSTANCE], rate):
        options = list(CONCEPTS.get(triple[2], []))
        if sense := re.fullmatch(r"(.+-)(0\d)", triple[2]):
            options.append(sense[1] + ("02" if sense[2] == "01" else "01"))
        if options:
            draft.replace([triple], [(triple[0], INSTANCE, draft.rng.choice(options))])


def drop_modifiers(draft: Draft, rate: float) -> None:
    """Leave out small modifiers with all that hangs on them."""
    optional = [t for t in draft.edges() if t[1] in ROLES and not t[1].startswith(":ARG")]
    for edge in draft.pick(optional, rate):
        part = connected([t for t in draft.edges() if t != edge], edge[2])
        if draft.top not in part and len(part) <= 3:
            draft.replace([edge] + [t for t in draft.triples if t[0] in part], [])


def change_attributes(draft: Draft, rate: float) -> None:
    """Leave an attribute out, or write it as a hasty annotator does."""
    edges = draft.edges()
    attributes = [t for t in draft.triples if t[1] != INSTANCE and t not in edges]
    for source, role, value in draft.pick(attributes, rate):
        new = slip(value)
        kept = new != value and (role.startswith(":op") or draft.rng.random() < 0.5)
        draft.replace([(source, role, value)], [(source, role, new)] if kept else [])


def slip(value: str) -> str:
    """Return a number miscounted, or a text without its accents or else its capitals."""
    if re.fullmatch(r"-?\d+", value):
        return str(int(value) // 10 if int(value) > 9999 else int(value) + 1)
    letters = unicodedata.normalize("NFD", value)
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return plain if plain != value else value.lower()


def lose_reentrancies(draft: Draft, rate: float) -> None:
    """Make a repeated mention a new variable, or leave the mention out."""
    for edge in draft.pick(draft.edges(), rate):
        rest = [t for t in draft.edges() if t != edge]
        again = edge[2] == draft.top or any(t[2] == edge[2] for t in rest)
        if again and edge[0] in connected(rest, edge[2]):
            new = "".join(edge)  # unused, and the variables get other names in the end
            copy = [(edge[0], edge[1], new), (new, INSTANCE, draft.concepts()[edge[2]])]
            draft.replace([edge], copy if draft.rng.random() < 0.7 else [])


def flatten(draft: Draft, rate: float) -> None:
    """Write frames that stand for roles as plain roles."""
    for instance in draft.pick([t for t in draft.triples if t[2] in PLAIN], rate):
        main, plain = PLAIN[instance[2]]
        used = [t for t in draft.triples if instance[0] in (t[0], t[2]) and t != instance]
        ends = {role: target for source, role, target in used if source == instance[0]}
        if len(ends) == len(used) > 1 and main in ends and set(ends) <= {main, *plain}:
            roles = [(ends[main], plain[role], end) for role, end in ends.items() if role != main]
            draft.replace([instance, *used], roles)
            draft.top = ends[main] if draft.top == instance[0] else draft.top


def reify(draft: Draft, rate: float) -> None:
    """Write roles as frames."""
    for edge in draft.pick([t for t in draft.edges() if t[1] in FRAMES], rate):
        concept, source, target = FRAMES[edge[1]]
        new = "".join(edge)
        frame = [(new, INSTANCE, concept), (new, source, edge[0]), (new, target, edge[2])]
        draft.replace([edge], frame)


def change_roles(draft: Draft, rate: float) -> None:
    """Take another role, in exchange if the node has that one already."""
    for edge in draft.pick([t for t in draft.edges() if t[1] in ROLES], rate):
        source, role, target = edge
        new = draft.rng.choice(ROLES[role])
        held = [t for t in draft.edges() if t[:2] == (source, new)]
        if edge in draft.triples:
            moved = [(source, role, t[2]) for t in held]
            draft.replace([edge, *held], [(source, new, target), *moved])


def move_top(draft: Draft, rate: float) -> None:
    """Write the graph from a neighbor of its root that is not a leaf."""
    edges = draft.edges()
    ends = [s if t == draft.top else t for s, _, t in edges if draft.top in (s, t)]
    inner = [end for end in ends if sum(end in (s, t) for s, _, t in edges) > 1]
    if inner and draft.rng.random() < rate:
        draft.top = draft.rng.choice(inner)


EDITS = (
    change_concepts,
    drop_modifiers,
    change_attributes,
    lose_reentrancies,
    flatten,
    reify,
    change_roles,
    move_top,
)
# Annotator -> pattern of the variables, and a rate for each edit.
ANNOTATORS = {
    "a": ("{prefix}{i}", (0.08, 0.08, 0.04, 0.12, 0.10, 0.04, 0.04, 0.10)),
    "b": ("x{i}", (0.08, 0.70, 0.20, 0.15, 0.40, 0.00, 0.03, 0.10)),
    "c": ("{prefix}{prefix}{j}", (0.08, 0.08, 0.06, 0.15, 0.00, 0.60, 0.05, 0.50)),
    "d": ("n{i}{prefix}", (0.50, 0.10, 0.10, 0.40, 0.10, 0.05, 0.12, 0.20)),
}


def lay_out(draft: Draft, annotator: str) -> Node:
    """Write a graph as a tree, with an inverse role only where no plain one leads."""
    edges, concepts = draft.edges(), draft.concepts()
    inverse = {":mod": ":domain", ":domain": ":mod"}
    below = reach(edges, draft.top)
    seen, written = {draft.top}, set[Triple]()

    def place(branch: tuple[str, str, Triple]) -> tuple[float, tuple[str, str, Triple]]:
        """Give each kind of role the place that the annotator likes."""
        return random.Random(annotator + branch[0].rstrip("0123456789")).random(), branch

    def visit(variable: str) -> Node:
        """Write a variable with all that is first reached from it."""
        pending = [(t[1], t[2], t) for t in draft.triples if t[0] == variable and t[1] != INSTANCE]
        for edge in edges:
            if edge[2] == variable and edge[0] not in below:
                below.update(reach(edges, edge[0]))
                pending.append((inverse.get(edge[1], f"{edge[1]}-of"), edge[0], edge))
        branches: list[tuple[str, Any]] = [("/", concepts[variable])]
        for role, other, triple in sorted(pending, key=place):
            nested = triple in edges and other not in seen
            if triple not in written and (nested or triple[0] == variable):
                written.add(triple)
                seen.add(other)
                branches.append((role, visit(other) if nested else other))
        return variable, branches

    return visit(draft.top)


def annotate(graph: penman.Graph, annotator: str, number: int) -> str:
    """Return the graph as an annotator writes it; *number* is its place in the study."""
    identifier = graph.metadata["id"]
    naming, rates = ANNOTATORS[annotator]
    triples = [(source, role, str(target)) for source, role, target in graph.triples]
    draft = Draft(triples, str(graph.top), random.Random(f"agreement {annotator} {identifier}"))
    for edit, rate in zip(EDITS, rates, strict=True):
        edit(draft, rate)
    metadata = {
        "id": identifier,
        "annotator": annotator,
        "date": (FIRST_DAY + number * PACE).isoformat(),
        "snt": graph.metadata["snt"],
    }
    tree = penman.Tree(lay_out(draft, annotator), metadata)
    tree.reset_variables(naming)
    return str(penman.format(tree, indent=6))


def main() -> None:
    """Write one file for each annotator beside the consensus."""
    graphs = penman.loads((HERE / "consensus.amr").read_text(encoding="utf-8"))
    for annotator in ANNOTATORS:
        text = (
            "\n\n".join(annotate(graph, annotator, number) for number, graph in enumerate(graphs))
            + "\n"
        )
        (HERE / f"{annotator}.amr").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
