"""Report interrupts of commands."""

from exactmatch.cli.screen import say
from exactmatch.stopping import interrupts


def say_interrupted(error: BaseException) -> None:
    """Print which work an interrupt has stopped; *error* is the exception that it caused."""
    doing = f" while {error}" if isinstance(error, KeyboardInterrupt) and error.args else ""
    say(f"{interrupts.current().name}{doing}; there is no result")
    show_notes(error)


def show_notes(error: BaseException) -> None:
    """Print the notes that *error* has gathered, for instance on unfinished files."""
    for note in getattr(error, "__notes__", ()):
        say(f"note: {note}")
