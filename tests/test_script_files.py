"""Scripts of a description that are files of its project."""

from pathlib import Path
from typing import Any

import pytest

from muster.config.description.node_boot import MOST_USER_DATA, Scripts
from muster.stack.script_files import with_scripts

SCRIPT = "#!/bin/bash\necho 1\n"


def described(text: str, key: str = "before") -> dict[str, Any]:
    return {
        "groups": {"workers": {"scripts": {key: text}}},
        "queues": {"a": {"groups": {"b": {"scripts": {key: text}}}}},
    }


def test_a_path_becomes_the_text_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/disks.sh").write_text(SCRIPT)
    for key in ("before", "after"):
        assert with_scripts(described("scripts/disks.sh", key), tmp_path) == (described(SCRIPT, key), [])


@pytest.mark.parametrize(
    "data", [described(SCRIPT), described("a\nb"), {"groups": 1, "scripts": {"before": "x"}}, None]
)
def test_all_else_stays_as_it_is(tmp_path: Path, data: Any) -> None:
    assert with_scripts(data, tmp_path) == (data, [])


def test_a_file_that_is_no_script_of_the_project_is_found(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "folder").mkdir(parents=True)
    (tmp_path / "outside.sh").write_text(SCRIPT)
    (project / "link.sh").symlink_to(tmp_path / "outside.sh")
    (project / "notes.txt").write_text("notes")
    (project / "long.sh").write_text(SCRIPT * 1000)
    (project / "binary").write_bytes(b"#!\xff")
    for path in (
        "absent.sh",
        "folder",
        "../outside.sh",
        "/etc/passwd",
        "link.sh",
        "notes.txt",
        "long.sh",
        "binary",
        "\0",
    ):
        _, faults = with_scripts(described(path), project)
        assert [fault for fault, _ in faults] == [
            ("groups", "workers", "scripts", "before"),
            ("queues", "a", "groups", "b", "scripts", "before"),
        ]


def test_two_scripts_share_the_limit_of_user_data() -> None:
    half = SCRIPT + "x" * (MOST_USER_DATA // 2 - len(SCRIPT))
    Scripts.model_validate({"before": half, "after": half})
    with pytest.raises(ValueError, match=str(MOST_USER_DATA + 1)):
        Scripts.model_validate({"before": half, "after": f"{half}x"})
