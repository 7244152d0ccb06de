"""Help: short for commands with many options, complete on demand; completion of profiles."""

import re
import shlex

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

import exactmatch
from exactmatch.cli import COMMANDS, main
from exactmatch.cli.click_options import GroupedCommand

#: So many options are described at once, and so many lines are two screens.
MANY, TWO_SCREENS = 20, 70


def command(name: str) -> click.Command:
    found = main.get_command(click.Context(main), name)
    assert found is not None
    return found


def shown_options(name: str) -> list[click.Option]:
    one = command(name)
    parameters = one.get_params(click.Context(one))
    return [p for p in parameters if isinstance(p, click.Option) and not p.hidden]


def printed(*words: str) -> str:
    done = CliRunner().invoke(main, [*words], env={"COLUMNS": "80"}, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def completed(*words: str) -> list[str]:
    *before, begun = words
    shell = ShellComplete(main, {}, "exactmatch", "_EXACTMATCH_COMPLETE")
    return [one.value for one in shell.get_completions(before, begun)]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_with_many_options_is_short_and_names_them_all(name: str) -> None:
    options = {max(one.opts, key=len) for one in shown_options(name)}
    others = {word for one in shown_options(name) for word in one.secondary_opts}
    short = printed(name, "--help")
    one = command(name)
    if not isinstance(one, GroupedCommand) or not one.usual:
        assert len(options) <= MANY and "--help-all" not in short
        return
    assert len(short.splitlines()) <= TWO_SCREENS
    assert len(one.usual) == 10 and len(one.examples) == 3
    described = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", short, re.MULTILINE))
    assert described == {f"--{word}" for word in one.usual}
    assert options | others <= set(re.findall(r"--[\w-]+", short))
    whole = printed(name, "--help-all")
    assert options == set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", whole, re.MULTILINE))


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_in_help_are_commands_that_there_are(name: str) -> None:
    for one in getattr(command(name), "examples", ()):
        called, *words = shlex.split(one.typed)
        assert called == name
        command(name).make_context(name, words)


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_in_help_can_be_pasted_into_a_shell(name: str) -> None:
    shown = printed(name, "--help").partition("Examples:\n")[2].partition("\n\n")[0]
    typed = [
        shlex.join(["exactmatch", *shlex.split(one.typed)])
        for one in getattr(command(name), "examples", ())
    ]
    lines = shown.replace("\\\n", " ").splitlines()
    assert [shlex.join(words) for line in lines if (words := shlex.split(line, True))] == typed


def test_profiles_are_those_of_the_metric() -> None:
    theirs = {name: [*kind.profiles] for name, kind in exactmatch.METRICS.items()}
    for name in ("mrp", "counter", "sembleu"):
        assert completed("score", "--metric", name, "--profile", "") == theirs[name]
        assert completed("compare", "--metric", f"{name}:s", "--profile", "") == theirs[name]
        said = " ".join(printed("score", "--metric", name, "--help").split())
        assert f"for {name}, {', '.join(theirs[name])}; for other metrics, see" in said
    assert completed("score", "--profile", "s") == [p for p in theirs["smatch"] if p[0] == "s"]


@pytest.mark.parametrize(
    "words, said",
    [
        (["--metric", "mrp", "--profile", "mtol"], "Did you mean 'mtool'?"),
        (
            ["--profile", "mtool", "--metric", "sembleu"],
            "'--profile': 'mtool'; the profiles are default",
        ),
    ],
)
def test_a_profile_of_another_metric_is_refused_at_once(words: list[str], said: str) -> None:
    result = CliRunner().invoke(main, ["score", "no.amr", "no.amr", *words])
    assert result.exit_code == 2 and said in result.stderr


def test_a_profile_that_there_is_not_leads_to_what_would_have_it() -> None:
    graph = "(a / b)"
    with pytest.raises(
        exactmatch.UsageError,
        match=r"the profiles are default, .*\. mrp has a profile of that name$",
    ):
        exactmatch.score(graph, graph, profile="mtool")
    with pytest.raises(exactmatch.UsageError, match=r"Did you mean 'smatch-1\.0\.4'"):
        exactmatch.score(graph, graph, profile="smatch-104")
