"""Repositories of git with the project in them, and what `muster plan --against` says there."""

import os
import subprocess
from pathlib import Path
from typing import Any

from tests.cli.conftest import Muster, Ran
from tests.stack_files import AS_OF

_IDENTITY = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def git(folder: Path, *arguments: str) -> str:
    """Runs git there, as somebody with no settings of their own."""
    command = ["git", "-C", str(folder), "-c", "init.defaultBranch=main", *arguments]
    ran = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **_IDENTITY})
    return ran.stdout.strip()


def commit(folder: Path, message: str = "as it was") -> str:
    """Commits everything there is, and gives the commit."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", message)
    return git(folder, "rev-parse", "HEAD")


def against(muster: Muster, *more: str, stack: str = "p5-odcr", ref: str = "main") -> Ran:
    """Runs it on a fixed day."""
    return muster("plan", stack, "--against", ref, "--as-of", AS_OF, *more)


def compared(muster: Muster, **named: str) -> Any:
    """What it prints for programs; what rules find in today's description is not the matter here."""
    ran = against(muster, "--json", **named)
    assert ran.code in {0, 1}, ran.err
    return ran.json["against"]


def costs(found: Any) -> dict[str, str]:
    """Path -> cost."""
    return {each["path"]: each["cost"] for each in found["changes"]}
