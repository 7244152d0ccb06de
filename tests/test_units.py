"""The order in which the processes of a test run collect files."""

from units import turned

FILES = ["a", "b", "c", "d", "e", "f"]


def collected(name: str) -> str:
    return "".join(turned(FILES, {"workerid": name, "workercount": 3}))


def test_each_process_begins_at_another_part_of_a_folder() -> None:
    assert [collected(f"gw{k}") for k in range(3)] == ["abcdef", "cdefab", "efabcd"]


def test_a_process_may_have_any_name() -> None:
    # A process that replaces a dead one gets the next number.
    names = {"x": "abcdef", "": "abcdef", "gw3": "abcdef", "gw4": "cdefab", "of 2": "efabcd"}
    assert {name: collected(name) for name in names} == names
