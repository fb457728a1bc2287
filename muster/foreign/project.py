"""A Pulumi project of another team, in Python or YAML: its Pulumi.yaml, and the configuration of one of its stacks."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muster.config.document import Document, read
from muster.config.stack_checks import region_problem
from muster.finding import KeyPath
from muster.message_text import did_you_mean
from muster.secret_texts import mark
from muster.wire import UNKNOWN_TEXT


class CannotBeRead(Exception):
    """The input cannot be checked. The message states the place, what was found there, and what to do."""


PYTHON, YAML = "python", "yaml"
LANGUAGES = (PYTHON, YAML)
_FILES = ("Pulumi.yaml", "Pulumi.yml", "Pulumi.json")
_INSTEAD = "save a plan of it (`pulumi preview --save-plan FILE`) and check the plan: `muster check --plan FILE`"


@dataclass(frozen=True, slots=True)
class StackConfiguration:
    """The configuration of a stack, as the engine passes it to a program."""

    values: Mapping[str, str]
    """`namespace:key` -> text. An encrypted value is the text that the engine uses for unknown values."""
    secrets: tuple[str, ...]
    encrypted: tuple[str, ...]
    """The keys with values that Muster cannot decrypt."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project folder with its program."""

    language: str
    """`python` or `yaml`."""
    root: Path
    """The folder with Pulumi.yaml."""
    file: Path
    name: str
    options: Mapping[str, Any]
    """`runtime.options`: toolchain and virtualenv; for YAML, the compiler."""
    folder: Path
    """The folder in which the program runs."""
    program: str
    """The program to run, as Python's `runpy` takes it."""
    document: Document
    stacks_folder: Path

    def stacks(self) -> list[str]:
        """The names of its stacks, from the names of their files."""
        files = (*self.stacks_folder.glob("Pulumi.*.yaml"), *self.stacks_folder.glob("Pulumi.*.yml"))
        return sorted(each.name.removeprefix("Pulumi.").rpartition(".")[0] for each in files)

    def choose(self, wanted: str | None) -> str:
        """The stack to check: the named one, else the only one.

        Raises:
            CannotBeRead: no stack has that name, or there are several and no name is given.
        """
        known = self.stacks()
        if wanted is not None:
            short = wanted.rpartition("/")[2]
            if known and short not in known:
                raise CannotBeRead(
                    f"no stack '{short}' in {self.stacks_folder}{did_you_mean(short, known)} "
                    f"(stacks: {', '.join(known)})"
                )
            return short
        if len(known) > 1:
            raise CannotBeRead(f"{self.root} has several stacks ({', '.join(known)}); choose one with --stack")
        return known[0] if known else "dev"

    def settings(self, stack: str) -> StackConfiguration:
        """The configuration of a stack.

        Raises:
            CannotBeRead: its file is not YAML, its Region is misspelled, or a key that the project requires has no
                value.
        """
        file = next(
            (each for end in ("yaml", "yml") if (each := self.stacks_folder / f"Pulumi.{stack}.{end}").is_file()), None
        )
        document = _read(file) if file else None
        given = document.data.get("config") if document and isinstance(document.data, Mapping) else None
        if given is not None and not isinstance(given, Mapping):
            at = document.position(("config",)) if document else None
            place = f"{file}:{at.line}:{at.column}" if at else str(file)
            raise CannotBeRead(f"{place}: config is not a block of keys; write keys and values below it")
        if document and file:
            _refuse_misspelt_regions(given or {}, document, file)
        found = dict(self._values(given or {}))
        for key, path, declared in self._declared():
            value = _default(declared)
            if key in found:
                continue
            if value is not None:
                found[key] = _Value(value)
            elif isinstance(declared, Mapping) and "type" in declared and key.startswith(f"{self.name}:"):
                at = self.document.position(path, key=True)
                raise CannotBeRead(
                    f"{self.file}:{at.line if at else 1}:{at.column if at else 1}: stack '{stack}' does not set "
                    f"'{key}', which the project requires; set it in {self.stacks_folder / f'Pulumi.{stack}.yaml'}"
                )
        for key, _, declared in self._declared():
            if isinstance(declared, Mapping) and declared.get("secret") is True and key in found:
                mark(found[key].text)
        return StackConfiguration(
            {key: value.text for key, value in sorted(found.items())},
            tuple(sorted(key for key, value in found.items() if value.secret)),
            tuple(sorted(key for key, value in found.items() if value.encrypted)),
        )

    def _values(self, given: Mapping[str, Any]) -> Iterator[tuple[str, "_Value"]]:
        for key, value in given.items():
            yield self._full(key), _value(value)

    def _full(self, key: str) -> str:
        """`namespace:key`. Old keys have `config` between the two."""
        parts = key.split(":")
        if len(parts) == 1:
            return f"{self.name}:{key}"
        return f"{parts[0]}:{parts[2]}" if len(parts) == 3 and parts[1] == "config" else key  # noqa: PLR2004

    def _declared(self) -> Iterator[tuple[str, KeyPath, Any]]:
        declared = self.document.data.get("config")
        for key, each in (declared if isinstance(declared, Mapping) else {}).items():
            yield self._full(key), ("config", key), each


_REGION_KEYS = ("aws:region", "aws-native:region")


@dataclass(frozen=True, slots=True)
class _Value:
    text: str
    secret: bool = False
    encrypted: bool = False


def _value(value: Any) -> _Value:
    if isinstance(value, Mapping) and set(value) == {"secure"}:
        return _Value(UNKNOWN_TEXT, secret=True, encrypted=True)
    if isinstance(value, Mapping | list):
        opened, encrypted = _opened(value)
        return _Value(json.dumps(opened), secret=encrypted, encrypted=encrypted)
    return _Value(_text(value))


def _opened(value: Any) -> tuple[Any, bool]:
    """A structured value whose encrypted parts are replaced by unknown, and whether it had encrypted parts."""
    if isinstance(value, Mapping):
        if set(value) == {"secure"}:
            return UNKNOWN_TEXT, True
        below = {key: _opened(each) for key, each in value.items()}
        return {key: each for key, (each, _) in below.items()}, any(hidden for _, hidden in below.values())
    if isinstance(value, list):
        listed = [_opened(each) for each in value]
        return [each for each, _ in listed], any(hidden for _, hidden in listed)
    return value, False


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return getattr(value, "text", None) or ("" if value is None else str(value))


def _default(declared: Any) -> str | None:
    """The value that a project itself gives a key: directly, as `value`, or as the `default` of a key with a type."""
    if isinstance(declared, Mapping):
        given = declared.get("value", declared.get("default"))
        return None if given is None else _value(given).text
    return None if declared is None else _value(declared).text


def _refuse_misspelt_regions(given: Mapping[str, Any], document: Document, file: Path) -> None:
    for key in _REGION_KEYS:
        value = given.get(key)
        if isinstance(value, str) and (got := region_problem(value)):
            at = document.position(("config", key))
            raise CannotBeRead(f"{file}:{at.line if at else 1}:{at.column if at else 1}: {key}: {got}")


def _read(file: Path) -> Document:
    document = read(file)
    about_text = [each for each in document.faults if not each[0]]
    if about_text:
        _, at, finding = about_text[0]
        raise CannotBeRead(f"{file}:{at.line}:{at.column}: {finding.got}; {finding.remedy}")
    return document


def open_project(folder: Path) -> Project:
    """Reads a project.

    Raises:
        CannotBeRead: there is no project, or it is in another language.
    """
    root = folder.resolve()
    if root.is_file():
        raise CannotBeRead(f"{folder} is a file; give the folder with Pulumi.yaml, or check a saved file with --plan")
    if not root.is_dir():
        raise CannotBeRead(f"folder {folder} does not exist; give the folder with Pulumi.yaml")
    file = next((root / name for name in _FILES if (root / name).is_file()), None)
    if file is None:
        raise CannotBeRead(f"no Pulumi.yaml in {folder}; give the folder of a Pulumi project")
    document = _read(file)
    data = document.data if isinstance(document.data, Mapping) else {}
    name, runtime = data.get("name"), data.get("runtime")
    if not isinstance(name, str) or runtime is None:
        missing = "name" if not isinstance(name, str) else "runtime"
        raise CannotBeRead(f"{file}:1:1: has no `{missing}:`; a project file needs `name:` and `runtime:`")
    language = runtime.get("name") if isinstance(runtime, Mapping) else runtime
    if language not in LANGUAGES:
        at = document.position(("runtime",))
        place = f"{file}:{at.line}:{at.column}" if at else str(file)
        words = "Muster runs only programs in Python and YAML"
        raise CannotBeRead(f"{place}: runtime '{language}': {words}; {_INSTEAD}")
    options = runtime.get("options") if isinstance(runtime, Mapping) else None
    folder_of, program = _main(root, data.get("main"), file)
    stacks = data.get("stackConfigDir") or (data["config"] if isinstance(data.get("config"), str) else ".")
    return Project(
        language=str(language),
        root=root,
        file=file,
        name=name,
        options=options if isinstance(options, Mapping) else {},
        folder=folder_of,
        program=program,
        document=document,
        stacks_folder=_below(root, stacks, "stackConfigDir", file),
    )


def _main(root: Path, main: Any, file: Path) -> tuple[Path, str]:
    """The folder in which the program runs, and the program: `main` is a folder, or a file, which then runs in its
    folder."""
    if not main:
        return root, "."
    at = _below(root, main, "main", file).resolve()
    if at.is_dir():
        return at, "."
    if not at.exists():
        raise CannotBeRead(f"{file}: main '{main}' does not exist; set it to the folder or file of the program")
    return at.parent, at.name


def _below(root: Path, given: Any, key: str, file: Path) -> Path:
    """A folder or file that the project names."""
    try:
        if isinstance(given, str) and (root / given).exists() is not None:
            return root / given
    except (OSError, ValueError):  # no file can have this name
        pass
    raise CannotBeRead(f"{file}: {key} is not a valid path; set it to a folder or file in {root}")
