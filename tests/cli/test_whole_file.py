"""A new file is whole or not there, and takes nobody's place."""

import errno
import os
from pathlib import Path

import pytest

from muster import written_files


def no_links(made: Path, file: Path) -> None:
    """As a file system without them answers."""
    if file.exists():
        raise FileExistsError(errno.EEXIST, "File exists")
    raise OSError(errno.EPERM, "Operation not permitted")


@pytest.fixture(params=["links", "no links"], autouse=True)
def file_system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With links, and without."""
    if request.param == "no links":
        monkeypatch.setattr(os, "link", no_links)


def test_a_new_file_is_there_with_its_usual_rights(tmp_path: Path) -> None:
    """And nothing beside it."""
    written_files.create(tmp_path / "new.yaml", "grün\n")
    assert (tmp_path / "new.yaml").read_bytes() == "grün\n".encode()
    assert [each.name for each in tmp_path.iterdir()] == ["new.yaml"]
    (tmp_path / "usual").touch()
    if os.link is not no_links:
        assert (tmp_path / "new.yaml").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("dangling", [False, True])
def test_one_that_is_there_stays(tmp_path: Path, *, dangling: bool) -> None:
    """A link that leads nowhere, too: nothing is written where it leads."""
    file = tmp_path / "new.yaml"
    if dangling:
        file.symlink_to(tmp_path / "nowhere")
    else:
        file.write_text("theirs\n")
    with pytest.raises(FileExistsError):
        written_files.create(file, "ours\n")
    assert not (tmp_path / "nowhere").exists()
    assert [each.name for each in tmp_path.iterdir()] == ["new.yaml"]
