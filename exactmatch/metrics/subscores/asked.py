"""The subscores by name, and the selection of subscores for a call."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from exactmatch.errors import UsageError
from exactmatch.metrics.subscores.aspect_files import Frames
from exactmatch.metrics.subscores.aspects import DAMONTE_ASPECTS, SMATCHPP_ASPECTS, Aspect
from exactmatch.metrics.subscores.coreference import Apart, Coreference
from exactmatch.metrics.subscores.label_scores import CHANGES, LABEL_SCORES, GraphChange, LabelScore
from exactmatch.metrics.subscores.sbn import SBN_LABEL_SCORES, SBN_PARTS, SbnPart

#: Added to the name of a label score if equal labels of a graph count once.
ONCE = "-set"
#: Added to the name of an aspect that is scored under the best mapping of its own triples.
OWN = "-own"


class Labelled(NamedTuple):
    """A subscore of labels, without a mapping; with *once*, equal labels of a graph count once."""

    title: str
    score: LabelScore
    once: bool
    mapping: str = "none"


class Searched(NamedTuple):
    """A subscore of changed graphs, or parts of graphs, under their own best mapping."""

    title: str
    part: GraphChange | Aspect | SbnPart
    mapping: str = "own"


class Joint(NamedTuple):
    """A subscore of parts of graphs under the best mappings of the whole graphs."""

    title: str
    part: Aspect | SbnPart | Coreference | Apart
    mapping: str = "main"


class Whole(NamedTuple):
    """All triples, as a subscore: how many pairs match exactly."""

    title: str = "all triples"
    mapping: str = "main"


Definition = Whole | Labelled | Searched | Joint

_COREFERENCE = Coreference("coreference, nodes and edges")
_CHAINS = Coreference("chains and implicit roles", edges=False)
_LINKS = Coreference("edges of coreference", nodes=False)
_APART = Apart("everything but coreference", _COREFERENCE)
#: For documents of AMR only.
_OF_DOCUMENTS: Mapping[str, Definition] = {
    "coreference": Joint(_COREFERENCE.title, _COREFERENCE),
    "coreference-nodes": Joint(_CHAINS.title, _CHAINS),
    "coreference-edges": Joint(_LINKS.title, _LINKS),
    "coreference-apart": Joint(_APART.title, _APART),
}


def _definitions(parts: Mapping[str, Aspect | SbnPart]) -> dict[str, Definition]:
    definitions: dict[str, Definition] = {"all": Whole()}
    for name, score in {**LABEL_SCORES, **SBN_LABEL_SCORES}.items():
        definitions[name] = Labelled(score.title, score, once=False)
        definitions[name + ONCE] = Labelled(f"{score.title}, each once", score, once=True)
    definitions |= {name: Searched(change.title, change) for name, change in CHANGES.items()}
    for name, part in parts.items():
        definitions[name] = Joint(part.title, part)
        definitions[name + OWN] = Searched(part.title, part)
    return definitions


_KNOWN = {
    **_definitions({**DAMONTE_ASPECTS, **SMATCHPP_ASPECTS, **SBN_PARTS}),
    **_OF_DOCUMENTS,
}
_MAPPED = [*CHANGES, *(name + OWN for name in DAMONTE_ASPECTS), *DAMONTE_ASPECTS]

#: Several subscores under one name.
GROUPS: Mapping[str, Sequence[str]] = {
    "damonte": ["all", *LABEL_SCORES, *_MAPPED],
    "damonte-set": ["all", *(name + ONCE for name in LABEL_SCORES), *_MAPPED],
    "aspects": ["all", *SMATCHPP_ASPECTS],
    "aspects-own": ["all", *(name + OWN for name in SMATCHPP_ASPECTS)],
    "documents": ["all", *_OF_DOCUMENTS],
    "sbn": ["all", *SBN_LABEL_SCORES, *SBN_PARTS],
    "sbn-own": ["all", *SBN_LABEL_SCORES, *(name + OWN for name in SBN_PARTS)],
}


@dataclass(frozen=True, slots=True)
class Subscores:
    """The requested subscores.

    definitions: their definitions by name, in the order of tables.
    digest: identifies the file of aspects, if there is one.
    frames: the table of roles of frames, if there is one.
    """

    definitions: Mapping[str, Definition] = field(repr=False)
    digest: str = ""
    frames: Frames | None = None

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        aspects: Mapping[str, Aspect] | None = None,
        digest: str = "",
        frames: Frames | None = None,
    ) -> "Subscores":
        """Return the named subscores and groups, and all *aspects* of a file.

        Raises `UsageError` for an unknown name, and for a name with two meanings.
        """
        aspects = aspects or {}
        called = Counter([*_KNOWN, *GROUPS, *aspects, *(name + OWN for name in aspects)])
        for name in aspects:
            if called[name] > 1 or called[name + OWN] > 1:
                raise UsageError(
                    f"an aspect in a file is called {name!r}, the name of another subscore"
                )
        known = {**_KNOWN, **_definitions(aspects)}
        asked = [single for name in names for single in GROUPS.get(name, [name])]
        for name in asked:
            if name not in known:
                there = ", ".join([*GROUPS, *known])
                raise UsageError(f"no subscore is called {name!r}; the subscores are {there}")
        return cls({name: known[name] for name in [*asked, *aspects]}, digest, frames)

    def __str__(self) -> str:
        return self.signature()

    def signature(self) -> str:
        """Return one line that fixes what is counted."""
        parts = [f"subscores:{','.join(self.definitions)}"]
        if self.digest:
            parts.append(f"aspects:{self.digest}")
        if any(uses_frames(definition) for definition in self.definitions.values()):
            parts.append(f"frames:{self.frames.digest if self.frames else 'none'}")
        return "|".join(parts)


def uses_frames(definition: Definition) -> bool:
    """Tell whether roles are renamed by the table of frames, if there is one."""
    if isinstance(definition, Whole | Labelled):
        return False
    return isinstance(definition.part, Aspect) and definition.part.framed


def is_of_documents(definition: Definition) -> bool:
    """Tell whether a subscore needs documents with aligned sentences."""
    return isinstance(definition, Joint) and isinstance(definition.part, Coreference | Apart)
