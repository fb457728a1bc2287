"""What is read of the files that users name: regular ones, up to a limit."""

import os
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from muster.user_files import CannotRead, Limit, NoSuchFile, read_bytes, read_text

SMALL = Limit(10, "write less")


def a_fifo(folder: Path) -> Path:
    os.mkfifo(folder / "fifo")
    return folder / "fifo"


def piped(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(data)))


@pytest.mark.parametrize(
    "make", [lambda _: Path("/dev/zero"), a_fifo, lambda folder: folder], ids=["device", "named pipe", "folder"]
)
def test_only_regular_files_are_read(make: object, tmp_path: Path) -> None:
    """A device has no end, and a pipe may never begin: neither is opened."""
    with pytest.raises(CannotRead):
        read_bytes(make(tmp_path), SMALL)  # type: ignore[operator]


def test_a_file_at_the_limit_is_read_and_a_larger_one_is_not(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x" * 10)
    assert read_bytes(file, SMALL) == b"x" * 10
    file.write_bytes(b"x" * 11)
    with pytest.raises(CannotRead, match="Muster reads at most 1 KiB; write less"):
        read_bytes(file, SMALL)


def test_standard_input_is_read_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    piped(b"x" * 10, monkeypatch)
    assert read_text("-", SMALL) == "x" * 10
    piped(b"x" * 1000, monkeypatch)
    with pytest.raises(CannotRead, match="write less"):
        read_text("-", SMALL)


def test_what_the_shell_has_opened_is_read() -> None:
    """`<(command)` is a pipe with a name below /dev/fd."""
    reading, writing = os.pipe()
    os.write(writing, b"here")
    os.close(writing)
    assert read_text(f"/dev/fd/{reading}", SMALL) == "here"
    os.close(reading)


def test_a_byte_order_mark_and_other_ends_of_lines_are_no_part_of_a_text(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"\xef\xbb\xbfa\r\nb\rc")
    assert read_text(file, SMALL) == "a\nb\nc"


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"])
def test_a_name_that_no_file_can_have(name: str) -> None:
    with pytest.raises(CannotRead):
        read_bytes(name, SMALL)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFile):
        read_bytes(tmp_path / "none", SMALL)


def test_what_is_no_text_says_where(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc\xff")
    with pytest.raises(CannotRead, match="byte 3 is not UTF-8"):
        read_text(tmp_path / "file", SMALL)
