"""What every component does first: its arguments become a description, rules judge it, and resources get the component
as parent."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pulumi
from pulumi.errors import InputPropertyErrorDetails
from pulumi.runtime.settings import get_root_resource, set_root_resource

from muster.blueprint.account_references import placeholder_findings
from muster.blueprint.cluster import Blueprint
from muster.blueprint.derive.cluster import derive
from muster.clock import today
from muster.components.arguments import described
from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.contract import SECRETS
from muster.finding import SCHEMA, Finding, Level, parse_dotted_path
from muster.fleet.facts import Facts
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import judge


class Refused(Exception):
    """The description that arguments come to is refused: each finding with its argument."""

    def __init__(self, component: str, findings: Iterable[Finding], arguments: Mapping[str, str]) -> None:
        placed = [(argument_of(each.where, arguments), each) for each in sorted(findings)]
        count = "1 finding" if len(placed) == 1 else f"{len(placed)} findings"
        self.details = [
            InputPropertyErrorDetails(property_path=place, reason=f"{each.rule}: {each.got}\n  fix: {each.remedy}")
            for place, each in placed
        ]
        lines = [f"{place}: {each.rule}: {each.got}\n  fix: {each.remedy}" for place, each in placed]
        head = f"Muster refuses the arguments of {component} ({count}); nothing was registered."
        super().__init__("\n".join([head, *lines]))


def argument_of(where: str, arguments: Mapping[str, str]) -> str:
    """The argument that a place of the description comes from; the nearest above it, and what is missing below."""
    path = where
    below: list[str] = []
    while path and path not in arguments:
        steps = parse_dotted_path(path)
        last = str(steps[-1])
        below.insert(0, last)
        path = path[: -len(last)].rstrip(".[]") if path.endswith(last) else path.rpartition("[")[0]
    found = arguments.get(path, "")
    return ".".join(filter(None, (found, *(_camel(each) for each in below)))) or "args"


def _camel(key: str) -> str:
    first, *others = key.split("-")
    return first + "".join(each[:1].upper() + each[1:] for each in others)


_REGION = "aws:region"


def checked_blueprint(
    component: str,
    given: Mapping[str, Any],
    *,
    own: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
    is_its_own: Callable[[Finding], bool] = lambda _: True,
) -> Blueprint:
    """The blueprint of a description that nothing mandatory is found in.

    Args:
        component: the name of the component, for messages.
        given: what its arguments come to: the keys of a description, in Python's spelling, and `facts`.
        own: a block of the description -> the argument that it is, where that has another name.
        more: keys of the description that are no arguments.
        is_its_own: which findings the component answers for; all, if it is all of what is described.

    Raises:
        Refused: it has schema errors, a mandatory rule refuses it, or it has placeholders.
    """
    facts = given.get("facts")
    document, places = described({key: each for key, each in given.items() if key != "facts"}, EksCluster)
    places = {where: _own_name(argument, own or {}) for where, argument in places.items()}
    made, faults = validate(EksCluster, {"backend": "eks", **document, **(more or {})})
    known, wrong = (None, []) if facts is None else validate(Facts, facts)
    found = [finding for _, finding in faults if is_its_own(finding)]
    found += [_of_facts(finding) for _, finding in wrong]
    region = pulumi.Config("aws").get("region")
    if region is None:
        found.append(
            Finding(
                _REGION, SCHEMA, Level.MANDATORY, "no Region is set", f"set {_REGION} in the configuration of the stack"
            )
        )
    if made is None or found or region is None:
        raise Refused(component, found or [finding for _, finding in faults], places)
    blueprint = derive(made, pulumi.get_stack(), region, known, "facts")
    judgement = judge(described_fleet(blueprint, today()), made.suppress)
    found = [each for each in (*judgement.findings, *placeholder_findings(made)) if is_its_own(each)]
    stopping = [each for each in found if each.level is Level.MANDATORY]
    if stopping:
        raise Refused(component, stopping, places)
    for each in found:
        told = ": ".join(filter(None, (each.where, each.rule, each.got)))
        pulumi.log.warn(f"{told}\n  fix: {each.remedy}")
    return blueprint


def _own_name(argument: str, own: Mapping[str, str]) -> str:
    for block, name in own.items():
        if argument == block or argument.startswith(f"{block}."):
            return (name + argument[len(block) :]).lstrip(".")
    return argument


def _of_facts(finding: Finding) -> Finding:
    where = f"facts.{finding.where}" if finding.where else "facts"
    return Finding(where, finding.rule, finding.level, finding.got, finding.remedy)


def export(component: pulumi.ComponentResource, outputs: Mapping[str, Any]) -> None:
    """Sets the outputs of a component, as the contract has them."""
    given = {key: pulumi.Output.from_input(value) for key, value in outputs.items()}
    given |= {key: pulumi.Output.secret(value) for key, value in given.items() if key in SECRETS}
    for key, value in given.items():
        setattr(component, key, value)
    component.register_outputs(given)


@contextmanager
def parent_of_resources(component: pulumi.Resource) -> Iterator[None]:
    """Makes a component the parent of resources that have none: in Muster's own program, resources of `deploy` are at
    the root of the stack. The SDK keeps the root in a separate context for each program and each construction."""
    before = get_root_resource()
    set_root_resource(component)
    try:
        yield
    finally:
        set_root_resource(before)
