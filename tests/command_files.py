"""The files that each command reads and writes, by the names of its parameters."""

import click

from exactmatch.cli import main

#: The options on words, which most commands share.
WORDS = {
    *("vectors", "similarity", "synonyms", "classes", "lengths", "reification_table", "credits"),
}
#: These, and the file of a cluster's scheduler.
SHARED = {*WORDS, "cluster"}
#: What each command reads, and what it writes. A new command, or option, is to be listed here.
PAIR = {"system", "gold"}
LISTED: dict[str, tuple[set[str], set[str]]] = {
    "score": (
        {*PAIR, *SHARED, "ids", "aspects", "frames"},
        {"output", "per_pair", "mappings", "certificates", "resume"},
    ),
    "iaa": (
        {"annotators", "consensus", "group_by", *SHARED},
        {"output", "plots", "certificates", "pages", "items"},
    ),
    "compare": (
        {"files", "gold", "list_file", *SHARED},
        {"output", "plots", "certificates", "pages"},
    ),
    "show": ({*PAIR, *SHARED, "ids", "certificates"}, {"output"}),
    "web": ({"runtime"}, {"output"}),
    "diff": ({*PAIR, *SHARED, "ids"}, {"output"}),
    "check": ({"files"}, {"output"}),
    "adjudicate": ({"files", "folder", "consensus", "guidelines", "cluster"}, {"output"}),
    "choose": ({"files", *SHARED}, {"output", "per_item", "consensus"}),
    "matrix": ({"graphs", "other", *SHARED}, {"output"}),
    "nearest": ({"queries", "corpus", *SHARED}, {"output"}),
    "search-error": (
        {"files", "gold", "list_file", "scores", "group_by", *SHARED},
        {"output", "plots", "certificates", "pages"},
    ),
    "explain": ({*PAIR, "scores", *SHARED}, {"output", "plots"}),
    "principles": ({"first", "second", *SHARED}, {"output", "plots"}),
    "correlate": ({"files", "gold", "list_file", "human", *SHARED}, {"output", "plots"}),
    "verify": ({*PAIR, "certificates", "graphs", *(WORDS - {"classes"})}, {"output"}),
    "mappings": ({*PAIR, *WORDS}, {"output"}),
    "ngrams": ({*PAIR, *WORDS}, {"output"}),
    "export": ({*PAIR, *WORDS, "certificates"}, {"output"}),
    "import-solution": ({*PAIR, *WORDS, "solution"}, {"output"}),
    "smatch": ({"files"}, set()),
    "completion": (set(), set()),
}
#: Folders of which only some files are read; other tests have those.
IN_PART = {("adjudicate", "folder"), ("verify", "graphs"), ("web", "runtime")}


def command(name: str) -> click.Command:
    found = main.get_command(click.Context(main), name)
    assert found is not None
    return found
