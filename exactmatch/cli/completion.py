"""``exactmatch completion``: print shell code that completes commands and options."""

import click
from click.shell_completion import get_completion_class

_NAME = "exactmatch"


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
    # Click's code for fish cuts values at commas, which lists and names of files may have.
    click.echo(source.replace('string split "," ', 'string split --max 1 "," '))
