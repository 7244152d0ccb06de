"""The files that a repository has beside its code: citation, forms, releases, what is shipped."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from nightly import choose, day_share

ROOT = Path(__file__).resolve().parents[2]
GITHUB = ROOT / ".github"

pytestmark = pytest.mark.checkout


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def settings() -> dict[str, Any]:
    return tomllib.loads(text("pyproject.toml"))


def test_zenodo_says_what_the_citation_says() -> None:
    ours = text("CITATION.cff").partition("references:")[0]
    theirs = json.loads(text(".zenodo.json"))
    assert f'title: "{theirs["title"]}"' in ours
    assert f"license: {theirs['license']}" in ours
    assert theirs["description"] in " ".join(ours.split())
    assert [f"  - name: {one['name']}" for one in theirs["creators"]] == re.findall(
        r"^authors:\n((?:  - .*\n)+)", ours, re.MULTILINE
    )[0].splitlines()
    assert theirs["keywords"] == settings()["project"]["keywords"]
    assert re.search(r"^date-released: \d{4}-\d\d-\d\d$", ours, re.MULTILINE)
    assert re.search(r"^contact:\n  - name: ", ours, re.MULTILINE)


def test_a_release_reaches_the_index_github_and_zenodo() -> None:
    workflow = text(".github/workflows/wheels.yml")
    assert "pypa/gh-action-pypi-publish@" in workflow
    assert 'gh release create "$GITHUB_REF_NAME" dist/*' in workflow
    assert "date-released" in workflow


def test_forms_ask_for_what_a_report_needs_and_warn_of_licensed_texts() -> None:
    number = (GITHUB / "ISSUE_TEMPLATE/wrong-number.yml").read_text(encoding="utf-8")
    assert {"graphs", "command", "signature", "version"} <= set(re.findall(r"id: (\w+)", number))
    for name in ("wrong-number.yml", "fault.yml"):
        form = (GITHUB / "ISSUE_TEMPLATE" / name).read_text(encoding="utf-8")
        assert "Do not paste licensed texts" in form
    assert "CHANGELOG.md" in (GITHUB / "PULL_REQUEST_TEMPLATE.md").read_text(encoding="utf-8")


def test_actions_are_pinned_and_dependabot_looks_after_them() -> None:
    assert "package-ecosystem: github-actions" in text(".github/dependabot.yml")
    for workflow in [*(GITHUB / "workflows").glob("*.yml"), ROOT / "action.yml"]:
        for used in re.findall(r"uses: (.*)", workflow.read_text(encoding="utf-8")):
            assert used.startswith("./") or re.search(r"@[0-9a-f]{40} # v", used), used


#: Rooms of tests that keep each behaviour by day: bounds, certificates, metrics, readers. So does
#: the study of agreement.
CORE = ("certificate", "graphs", "metrics", "problem", "scoring", "solving")
#: Their tests of the night, and the test of the day that sees the same faults in less.
SEEN_BY_DAY = {
    "test_any_number_of_workers_gives_the_same_bytes": (
        "test_neither_order_of_files_nor_workers_change_anything"
    ),
    "test_coq_reads_every_text_as_it_is_and_long_lists": "test_texts_stay_what_they_are",
    "test_agreement_on_all_items": "test_reports_are_those_that_people_have_read",
    "test_every_fault_that_is_planted_in_it_is_noticed": (
        "test_changed_certificates_are_judged_as_by_the_first_checker"
    ),
    "test_relaxations_of_sentences_are_bounds": (
        "test_relaxations_lie_between_the_optimum_and_the_grouped_ones"
    ),
    "test_what_is_admitted_compiles_and_a_question_tells": (
        "test_coq_proves_what_is_so_and_nothing_else"
    ),
}
_MARKED = re.compile(r"^@pytest\.mark\.nightly\n(?:[@ )\]].*\n)*def (\w+)", re.MULTILINE)


def test_what_is_left_out_by_day_is_run_at_night() -> None:
    assert settings()["tool"]["pytest"]["ini_options"]["addopts"][-2:] == ["-m", "not nightly"]
    workflow = text(".github/workflows/nightly.yml")
    everything = "nightly or not nightly"
    assert f"marks: {everything}\n" in workflow
    runs = re.findall(r"run: (.*(?:pytest|\.ci/).*)", workflow)
    assert len(runs) == 3
    assert all(everything in run or run == ".ci/run nightly" for run in runs)
    assert f"PYTEST_ADDOPTS='-m \"{everything}\"'" in text(".ci/run")


def test_all_but_the_run_of_the_day_compile_as_for_users() -> None:
    by_night, _, by_day = text(".ci/run").partition("\nelif ")
    assert "CFLAGS" not in by_night
    assert by_day.partition("\nfi\n")[0].count("export CFLAGS=-Og") == 1
    assert text(".ci/run").count("CFLAGS") == 1
    assert not [path for path in GITHUB.rglob("*.yml") if "CFLAGS" in path.read_text("utf-8")]


def test_what_the_core_leaves_to_the_night_is_seen_by_day() -> None:
    """Whole files are not left to it, and of similar cases one is run by day."""
    tests = ROOT / "tests"
    files = [path for room in CORE for path in (tests / room).rglob("*.py")]
    files += (tests / "studies").glob("test_agreement*.py")
    texts = [path.read_text(encoding="utf-8") for path in files]
    marked = [name for each in texts for name in _MARKED.findall(each)]
    assert {*marked} == SEEN_BY_DAY.keys()
    assert len(marked) == sum(each.count("mark.nightly") for each in texts)
    everything = "".join(path.read_text(encoding="utf-8") for path in tests.rglob("test_*.py"))
    for day in SEEN_BY_DAY.values():
        assert f"\ndef {day}(" in everything and day not in _MARKED.findall(everything)
    assert not any(re.search(r"by_day\(.*, 0\)", each) for each in texts)


@pytest.mark.parametrize(
    ("marks", "tried"),
    [
        ("not nightly", 2),
        ("not slow", 2),
        ("nightly", 7),
        ("nightly or not nightly", 7),
    ],
)
def test_random_cases_are_all_tried_at_night(
    marks: str, tried: int, request: pytest.FixtureRequest
) -> None:
    try:
        choose(marks)
        assert day_share(7) == tried
    finally:
        choose(request.config.getoption("markexpr"))


def test_the_source_distribution_has_what_the_pages_and_tests_name() -> None:
    shipped = settings()["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert all((ROOT / name.lstrip("/")).exists() for name in shipped)
    assert {"/.ci", "/.github", "/action.yml", "/SECURITY.md", "/CODE_OF_CONDUCT.md"} <= set(
        shipped
    )


def test_the_address_stands_in_one_place() -> None:
    address = settings()["tool"]["exactmatch"]["address"].partition("//")[2]
    names = ("SECURITY.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "README.md", "CITATION.cff")
    files = [ROOT / name for name in (*names, ".zenodo.json", "docs/site/mkdocs.yml")]
    files += [path for path in GITHUB.rglob("*") if path.suffix in (".md", ".yml", ".py")]
    assert not [path for path in files if address in path.read_text(encoding="utf-8")]
