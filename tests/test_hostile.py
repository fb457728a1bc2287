"""Files that once ended a reader, or that it took too long for: each is taken, or refused in words.

`python -m tests.fuzz` looks for more (`docs/contributing/hostile-input.md`).
"""

from pathlib import Path

import pytest

from tests.fuzz.inputs import made
from tests.fuzz.readers import READERS, Reader, give

FILES = sorted(each for each in (Path(__file__).parent / "hostile").glob("*/*") if each.is_file())


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_sound_files_are_taken(reader: Reader, tmp_path: Path) -> None:
    assert all(give(reader, each, tmp_path) for each in reader.examples())


@pytest.mark.parametrize("file", FILES, ids=lambda each: f"{each.parent.name}/{each.name}")
def test_what_once_ended_a_reader_gets_words(file: Path, tmp_path: Path) -> None:
    give(READERS[file.parent.name], file.read_bytes(), tmp_path)


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_broken_files_get_words(reader: Reader, tmp_path: Path) -> None:
    """A few of the thousands; small ones."""
    for number in range(5):
        give(reader, made(reader.examples(), f"{reader.name}:{number}", 10_000), tmp_path)
