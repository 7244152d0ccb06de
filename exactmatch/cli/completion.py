"""``exactmatch completion``: print shell code that completes commands and options."""

import click
from click.shell_completion import get_completion_class

_NAME = "exactmatch"

#: What click's code lacks. For fish, it cuts values at commas, which lists and names of files may
#: have. For fish and zsh, it puts values in place of the whole word, also if the word is
#: --OPTION=VALUE or NAME=FILE and only the part behind the first = was completed.
_CHANGES = {
    "fish": {
        'string split "," ': 'string split --max 1 "," ',
        '        if test $metadata[1] = "dir";': """\
        set -l before (string match --regex '^[^=]*=' -- (commandline -t));
        string match --quiet -- "$before*" $metadata[2]; and set before "";

        if test $metadata[1] = "dir";""",
        "__fish_complete_directories $metadata[2];": (
            "for one in (__fish_complete_directories $metadata[2]); echo $before$one; end;"
        ),
        "__fish_complete_path $metadata[2];": (
            "for one in (__fish_complete_path $metadata[2]); echo $before$one; end;"
        ),
        "echo $metadata[2];": "echo $before$metadata[2];",
    },
    "zsh": {
        "for type key descr in ${response}; do": """\
for type key descr in ${response}; do
        [[ "$key" == "${PREFIX%%=*}="* ]] || compset -P 1 '*='"""
    },
}


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the code that makes SHELL complete commands and options.

    \b
    ~/.bashrc                   eval "$(exactmatch completion bash)"
    ~/.zshrc                    eval "$(exactmatch completion zsh)"
    ~/.config/fish/config.fish  exactmatch completion fish | source
    """
    kind = get_completion_class(shell)
    assert kind is not None
    root = click.get_current_context().find_root().command
    source = kind(root, {}, _NAME, "_EXACTMATCH_COMPLETE").source()
    for before, after in _CHANGES.get(shell, {}).items():
        source = source.replace(before, after)
    click.echo(source)
