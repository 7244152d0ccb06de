"""What a solver needs is loaded before the time of its problem begins."""

import pickle
import subprocess
import sys

import generate
import pytest
from nightly import by_day
from samples import compared

from exactmatch.encodings import NAMES
from exactmatch.encodings.base import PLAIN_TERMS


@pytest.mark.slow
@pytest.mark.parametrize("name", by_day(sorted(NAMES, key=lambda name: name != "cpsat")))
def test_all_is_loaded_before_the_time_of_a_problem_begins(name: str) -> None:
    """Loading OR-tools takes longer than some limits, so nothing is loaded while solving."""
    problem = compared(*generate.family("unrelated", 24, seed=1)).problem
    assert problem.n_terms > PLAIN_TERMS
    code = (
        "import pickle, sys; from contextlib import suppress\n"
        "from exactmatch.encodings import get_encoding, needed\n"
        "from exactmatch.stopping.deadline import Deadline, OutOfTime\n"
        "name, problem = pickle.load(sys.stdin.buffer)\n"
        "for each in needed(name, problem.n_terms): get_encoding(each)\n"
        "loaded = {*sys.modules}\n"
        "options = dict(hint={}, upper=problem.total, deadline=Deadline.after(0.5), seed=0)\n"
        "with suppress(OutOfTime): get_encoding(name).solve(problem, **options)\n"
        "print(*sorted({each.partition('.')[0] for each in {*sys.modules} - loaded}))"
    )
    data = pickle.dumps((name, problem))
    done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True)
    assert not {"numpy", "ortools", "pysat", "scipy"} & {*done.stdout.decode().split()}
