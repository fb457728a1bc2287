"""Projects of other teams, written for one test each."""

from collections.abc import Mapping
from pathlib import Path

from muster.foreign.program import ProgramRun, run_program
from muster.foreign.project import Project, open_project

PULUMI_YAML = "name: theirs\nruntime: python\n"
RESOURCE = """\
import pulumi


class Any(pulumi.CustomResource):
    def __init__(self, kind, name, props, opts=None):
        super().__init__(kind, name, {"arn": None, **props}, opts)


"""
"""Resources without the second that an SDK of AWS's takes to import."""


def a_project(folder: Path, program: str = "", files: Mapping[str, str] | None = None) -> Project:
    """Writes a project and opens it."""
    for name, text in {"Pulumi.yaml": PULUMI_YAML, "__main__.py": program, **(files or {})}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return open_project(folder)


def ran(folder: Path, program: str, files: Mapping[str, str] | None = None, **how: object) -> ProgramRun:
    """Runs a program on the only stack of its project."""
    project = a_project(folder, RESOURCE + program, files)
    return run_program(project, project.choose(None), **how)  # type: ignore[arg-type]


def inputs(ran: ProgramRun, name: str) -> Mapping[str, object]:
    """What the program gives of one resource."""
    (found,) = [each for each in ran.registrations if each.name == name]
    return found.inputs
