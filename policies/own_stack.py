"""The stack of Muster's own that the engine runs, as the pack sees it: its description, and where things of it stand.

The engine hands the pack the stack's configuration, so the description is judged as it is deployed. Its file and its
facts are looked for beside the pack, in the same checkout: there the engine reads the stack, too.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from addons.judged import described_fleet
from muster.fleet.finding import Finding
from muster.fleet.resources import Fleet
from muster.fleet.resources.fleet import Judged
from muster.fleet.stack_file import StackFile, load_values
from muster.fleet.stack_keys import CLUSTER_KEY, POLICIES_KEY, REGION_KEY
from muster.project import facts_file, stack_file
from policies.configuration import checked
from policies.rule import Rule
from policies.views.described import as_described

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""


class Undescribed(Exception):
    """The description of a stack of Muster's cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class OwnStack:
    """A stack with a description, and what its program registered."""

    opened: StackFile
    fleet: Fleet
    """What is registered, at the places of the description."""
    urns: tuple[tuple[type, str, str], ...]
    """Kind of a thing, its place in the description, its URN."""

    def urn_of(self, resource: str, rule: Rule | None = None) -> str:
        """The resource that a place of the description became: of a kind that the rule judges, where one is; empty
        where there is none."""
        if resource.startswith("urn:"):
            return resource
        here = [(kind, urn) for kind, place, urn in self.urns if place == resource]
        judged = [urn for kind, urn in here if rule and issubclass(kind, rule.kinds)]
        return next(iter((*judged, *(urn for _, urn in here))), "")

    def place_of(self, finding: Finding) -> str:
        """``groups.workers.nodes, stacks/Pulumi.p5-odcr.yaml:14:9``; a URN has no line."""
        if finding.where.startswith("urn:"):
            return ""
        located = self.opened.locate(finding)
        where = f"{_shown(located.file)}:{located.position.line}:{located.position.column}"
        said = str(located) if located.elsewhere else where
        return f"{finding.where}, {said}" if finding.where else said


def open_own(stack: str, config: Mapping[str, str], organization: str | None) -> StackFile | None:
    """The description of the stack that the engine runs; None of a program of another team.

    Raises:
        Undescribed: it has one, with faults, or of a cluster that nothing is known of.
    """
    if CLUSTER_KEY not in config:
        return None
    opened = load_values(
        stack,
        _value(config[CLUSTER_KEY]),
        config.get(REGION_KEY, ""),
        stack_file(ROOT, stack),
        facts_file(ROOT, stack),
        organization or None,
        _value(config[POLICIES_KEY]) if POLICIES_KEY in config else None,
    )
    opened = replace(checked(opened), facts_file=Path(_shown(opened.facts_file)))  # as people in the checkout name it
    if opened.described is None:
        faults = "; ".join(f"{_shown(each.file)}: {each.finding.where}: {each.finding.got}" for each in opened.faults)
        raise Undescribed(faults)
    if not opened.knows_cluster:
        raise Undescribed(f"nothing is known of {opened.unknown_cluster}")
    return opened


def registered(opened: StackFile, seen: Fleet, as_of: date) -> OwnStack:
    """A stack with what its program registered."""
    derived = described_fleet(opened.derive(), as_of)
    urns = {each.ref: each.place.resource for each in seen.objects}
    fleet = as_described(opened, derived, seen)
    things = _with_urns(fleet.objects, urns)
    # A program may register more than the description has; it is judged by the rules for the described cluster.
    return OwnStack(opened, replace(fleet, backend=derived.backend, unreadable=seen.unreadable), tuple(things))


def _with_urns(things: Iterable[Judged], urns: Mapping[Any, str]) -> Iterable[tuple[type, str, str]]:
    for each in things:
        if urn := urns.get(each.ref):
            yield type(each), each.place.resource, urn


def _value(text: str) -> Any:
    """A value of the engine's configuration: blocks are JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _shown(file: Path) -> str:
    """A file from the checkout's root."""
    return str(file.relative_to(ROOT)) if file.is_relative_to(ROOT) else str(file)
