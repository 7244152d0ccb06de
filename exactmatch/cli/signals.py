"""What commands say when they are cut short."""

import click

from exactmatch.stopping import interrupts


def say_interrupted(error: BaseException) -> None:
    """Say what the interrupt that *error* comes of has cut short."""
    doing = f" while {error}" if isinstance(error, KeyboardInterrupt) and error.args else ""
    click.echo(f"{interrupts.current().name}{doing}; there is no result", err=True)
    show_notes(error)


def show_notes(error: BaseException) -> None:
    """Print the notes that *error* has got on its way, such as where unfinished files are."""
    for note in getattr(error, "__notes__", ()):
        click.echo(f"note: {note}", err=True)
