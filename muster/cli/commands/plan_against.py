"""`muster plan STACK --against REF`: two plans compared, resource by resource, with the cost of each changed key."""

import io
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from muster import child_process
from muster.edits import flow_text
from muster.finding import WrongInput
from muster.offline.resource_changes import ResourceChange, resource_changes
from muster.stack.own_program import own_program
from muster.stack.stack_file import StackFile, load

if TYPE_CHECKING:
    from datetime import date

    from muster.config.change_costs import DescribedChange
    from muster.offline.plan import Plan
    from muster.terminal import Style

_MOST_INPUTS = 6
_WIDEST = 80
_OPERATIONS = {"delete": "Only in the earlier plan", "update": "Changed inputs", "create": "Only in this plan"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed since a commit."""

    ref: str
    commit: str
    fields: "tuple[tuple[DescribedChange, str], ...]"
    """The changed keys, each with its cost, the highest cost first."""
    resources: tuple[ResourceChange, ...]


def compare_with_ref(opened: StackFile, outcome: "Plan", ref: str, as_of: "date") -> Comparison:
    """Compares the plan of a stack with the plan of its files at a ref. Today's program makes both.

    Raises:
        WrongInput: there is no git, no such commit, or its stack cannot be planned.
    """
    from muster.config.change_costs import cost_of, cost_rank, description_changes
    from muster.offline.plan import record_stack

    assert opened.described is not None, "only a stack without schema errors has a plan"
    now = outcome.registrations
    commit = commit_of(opened.project, ref)
    with stack_at(opened, commit) as then:
        if then is None:
            return Comparison(ref, commit, (), tuple(resource_changes((), now)))
        if then.described is None or not then.knows_cluster:
            raise WrongInput(f"the file of stack '{opened.stack}' at {ref} has schema errors; compare with another")
        before = then.described
        earlier = record_stack(then, then.derive(), as_of, own=own_program(opened)).registrations
    changes = description_changes(before, opened.described)
    fields = [(each, cost_of(each, before, opened.described)) for each in changes]
    return Comparison(
        ref,
        commit,
        tuple(sorted(fields, key=lambda each: (-cost_rank(each[1]), each[0].where))),
        tuple(resource_changes(earlier, now)),
    )


def described(found: Comparison) -> dict[str, Any]:
    """The comparison, as `muster plan --json` prints it below `against`."""
    return {
        "ref": found.ref,
        "commit": found.commit,
        "changes": [
            {"path": each.where, "before": each.before, "after": each.after, "cost": cost}
            for each, cost in found.fields
        ],
        "resources": changes_json(found.resources),
    }


def changes_json(changes: Iterable[ResourceChange]) -> list[dict[str, Any]]:
    """Changes of resources, as `muster plan --json` prints them."""
    return [{**asdict(each), "inputs": list(each.inputs)} for each in changes]


def lines(found: Comparison, opened: StackFile, style: "Style") -> Iterator[str]:
    """The comparison as lines of text: changed keys, then changed resources."""
    from muster.cli.stacks import place_in_file
    from muster.config.change_costs import legend

    assert opened.described is not None, "only a stack without schema errors has a plan"
    yield style.strong(f"{opened.stack}: changes since {found.ref} ({found.commit[:12]})")
    meanings, stated = legend(opened.described), ""
    for each, cost in found.fields:
        if cost != stated:
            stated = cost
            yield ""
            yield f"{style.warn(cost)} ({meanings[cost]})"
        place = place_in_file(opened, each.where)
        yield f"  {place.file}:{place.line}:{place.column}: {each.where}: {_value(each.before)} -> {_value(each.after)}"
    yield from resource_lines(found.resources, _OPERATIONS, style)
    yield ""
    yield (
        f"{opened.stack}: {len(found.fields)} changed keys, {len(found.resources)} changed resources; "
        "`pulumi preview` shows which ones AWS replaces"
    )


def resource_lines(changes: Iterable[ResourceChange], titles: Mapping[str, str], style: "Style") -> Iterator[str]:
    """Changes of resources as lines of text, below the title of each operation."""
    for operation, title in titles.items():
        if listed := [each for each in changes if each.operation == operation]:
            yield ""
            yield style.strong(title)
            yield from (f"  {each.type} {each.name}{_inputs(each)}" for each in listed)


def _inputs(each: ResourceChange) -> str:
    more = f" and {len(each.inputs) - _MOST_INPUTS} more" if len(each.inputs) > _MOST_INPUTS else ""
    return f": {', '.join(each.inputs[:_MOST_INPUTS])}{more}" if each.inputs else ""


def _value(value: Any) -> str:
    """A value on one line, as YAML has it; a long one is shortened."""
    text = "not set" if value is None else flow_text(value)
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 3]}..."


_CONFIGURATION = (
    # A folder of a pull request may look like a bare repository, whose configuration names programs that git runs.
    "safe.bareRepository=explicit",
    # A partial clone fetches missing objects with the programs that its configuration names.
    "protocol.allow=never",
    "core.fsmonitor=false",
)


class NotInGit(WrongInput):
    """The files at a ref cannot be read."""


def commit_of(folder: Path, ref: str) -> str:
    """The commit of a ref, in the repository of a project.

    Raises:
        NotInGit: there is no git, no repository, or no such commit.
    """
    _git(folder, "rev-parse", "--git-dir")
    if not ref.isprintable():
        raise NotInGit("a ref is a name on one line; give a branch, a tag or a commit")
    try:
        found = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    except NotInGit:
        problem = f"this repository has no commit '{ref}'"
        raise NotInGit(
            f"{problem}; if it is a shallow clone, run `git fetch --unshallow` (in CI: fetch-depth: 0)"
        ) from None
    return found.decode().strip()


def _git(folder: Path, *arguments: str) -> bytes:
    """The output of a git command.

    Raises:
        NotInGit: there is no git, or it fails.
    """
    # Without the variables that a git hook sets: they may point to another repository.
    environment = {**child_process.environment(), "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
    options = (option for each in _CONFIGURATION for option in ("-c", each))
    command: list[str | Path] = ["git", "-C", folder.absolute(), *options, *arguments]
    pipe = child_process.PIPE
    try:
        with child_process.start(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe) as git:
            printed, errors = git.communicate()
    except FileNotFoundError:
        raise NotInGit("`git` is not on PATH; install it, or compare the files by hand") from None
    if git.returncode == 0:
        return printed
    message = errors.decode(errors="replace").strip()
    if "not a git repository" in message:
        raise NotInGit(f"{folder} is not in a git repository, which --against needs")
    raise NotInGit(f"git {arguments[0]} failed: {message.splitlines()[0] if message else f'exit {git.returncode}'}")


@contextmanager
def stack_at(opened: StackFile, commit: str) -> Iterator[StackFile | None]:
    """The stack at a commit, with its facts and the other stacks of its cluster; None if it did not exist.

    Raises:
        NotInGit: git does not have the files.
    """
    project = opened.project
    file, facts = (each.absolute().relative_to(project) for each in (opened.document.file, opened.facts_file))
    if not _has(project, commit, file):
        yield None
        return
    # Stack files may be links to other files of the project.
    folders = [str(each) for each in (file.parent, facts.parent) if each != Path() and _has(project, commit, each)]
    archive = _git(project, "archive", "--format=tar", commit, "--", *folders, "*.yaml")
    with TemporaryDirectory(prefix="muster-against-") as made:
        # Level 0 leaves out links that lead out of the folder.
        with tarfile.open(fileobj=io.BytesIO(archive), errorlevel=0) as files:
            files.extraction_filter = getattr(tarfile, "data_filter", None)  # since Python 3.11.4
            files.extractall(made)  # noqa: S202 - with the filter
        yield load(opened.stack, Path(made, file), Path(made, facts))


def _has(project: Path, commit: str, path: Path) -> bool:
    """Whether a commit has a file or a folder of a project."""
    try:
        _git(project, "rev-parse", "--verify", "--quiet", f"{commit}:./{path.as_posix()}")
    except NotInGit:
        return False
    return True
