"""Reads the stack files of a project at a git ref from git's objects, and loads them like files."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from muster import child_process
from muster.config.stack_file import StackFile, load

_CONFIGURATION = (
    # A folder of a pull request may look like a bare repository, whose configuration names programs that git runs.
    "safe.bareRepository=explicit",
    # A partial clone fetches missing objects with the programs that its configuration names.
    "protocol.allow=never",
    "core.fsmonitor=false",
)


class NotInGit(Exception):
    """The files at a ref cannot be read; the message has the reason and the remedy."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit, and the ref that the user gave for it."""

    folder: Path
    """The folder of the project today."""
    ref: str
    commit: str
    prefix: str
    """The project's path below the repository's root: empty, or with a slash at its end."""

    def files(self, under: str, *endings: str) -> dict[str, bytes]:
        """The files in and below a folder of the project whose names have these endings, by their paths in the project.

        Raises:
            NotInGit: git does not have an object of the commit.
        """
        listed = [path for path in self._listed(under) if path.endswith(endings)]
        objects = "".join(f"{self.commit}:{self.prefix}{path}\n" for path in listed)
        answered = _git(self.folder, "cat-file", "--batch", "--follow-symlinks", given=objects.encode())
        return dict(zip(listed, _contents(answered, len(listed)), strict=True))

    def _listed(self, under: str) -> Iterator[str]:
        """The paths of files and links below a folder; names with a line break are left out."""
        tree = _git(self.folder, "ls-tree", "-r", "-z", "--full-tree", self.commit, "--", f"{self.prefix}{under}/")
        for entry in tree.decode(errors="surrogateescape").split("\0"):
            about, _, path = entry.partition("\t")
            if path and "\n" not in path and about.split()[1] == "blob":
                yield path.removeprefix(self.prefix)


def revision(folder: Path, ref: str) -> Revision:
    """The commit of a ref, in the repository of a project.

    Raises:
        NotInGit: there is no git, no repository, or no such commit.
    """
    prefix = _git(folder, "rev-parse", "--show-prefix").decode().removesuffix("\n")
    if not ref.isprintable():
        raise NotInGit("a ref is a name on one line; give a branch, a tag or a commit")
    try:
        found = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    except _GitFailed:
        problem = f"this repository has no commit '{ref}'"
        raise NotInGit(
            f"{problem}; if it is a shallow clone, run `git fetch --unshallow` (in CI: fetch-depth: 0)"
        ) from None
    return Revision(folder, ref, found.decode().strip(), prefix)


class _GitFailed(NotInGit):
    """Git answered with an error."""


def _git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
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
            printed, errors = git.communicate(given)
    except FileNotFoundError:
        raise NotInGit("`git` is not on PATH; install it, or compare the files by hand") from None
    if git.returncode == 0:
        return printed
    message = errors.decode(errors="replace").strip()
    if "not a git repository" in message:
        raise NotInGit(f"{folder} is not in a git repository, which --against needs")
    raise _GitFailed(f"git {arguments[0]} failed: {message.splitlines()[0] if message else f'exit {git.returncode}'}")


def _contents(answered: bytes, count: int) -> Iterator[bytes]:
    """The contents in an answer of `cat-file --batch`: a head with the size, the bytes, a line end.

    Raises:
        NotInGit: an object is missing, for example in a partial clone.
    """
    at = 0
    for _ in range(count):
        end = answered.index(b"\n", at)
        head = answered[at:end].decode(errors="replace")
        size = head.rpartition(" ")[2]
        if head.endswith(" missing") or not size.isdigit():
            raise NotInGit(f"git does not have {head.rpartition(' ')[0]}; run `git fetch --refetch` to get it")
        if head.split(" ")[0] in {"dangling", "loop", "notdir", "symlink"}:
            # A broken link, or a link out of the repository: its size is that of the path, which follows.
            yield b""
        else:
            yield answered[end + 1 : end + 1 + int(size)]
        at = end + 1 + int(size) + 1


_STACKS = "stacks"


@contextmanager
def stack_at(revision: Revision, name: str) -> Iterator[StackFile | None]:
    """The stack at a ref, with its facts and the other stacks of its cluster; None if it did not exist.

    Raises:
        NotInGit: git does not have the files.
    """
    with TemporaryDirectory(prefix="muster-against-") as made:
        folder = Path(made)
        for path, content in revision.files(_STACKS, ".yaml", ".json").items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        yield _loaded(folder, name) if (folder / _STACKS / f"Pulumi.{name}.yaml").is_file() else None


def _loaded(folder: Path, name: str) -> StackFile:
    stacks = folder / _STACKS
    return load(name, stacks / f"Pulumi.{name}.yaml", stacks / "facts" / f"{name}.json")
