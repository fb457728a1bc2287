"""Rules of users: a folder with `rules.yaml` and modules, as a topic of Muster's rules has."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, RootModel

from muster.backends import records
from muster.config.document import Document, LocatedFinding, invalid_finding, locate_at, read
from muster.config.validation import validate
from muster.finding import KeyPath, dotted_path
from muster.fleet.resources.fleet import Judged
from muster.message_text import raised
from muster.policies.engine import catalogue, rule_index
from muster.policies.engine.configuration import Misconfigured
from muster.policies.engine.rule import OWN_PACKAGE, Sheet, resolved

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


RuleId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]


class OwnSheets(RootModel[Annotated[dict[RuleId, OwnSheet], Field(min_length=1)]]):
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
    made = [rule_index.sheet_of_row(folder.name, package, name, each.model_dump()) for name, each in found.root.items()]
    taken = {each.id for each in rule_index.sheets()}
    wrong = [_fault(document, (each.id,), *why) for each in made for why in _wrong(each, taken)]
    if wrong:
        raise Misconfigured(wrong)
    return made


def _wrong(sheet: Sheet, taken: set[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with a rule, and what to do."""
    if sheet.id in taken:
        yield f"there is already a rule '{sheet.id}'", "choose another id"
    for name in filter(None, (sheet.id.replace("-", "_"), sheet.options_class)):
        try:
            resolved(f"{sheet.module}:{name}")
        except AttributeError:
            yield f"{sheet.file} has no {name}", f"define {name} in {sheet.file}, or correct `module`"
        except Exception as fault:  # noqa: BLE001  (whatever a module raises)
            yield f"cannot import {raised(fault, sheet.file)}", f"correct {sheet.file}, or `module`"


def _package(folder: Path) -> str:
    """The package of the folder's modules. No module is imported yet."""
    name = f"{OWN_PACKAGE}{''.join(each if each.isalnum() else '_' for each in str(folder))}"
    for known in [each for each in sys.modules if each.partition(".")[0] == name]:
        del sys.modules[known]
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__path__ = [str(folder)]
    return name


def _fault(document: Document, path: KeyPath, got: str, remedy: str) -> LocatedFinding:
    return locate_at(document, path, invalid_finding(dotted_path(path), got, remedy, about_key=True))
