"""Examples from the corpus: a sound stack, and the lines of it that an entry changes."""

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any

import yaml

from muster.config.document import CLUSTER_KEY, parse
from muster.config.project import facts_file, open_stack, stack_file, stacks
from muster.finding import Finding, parse_dotted_path
from muster.fleet.resources import AuthorityReport, Fleet
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import judge
from muster.policies.engine.rule import Rule
from tests.corpus import BROKEN, Entry, entries
from tests.stack_files import ROOT
from tools.rules_pages.entries import answers, own_entry
from tools.rules_pages.example import Example, fenced, said, things

_LONGEST = 18
"""Most lines of a block that is shown as a whole."""
_NAMED = ("groups", "storage", "network")
"""Blocks of which only a part is shown, because their entries have names."""
_ONE_LINE = 64
"""Most characters of a block on one line."""


def described_example(rule: Rule) -> Example | None:
    """The shortest entry that breaks this rule, preferably an entry that breaks only this rule. None if none exists.

    An entry without findings is skipped here: the tests of the corpus report it.
    """
    own = own_entry(rule.id)
    fitting = [each for each in entries(BROKEN) if each.by_description and rule.id in each.finds]
    for entry in (*([own] if own else []), *sorted(fitting, key=_length)):
        if made := _example(rule, entry):
            return made
    return None


def _length(entry: Entry) -> tuple[int, bool, int, int, str]:
    return len(entry.finds), not entry.change, len(entry.change) + len(entry.learn), len(str(entry.change)), entry.name


def _example(rule: Rule, entry: Entry) -> Example | None:
    """None if the rule has no finding, or if no resource passes it."""
    opened = entry.opened()
    if opened.described is None:
        return None
    fleet, of_stack = described_fleet(opened.derive(), entry.as_of), _fleet(entry.stack)
    if answered := answers(entry.name):
        of_stack, fleet = _with(of_stack, answered[0]), _with(fleet, answered[1])
    failing = judge(fleet, rules=(rule,))
    if not failing.findings:
        return None
    before, after = _shown(entry, failing.findings)
    stack, sound, asked = entry.stack, before, _asked(rule, of_stack)
    if not asked:
        stack, sound = _elsewhere(rule, entry, failing.findings)
        asked = _asked(rule, _fleet(stack)) if stack else 0
    if not asked or not sound:
        return None
    own = own_entry(rule.id) is entry
    file = f"tools/rules_pages/entries/{entry.name}.yaml" if own else entry.file
    start = f"[`stacks/Pulumi.{entry.stack}.yaml`](../../../stacks/Pulumi.{entry.stack}.yaml)"
    return Example(
        passes=(
            f"In [`stacks/Pulumi.{stack}.yaml`](../../../stacks/Pulumi.{stack}.yaml):",
            "",
            *fenced("yaml", sound),
            f"`muster check {stack}` evaluates the rule on {things(asked)} and finds nothing.",
            "",
        ),
        fails=(
            entry.says,
            "",
            f"[`{file}`](../../../{file}), a change of {start if stack != entry.stack else 'that file'}:",
            "",
            *fenced("diff", _diff(before, after)),
            f"`muster check` prints{_when(entry)}:",
            "",
            *said(failing.findings),
        ),
        of=file,
    )


def _with(fleet: Fleet, thing: AuthorityReport) -> Fleet:
    return replace(fleet, objects=(*fleet.objects, thing))


_TODAY: date = Entry.model_fields["as_of"].default


@cache
def _fleet(stack: str) -> Fleet:
    return described_fleet(open_stack(ROOT, stack).derive(), _TODAY)


def _asked(rule: Rule, fleet: Fleet) -> int:
    """The number of resources that pass a rule; also 0 if one of them is not evaluated."""
    judgement = judge(fleet, rules=(rule,))
    return 0 if judgement.findings or judgement.not_evaluated else judgement.judged.get(rule.id, 0)


def _elsewhere(rule: Rule, entry: Entry, findings: tuple[Finding, ...]) -> tuple[str, list[str]]:
    """Another stack that passes the rule, and its block that corresponds to the findings: an entry can add the
    resource that the rule evaluates, so that its own stack has none."""
    places = [parse_dotted_path(each.where) for each in findings if not each.where.startswith("urn:")]
    backend = _data(entry.stack)[0].get("backend")
    for stack in stacks(ROOT):
        cluster, _ = _data(stack)
        if not places or cluster.get("backend") != backend or not _asked(rule, _fleet(stack)):
            continue
        head = str(places[0][0])
        block = cluster.get(head)
        if isinstance(block, Mapping) and head in _NAMED:
            block = dict(list(block.items())[-1:])
        if block and len(lines := _dump({head: block})) <= _LONGEST:
            return stack, lines
    return "", []


def _when(entry: Entry) -> str:
    """The date, if it differs from that of the tests."""
    return "" if entry.as_of == _TODAY else f" on {entry.as_of}"


def _shown(entry: Entry, findings: tuple[Finding, ...]) -> tuple[list[str], list[str]]:
    """The blocks around the changes, before and after, as YAML."""
    cluster, _ = _data(entry.stack)
    changed = json.loads(entry.stack_text())["config"][CLUSTER_KEY]
    paths = list(entry.change)
    found = [each.where for each in findings if each.where and not each.where.startswith("urn:")]
    if not paths:  # only facts, the Region or the date change: show the block of the finding
        paths = found[:1]
    if not any(
        _at(cluster, tuple(map(str, parse_dotted_path(path)))[:2]) for path in paths
    ):  # all of it is new: show the block of a finding
        paths += [each for each in found if _at(cluster, tuple(map(str, parse_dotted_path(each)))[:2])][:1]
    before, after = _blocks(cluster, changed, paths) if paths else ([], [])  # no path: about the account
    if entry.region:
        before.insert(0, f"aws:region: {_region(entry.stack)}")
        after.insert(0, f"aws:region: {entry.region}")
    if entry.learn:
        known, learnt = _facts(entry.stack), json.loads(entry.facts_text())
        told, tells = _blocks(known, learnt, list(entry.learn))
        heading = [f"# stacks/facts/{entry.stack}.json"]
        before, after = [*before, *heading, *told], [*after, *heading, *tells]
    return before, after


def _blocks(before: Any, after: Any, paths: list[str]) -> tuple[list[str], list[str]]:
    """The parts of two documents around some paths: each block once, in the order of the paths."""
    kept = {_around(before, after, parse_dotted_path(path)) for path in paths}
    whole = sorted(each for each in kept if not any(each != other and each[: len(other)] == other for other in kept))
    return _dump(_parts(before, whole)), _dump(_parts(after, whole))


def _around(before: Any, after: Any, path: tuple[str | int, ...]) -> tuple[str, ...]:
    """The largest block around a path that both documents have and that is not too long."""
    keys = tuple(str(each) for each in path)
    for length in (*([2] if keys[0] in _NAMED else []), *range(1, len(keys))):
        both = [_at(before, keys[:length]), _at(after, keys[:length])]
        if all(each is not None and len(_dump(each)) <= _LONGEST for each in both):
            return keys[:length]
    return keys


def _at(data: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data


def _parts(data: Any, kept: list[tuple[str, ...]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for keys in kept:
        value = _at(data, keys)
        if value is None:
            continue
        block = made
        for key in keys[:-1]:
            block = block.setdefault(key, {})
        block[keys[-1]] = value
    return made


class _Dumper(yaml.SafeDumper):
    """Writes YAML as people do: small blocks on one line, longer blocks on several."""

    def represent_mapping(self, tag: str, mapping: Any, flow_style: Any = None) -> Any:
        """A mapping, on one line if that is short."""
        return _short(super().represent_mapping(tag, mapping, flow_style))

    def represent_sequence(self, tag: str, sequence: Any, flow_style: Any = None) -> Any:
        """A list, on one line if that is short."""
        return _short(super().represent_sequence(tag, sequence, flow_style))


def _short(node: Any) -> Any:
    node.flow_style = bool(node.flow_style) and _letters(node) <= _ONE_LINE
    return node


def _letters(node: Any) -> int:
    """The approximate length of a node on one line."""
    if isinstance(node, yaml.ScalarNode):
        return len(node.value) + 2
    pairs = node.value if isinstance(node, yaml.SequenceNode) else [each for pair in node.value for each in pair]
    return sum(map(_letters, pairs)) + 2


def _dump(data: Any) -> list[str]:
    if not data:
        return []
    text = yaml.dump(data, Dumper=_Dumper, sort_keys=False, default_flow_style=None, width=200, allow_unicode=True)
    return text.rstrip().splitlines()


def _diff(before: list[str], after: list[str]) -> Iterator[str]:
    """Every line, with marks for removed and added lines."""
    for line in difflib.ndiff(before, after):
        if not line.startswith("?"):
            yield f"{line[0]} {line[2:]}".rstrip()


@cache
def _data(stack: str) -> tuple[Any, str]:
    document = parse(stack_file(ROOT, stack).read_text(encoding="utf-8"), stack_file(ROOT, stack)).data
    config = document["config"]
    return config[CLUSTER_KEY], config["aws:region"]


def _region(stack: str) -> str:
    return _data(stack)[1]


def _facts(stack: str) -> Any:
    file = facts_file(ROOT, stack)
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
