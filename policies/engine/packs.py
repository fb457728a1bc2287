"""Rules of users: a folder with `rules.yaml` and modules, as a topic of Muster's rules has."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, RootModel

from muster.backends import records
from muster.config.document import Document, LocatedFinding, locate_at, read
from muster.config.validation import validate
from muster.finding import SCHEMA, Finding, KeyPath, Level, dotted_path
from muster.fleet.resources.fleet import Judged
from muster.policies.engine import catalogue, rule_index
from muster.policies.engine.configuration import Misconfigured
from muster.policies.engine.rule import OWN_PACKAGE, Severity, Sheet, raised, resolved

Text = Annotated[str, Field(min_length=1)]
Judges: Any = Literal[tuple(sorted(each.__name__ for each in get_args(Judged)))]
Backend: Any = Literal[tuple(records.RECORDS)]


class OwnSheet(BaseModel):
    """A rule, as `rules.yaml` documents it."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    title: Text
    level: Literal["mandatory", "advisory"]
    severity: Literal["low", "medium", "high", "critical"] = "medium"
    judges: Annotated[list[Judges], Field(min_length=1)]
    backends: Annotated[list[Backend], Field(min_length=1)] = list(records.RECORDS)
    why: Text
    remedy: Text
    source: Annotated[list[Text], Field(min_length=1)]
    module: Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_]*$")]
    options: str = ""


class OwnSheets(RootModel[dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")], OwnSheet]]):
    """The sheets of a folder by the ids of the rules."""


def use(folders: Iterable[Path]) -> None:
    """Makes the rules of these folders, and no others of users, rules of this process.

    Raises:
        Misconfigured: a folder has faults; the exception has all of the first such folder.
    """
    rule_index.OWN[:] = ()
    for each in (rule_index.sheets, catalogue.all_rules, catalogue.rules_about, resolved):
        each.cache_clear()
    for folder in dict.fromkeys(each.resolve() for each in folders):
        rule_index.OWN.extend(_sheets(folder))
        rule_index.sheets.cache_clear()


def _sheets(folder: Path) -> list[Sheet]:
    document = read(folder / "rules.yaml", inside=folder)
    if not document.file.exists():
        raise Misconfigured([_fault(document, (), f"there is no {document.file}", "name a folder with rules.yaml")])
    faults = [LocatedFinding(document.file, position, finding) for _, position, finding in document.faults]
    found, shaped = validate(OwnSheets, document.data or {}) if document.is_read else (None, [])
    faults += [locate_at(document, path, finding) for path, finding in shaped]
    if found is None or faults:
        raise Misconfigured(faults)
    package = _package(folder)
    made = [
        Sheet(
            id=id_,
            level=Level(each.level),
            severity=Severity(each.severity),
            facts=(),
            topic=folder.name,
            module=f"{package}.{each.module}",
            options_class=each.options,
            judges=tuple(each.judges),
            backends=tuple(each.backends),
            source=tuple(each.source),
            title=each.title,
            why=each.why,
            remedy=each.remedy,
        )
        for id_, each in found.root.items()
    ]
    taken = {each.id for each in rule_index.sheets()}
    wrong = [_fault(document, (each.id,), *why) for each in made for why in _wrong(each, taken)]
    if wrong or not made:
        nothing = (
            "it has no rules",
            "write a rule: its id, and below it title, level, judges, why, remedy, source, module",
        )
        raise Misconfigured(wrong or [_fault(document, (), *nothing)])
    return made


def _wrong(sheet: Sheet, taken: set[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with a rule, and what to do."""
    if sheet.id in taken:
        yield f"there is already a rule '{sheet.id}'", "choose another id"
    file, function = f"{sheet.module.rpartition('.')[2]}.py", sheet.id.replace("-", "_")
    for name in filter(None, (function, sheet.options_class)):
        try:
            resolved(f"{sheet.module}:{name}")
        except AttributeError:
            yield f"{file} has no {name}", f"define {name} in {file}, or correct `module`"
        except Exception as fault:  # noqa: BLE001  (whatever a module raises)
            yield f"{file} cannot be imported: {raised(fault, file)}", f"correct {file}, or `module`"


def _package(folder: Path) -> str:
    """The package of the folder's modules. No module is imported yet."""
    name = f"{OWN_PACKAGE}{''.join(each if each.isalnum() else '_' for each in folder.name)}"
    for known in [each for each in sys.modules if each.partition(".")[0] == name]:
        del sys.modules[known]
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__path__ = [str(folder)]
    return name


def _fault(document: Document, path: KeyPath, got: str, remedy: str) -> LocatedFinding:
    return locate_at(document, path, Finding(dotted_path(path), SCHEMA, Level.MANDATORY, got, remedy, about_key=True))
