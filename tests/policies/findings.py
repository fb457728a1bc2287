"""What rules report of a fleet, as short texts."""

from muster.fleet.resources import Fleet
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.judgement import Judgement, judge
from muster.policies.engine.rule import Rule


def rule_of(id: str) -> Rule:
    """The rule of that id."""
    return next(each for each in all_rules() if each.id == id)


def found(judgement: Judgement) -> set[str]:
    """Findings as ``rule @ place``."""
    return {f"{each.rule} @ {each.where}" for each in judgement.findings}


def unjudged(judgement: Judgement) -> set[str]:
    """What was not evaluated as ``rule @ resource``."""
    return {f"{each.rule} @ {each.resource}" for each in judgement.not_evaluated}


def got_by(rule: str, fleet: Fleet) -> list[str]:
    """The `got` texts of the findings of one rule."""
    return [each.got for each in judge(fleet, rules=[rule_of(rule)]).findings]
