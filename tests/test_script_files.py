"""Scripts of a description that are files of its project."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from muster.config.description.node_boot import PROJECT, Scripts

SCRIPT = "#!/bin/bash\necho 1\n"


def test_a_path_becomes_the_text_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/disks.sh").write_text(SCRIPT)
    written = {"before": "scripts/disks.sh", "after": SCRIPT}
    found = Scripts.model_validate(written, context={PROJECT: tmp_path})
    assert (found.before, found.after) == (SCRIPT, SCRIPT)


FILES = ("absent.sh", "folder", "../outside.sh", "/etc/passwd", "link.sh", "notes.txt", "long.sh", "binary", "\0", "")


@pytest.mark.parametrize("path", [*FILES, "a\nb"])
def test_a_file_that_is_no_script_of_the_project_is_found(tmp_path: Path, path: str) -> None:
    project = tmp_path / "project"
    (project / "folder").mkdir(parents=True)
    (tmp_path / "outside.sh").write_text(SCRIPT)
    (project / "link.sh").symlink_to(tmp_path / "outside.sh")
    (project / "notes.txt").write_text("notes")
    (project / "long.sh").write_text(SCRIPT * 1000)
    (project / "binary").write_bytes(b"#!\xff")
    with pytest.raises(ValidationError):
        Scripts.model_validate({"before": path}, context={PROJECT: project})
