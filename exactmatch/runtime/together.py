"""Several files of a folder that get their names together, so that the folder is of one run."""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from exactmatch.errors import failure
from exactmatch.runtime.own_files import check_plain, locked
from exactmatch.runtime.partial_file import PartialFile

#: Seconds to wait for another run that is writing to the folder.
_PATIENCE = 60


class Together:
    """Files that get their names when all are written, in the order of writing."""

    def __init__(self) -> None:
        self._files: list[PartialFile] = []
        self._former: list[Path] = []

    def write(self, path: Path, content: str | bytes) -> None:
        """Write a file, text in UTF-8 or bytes. Raises `InputError` if that fails."""
        check_plain(path)
        try:
            file = PartialFile(path)
        except OSError as error:
            raise failure(path, error) from error
        self._files.append(file)
        with file.text as text:
            text.buffer.write(content.encode() if isinstance(content, str) else content)

    def remove(self, paths: Iterable[Path]) -> None:
        """Remove these files, of former runs, when the others get their names."""
        self._former += paths

    def complete(self, head: PartialFile | None) -> None:
        """Give all files their names; *head* has none while the others get theirs."""
        if head is not None:
            _remove(head.final)
        for file in self._files:
            file.complete()
        written = {file.path for file in self._files}
        for path in self._former:
            if path not in written:
                _remove(path)
        if head is not None:
            head.complete()

    def close(self) -> None:
        """Remove the files that do not have their names."""
        for file in self._files:
            file.close()


@contextmanager
def writing_together(folder: Path, head: PartialFile | None = None) -> Iterator[Together]:
    """Yield the files of *folder*, which exists; they get their names when the block ends well.

    Other runs wait meanwhile. *head* is the file without which nobody takes the folder for whole:
    it is removed before the first of the others changes, and completed after the last. If the block
    fails, the folder stays unchanged. Raises `InputError` if a file cannot be written, or another
    run has the folder for too long.
    """
    with locked(folder, _PATIENCE, strict=False), closing(Together()) as files:
        yield files
        files.complete(head)


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise failure(path, error) from error
