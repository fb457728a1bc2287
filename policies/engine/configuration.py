"""The configuration of the rules: levels, options, suppressions, and the facts of another team's account.

`pulumi preview --policy-pack-config` and `muster check --config` read the same file format. The engine passes unknown
names to the pack and takes the last of two equal keys; this module reports every fault with its place. A stack file may
have the same levels and options, as `muster:policies`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import new_class
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

from muster.config.description.suppression import Suppression
from muster.config.document import POLICIES_KEY, Document, LocatedFinding, locate_at
from muster.config.document import read as read_document
from muster.config.validation import validate
from muster.finding import SCHEMA, Finding, KeyPath, Level, WrongInput, dotted_path, parse_dotted_path
from muster.fleet.facts import Facts
from muster.message_text import did_you_mean
from muster.policies.engine.catalogue import Selection, all_rules
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule
from muster.position import NOWHERE
from muster.stack.stack_checks import region_problem
from muster.stack.stack_file import StackFile

ALL = "all"
"""The engine's key for the level of every rule."""

MUSTER = "muster"
"""The key of suppressions, facts, and Region. The pack has a policy of this name, which finds nothing."""

ENVIRONMENTS = "environments"
"""The engine's own key: the environments of Pulumi ESC to open. The engine does not pass it to the pack."""

LEVEL_KEY = "enforcementLevel"
DISABLED = "disabled"
LevelName = Literal["mandatory", "advisory", "disabled"]
LEVELS: tuple[str, ...] = get_args(LevelName)


@dataclass(frozen=True, slots=True)
class RuleSetting:
    """The level and the options that a document sets for one rule."""

    level: str | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    """Option name, as in the file -> value."""


Settings = Mapping[str, RuleSetting]
"""Rule -> the setting of it. A level of all rules is a setting of each."""


@dataclass(frozen=True)
class Configuration:
    """How the rules are evaluated. The default evaluates every rule with the level and the options of its sheet."""

    settings: Settings = field(default_factory=dict)
    suppress: tuple[Suppression, ...] = ()
    facts: Facts | None = None
    """Facts about the account of another team's program. A stack of Muster's has its own file of facts."""
    facts_file: str = ""
    """The file that has the facts, or the place where a user can add them."""
    region: str | None = None
    """The Region of another team's program, used where the program sets none."""
    selection: Selection = field(default_factory=Selection)
    """The rules that this run evaluates."""
    document: Document | None = None

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The selected rules that are not disabled, with their configured levels and options, sorted by id."""
        return tuple(
            _configured(each, self.settings.get(each.id, RuleSetting()))
            for each in self.selection.of(all_rules())
            if not self._disables(each)
        )

    @property
    def disabled(self) -> tuple[str, ...]:
        """The ids of the selected rules that the configuration disables."""
        return tuple(each.id for each in self.selection.of(all_rules()) if self._disables(each))

    def _disables(self, rule: Rule) -> bool:
        return rule.id in self.settings and self.settings[rule.id].level == DISABLED

    def over(self, opened: StackFile) -> "Configuration":
        """The configuration of a stack of Muster's: the stack's `muster:policies` override this configuration.

        Raises:
            Misconfigured: its `muster:policies` has faults; `checked` reports them with the stack's other faults.
        """
        if opened.policies is None:
            return self
        settings, faults = _of_stack(opened)
        if faults:
            raise Misconfigured(faults)
        merged = {name: _over(each, self.settings.get(name)) for name, each in settings.items()}
        return replace(self, settings={**self.settings, **merged})

    def locate(self, finding: Finding) -> LocatedFinding:
        """The place in the configuration file of a finding about the configuration's own suppressions."""
        assert self.document is not None
        return locate_at(self.document, parse_dotted_path(finding.where), finding)


def _over(setting: RuleSetting, below: RuleSetting | None) -> RuleSetting:
    """A setting that overrides another one of the same rule."""
    return RuleSetting(setting.level or below.level, {**below.given, **setting.given}) if below else setting


def _configured(rule: Rule, setting: RuleSetting) -> Rule:
    if setting == RuleSetting():
        return rule
    options = rule.options.model_validate(setting.given) if setting.given else None
    return rule.configured(Level(setting.level) if setting.level else None, options)


class Misconfigured(WrongInput):
    """A configuration with schema errors."""

    def __init__(self, faults: Iterable[LocatedFinding]) -> None:
        self.faults = tuple(sorted(set(faults)))
        lines = ((f"{each}: {each.finding.got}", f"  fix: {each.finding.remedy}") for each in self.faults)
        super().__init__(*(line for pair in lines for line in pair))


def read(file: Path) -> Configuration:
    """Reads a configuration file in YAML or JSON. The engine reads only JSON.

    Raises:
        Misconfigured: it has faults; the exception has all of them, each with its place.
    """
    if wrong := _no_file(file):
        remedy = "give a file of levels and options (`muster schema policies` prints its schema), or leave out --config"
        raise Misconfigured([LocatedFinding(file, NOWHERE, _fault((), wrong, remedy)[1])])
    document = read_document(file)
    faults = [LocatedFinding(document.file, position, finding) for _, position, finding in document.faults]
    if not document.is_read:
        raise Misconfigured(faults)
    made, found = _whole(document.data if document.data is not None else {}, file.parent)
    faults += [each if isinstance(each, LocatedFinding) else locate_at(document, *each) for each in found]
    if faults:
        raise Misconfigured(faults)
    return replace(made, document=document, facts_file=made.facts_file or f"{file} ({MUSTER}.facts)")


def of_values(given: Mapping[str, Any]) -> tuple[Configuration, tuple[Finding, ...]]:
    """The configuration in the plain values that the engine passes, and its faults; their `where` is the key path.

    The engine does not pass the file's path, so a relative path of facts is a fault.
    """
    made, found = _whole(given, None)
    return made, tuple(each.finding if isinstance(each, LocatedFinding) else each[1] for each in found)


def checked(opened: StackFile) -> StackFile:
    """The stack, with the faults of its `muster:policies` added to its faults."""
    return opened.with_faults(_of_stack(opened)[1]) if opened.policies is not None else opened


Fault = tuple[KeyPath, Finding]


def _of_stack(opened: StackFile) -> tuple[Settings, list[LocatedFinding]]:
    settings, faults = _settings(opened.policies, (ALL,))
    placed = [
        opened.place_in_policies(path, replace(finding, where=dotted_path((POLICIES_KEY, *path))))
        for path, finding in faults
    ]
    return settings, placed


_KEYS = (ALL, MUSTER, ENVIRONMENTS)


def _whole(given: Any, folder: Path | None) -> tuple[Configuration, list[Fault | LocatedFinding]]:
    settings, found = _settings(given, _KEYS)
    faults: list[Fault | LocatedFinding] = [*found]
    made = Configuration(settings)
    if isinstance(given, dict) and MUSTER in given:
        made, more = _of_muster(made, given[MUSTER], folder)
        faults += more
    if isinstance(given, dict) and ENVIRONMENTS in given and not _is_names(given[ENVIRONMENTS]):
        remedy = "write a list of names of Pulumi ESC environments, or remove the key"
        faults.append(_fault((ENVIRONMENTS,), "is not a list of names, which the engine requires here", remedy))
    return made, faults


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _settings(given: Any, others: tuple[str, ...]) -> tuple[Settings, list[Fault]]:
    """The levels and options in a block, and its faults."""
    if not isinstance(given, dict):
        example = "write rules and their levels, for example {RULE: advisory}"
        return {}, [_fault((), "is not a block of rules", example)]
    rules = {each.id: each for each in all_rules()}
    faults: list[Fault] = []
    each: dict[str, RuleSetting] = {}
    for key, value in given.items():
        if key in rules:
            each[key], found = _said(key, value, rules[key].options)
            faults += found
        elif key not in others:
            faults.append(_unknown(key, [*rules, *others]))
    if ALL not in given:
        return each, faults
    every, found = _said(ALL, given[ALL], Options)
    return {name: _over(each.get(name, RuleSetting()), every) for name in rules}, faults + found


def _unknown(key: str, known: list[str]) -> Fault:
    got = f"unknown key '{key}': no rule of that name{did_you_mean(key, known)}"
    return _fault((key,), got, f"use a rule id that `muster explain --all` lists, or {ALL}", about_key=True)


def _said(key: str, value: Any, options: type[Options]) -> tuple[RuleSetting, list[Fault]]:
    """The setting of one rule, and its faults. The value is a level, or a block with a level and options."""
    if value is None:
        remedy = f"write {key}: advisory, or remove the key"
        return RuleSetting(), [_fault((key,), f"'{key}' has no value", remedy, about_key=True)]
    block = value if isinstance(value, dict) else {LEVEL_KEY: value}
    faults = _at((key,), validate(_written(options), block)[1])
    if block is not value:  # a level alone has no key of its own
        faults = [_fault((key,), each.got, each.remedy, about_key=each.about_key) for _, each in faults]
    given = {name: each for name, each in block.items() if name != LEVEL_KEY}
    level = block.get(LEVEL_KEY)
    return RuleSetting(level if isinstance(level, str) else None, given), faults


def _at(path: KeyPath, faults: Iterable[Fault]) -> list[Fault]:
    """Faults of a block, by the whole path."""
    return [((*path, *below), replace(each, where=dotted_path((*path, *below)))) for below, each in faults]


@cache
def _written(options: type[Options]) -> type[Options]:
    """A rule's block as a model that accepts only the names that a configuration file uses."""
    own = {
        "model_config": ConfigDict(validate_by_name=False),
        "__annotations__": {LEVEL_KEY: LevelName | None},
        "__module__": __name__,
        LEVEL_KEY: None,
    }
    return new_class(options.__name__, (options,), exec_body=lambda body: body.update(own))


class World(BaseModel):
    """The block below the key `muster`. `_facts` validates its facts."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    suppress: tuple[Suppression, ...] = ()
    region: str | None = None
    facts: Any = None


def _of_muster(
    made: Configuration, given: Any, folder: Path | None
) -> tuple[Configuration, list[Fault | LocatedFinding]]:
    """The configuration with the block below the key `muster`, and the block's faults."""
    if not isinstance(given, dict):
        got = f"'{given}' is not a block of keys" if isinstance(given, str) else "is not a block of keys"
        remedy = f"write suppress, facts or region below {MUSTER}, which is not a rule and has no level"
        return made, [_fault((MUSTER,), got, remedy)]
    world, shaped = validate(World, {key: value for key, value in given.items() if key != "facts"})
    faults: list[Fault | LocatedFinding] = [*_at((MUSTER,), shaped)]
    if world is not None:
        faults += _wrong_in(world)
        made = replace(made, suppress=world.suppress, region=world.region)
    if "facts" in given:
        facts, file, more = _facts(given["facts"], folder)
        made = replace(made, facts=facts, facts_file=file)
        faults += more
    return made, faults


def _wrong_in(world: World) -> list[Fault]:
    """Faults of suppressions that name an unknown rule, and of an invalid Region."""
    known = [each.id for each in all_rules()]
    found: list[Fault] = []
    for index, given in enumerate(world.suppress):
        if given.rule not in known:
            got = f"no rule '{given.rule}'{did_you_mean(given.rule, known)}"
            use = "use a rule id that `muster explain --all` lists"
            found.append(_fault((MUSTER, "suppress", index, "rule"), got, use))
    if world.region is not None and (wrong := region_problem(world.region)):
        found.append(_fault((MUSTER, "region"), wrong, "write a Region, for example us-west-2"))
    return found


def _facts(given: Any, folder: Path | None) -> tuple[Facts | None, str, list[Fault | LocatedFinding]]:
    """The facts in the configuration, or in the file that it names; the path of that file, or empty; and the faults."""
    path: KeyPath = (MUSTER, "facts")
    if isinstance(given, dict):
        facts, shaped = validate(Facts, given)
        return facts, "", [*_at(path, shaped)]
    if not isinstance(given, str):
        remedy = "write the path of a file, or the facts themselves"
        return None, "", [_fault(path, "is neither the path of a file nor facts", remedy)]
    file = Path(given)
    if folder is None and not file.is_absolute():
        got = f"'{given}' is a relative path, and the engine does not tell the pack which folder it is relative to"
        return None, "", [_fault(path, got, "write an absolute path, or the facts themselves")]
    file = (folder or Path()) / file
    if wrong := _no_file(file):
        remedy = "write the path of a file of facts (`muster schema facts` prints its schema), or the facts themselves"
        return None, "", [_fault(path, wrong, remedy)]
    document = read_document(file)
    faults: list[Fault | LocatedFinding] = [
        LocatedFinding(file, position, finding) for _, position, finding in document.faults
    ]
    facts, shaped = validate(Facts, document.data) if document.is_read else (None, [])
    return facts, str(file), [*faults, *(locate_at(document, below, each) for below, each in shaped)]


def _no_file(file: Path) -> str:
    """Why there is no such file, as text for a message. Empty where the file exists, readable or not."""
    try:
        if file.is_dir():
            return f"{file} is a folder"
        if file.exists():
            return ""
        if not file.parent.is_dir():
            return f"there is no folder {file.parent}, so there is no file {file}"
        return f"there is no file {file}{did_you_mean(file.name, [each.name for each in file.parent.iterdir()])}"
    except (OSError, ValueError):  # a folder without permission to list it, an invalid file name
        return f"there is no file {file}"


def _fault(path: KeyPath, got: str, remedy: str, *, about_key: bool = False) -> Fault:
    return path, Finding(dotted_path(path), SCHEMA, Level.MANDATORY, got, remedy, about_key=about_key)
