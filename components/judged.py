"""What stands before every component: arguments become a description, and the rules are asked about it."""

from collections.abc import Callable, Mapping
from typing import Any

import pulumi

from addons.judged import described_fleet
from components.refusal import Refused
from muster.clock import today
from muster.fleet.blueprint import Blueprint
from muster.fleet.derive import derive
from muster.fleet.description import EksCluster
from muster.fleet.facts import Facts
from muster.fleet.finding import SHAPE, Finding, Level
from muster.fleet.placeholders import placeholders
from muster.fleet.shape import shape
from policies.judgement import judge

_REGION = "aws:region"


def everything(_finding: Finding) -> bool:
    """A component that is all of what is described answers for all of it."""
    return True


def judged(
    component: str,
    said: Mapping[str, Any],
    places: Mapping[str, str],
    facts: Any,
    is_its_own: Callable[[Finding], bool] = everything,
) -> Blueprint:
    """The blueprint of a description that nothing mandatory is found in.

    Args:
        component: who asks, for words.
        said: the description.
        places: the argument that each place in it comes from.
        facts: what is known of the account, in the form of `stacks/facts`; None where nothing was said.
        is_its_own: which findings the component answers for.

    Raises:
        Refused: it is not of the form, a mandatory rule refuses it, or ids are not filled in.
    """
    made, faults = shape(EksCluster, said)
    known, wrong = (None, []) if facts is None else shape(Facts, facts)
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
    told = [each for each in (*judgement.findings, *placeholders(made)) if is_its_own(each)]
    stopping = [each for each in told if each.level is Level.MANDATORY]
    if stopping:
        raise Refused(component, stopping, places)
    for each in told:
        pulumi.log.warn(f"{each.where}: {each.rule}: {each.got}\n  -> {each.remedy}")
    return blueprint


def _of_facts(finding: Finding) -> Finding:
    where = f"facts.{finding.where}" if finding.where else "facts"
    return Finding(where, finding.rule, finding.level, finding.got, finding.remedy)
