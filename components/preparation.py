"""What every component does first: its arguments become a description, rules judge it, and resources get the component
as parent."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pulumi
from pulumi.errors import InputPropertyErrorDetails
from pulumi.runtime.settings import get_root_resource, set_root_resource

from muster.blueprint.derive.cluster import derive
from muster.blueprint.kubernetes import Blueprint
from muster.clock import today
from muster.config.account_references import placeholder_findings
from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.finding import SHAPE, Finding, Level, parse_dotted_path
from muster.fleet.facts import Facts
from policies.engine.described_fleet import described_fleet
from policies.engine.judgement import judge


class Refused(Exception):
    """The description that arguments come to is refused: each finding with its argument."""

    def __init__(self, component: str, findings: Iterable[Finding], arguments: Mapping[str, str]) -> None:
        told = [(argument_of(each.where, arguments), each) for each in sorted(findings)]
        count = "1 finding" if len(told) == 1 else f"{len(told)} findings"
        self.details = [
            InputPropertyErrorDetails(property_path=place, reason=f"{each.rule}: {each.got}\n  -> {each.remedy}")
            for place, each in told
        ]
        lines = [f"{place}: {each.rule}: {each.got}\n  -> {each.remedy}" for place, each in told]
        head = f"Muster refuses what {component} is given ({count}); nothing was registered."
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


def any_finding(_finding: Finding) -> bool:
    """A component that is all of what is described answers for all of it."""
    return True


def checked_blueprint(
    component: str,
    document: Mapping[str, Any],
    places: Mapping[str, str],
    facts: Any,
    is_its_own: Callable[[Finding], bool] = any_finding,
) -> Blueprint:
    """The blueprint of a description that nothing mandatory is found in.

    Args:
        component: who asks, for words.
        document: the description.
        places: the argument that each place in it comes from.
        facts: what is known of the account, in the form of `stacks/facts`; None without them.
        is_its_own: which findings the component answers for.

    Raises:
        Refused: it is not of the form, a mandatory rule refuses it, or ids are not filled in.
    """
    made, faults = validate(EksCluster, document)
    known, wrong = (None, []) if facts is None else validate(Facts, facts)
    found = [finding for _, finding in faults if is_its_own(finding)]
    found += [_of_facts(finding) for _, finding in wrong]
    region = pulumi.Config("aws").get("region")
    if region is None:
        found.append(
            Finding(_REGION, SHAPE, Level.MANDATORY, "no Region", f"set {_REGION} in the stack's configuration")
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
        pulumi.log.warn(f"{each.where}: {each.rule}: {each.got}\n  -> {each.remedy}")
    return blueprint


def _of_facts(finding: Finding) -> Finding:
    where = f"facts.{finding.where}" if finding.where else "facts"
    return Finding(where, finding.rule, finding.level, finding.got, finding.remedy)


@contextmanager
def parent_of_resources(component: pulumi.Resource) -> Iterator[None]:
    """Makes a component the parent of what has none: what `deploy` makes is at the stack's root in a
    program of ours. The SDK keeps the root in a context of its own for each program and each construction."""
    before = get_root_resource()
    set_root_resource(component)
    try:
        yield
    finally:
        set_root_resource(before)  # type: ignore[arg-type]
