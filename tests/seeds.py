"""Run many random cases as one test, which names the seed of a failure."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from nightly import day_share

from exactmatch.problem.integers import COMPILED

Test = Callable[..., None]


def cases(number: int) -> int:
    """Return the number of random cases to run: all at night, or the share of a day.

    Of these, a quarter if the kernel is interpreted.

    Tests of the compiled kernel run all of them. The interpreted one has the same source, and is
    several times as slow.
    """
    share = day_share(number)
    return share if COMPILED else -(-share // 4)


def each_seed(number: int) -> Callable[[Test], Test]:
    """Run a test once for each *seed*, from 0 up to the given number, or the share of a day."""

    def looping(test: Test) -> Test:
        @wraps(test)
        def with_each(**fixtures: Any) -> None:
            for seed in range(day_share(number)):
                try:
                    test(seed=seed, **fixtures)
                except BaseException as error:
                    error.add_note(f"with seed {seed}")
                    raise

        signature = inspect.signature(test)
        asked = [each for name, each in signature.parameters.items() if name != "seed"]
        # Else pytest would look for a fixture of that name.
        with_each.__signature__ = signature.replace(parameters=asked)  # type: ignore[attr-defined]
        return with_each

    return looping
