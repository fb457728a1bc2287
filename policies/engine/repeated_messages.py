"""Which messages of AWS's `pcluster` package repeat a finding of a rule: one fault is reported once, by the rule."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from muster.finding import Finding, Level
from muster.fleet.resources import AuthorityReport, ComputeResource, Fleet, HeadNode, LoginPool, ValidatorMessage
from muster.policies.coverage.parallelcluster_validators import SCHEMA, SCHEMA_KEYS, VALIDATORS
from muster.unknown import UNKNOWN

_ERROR = "ERROR"
_STEP = re.compile(r"\w+")
_PART = re.compile(r"(queues\.[^.]+(\.groups\.[^.]+)?|login-nodes\.[^.]+|storage\.[^.]+|head)(?=\.|$)")


def without_repeated(fleet: Fleet, findings: Collection[Finding]) -> Fleet:
    """The fleet, whose reports have only messages that none of the findings repeats.

    Args:
        fleet: the things to judge.
        findings: those of all other rules, without suppressed ones: a suppression does not change what AWS refuses.
    """
    if not fleet.of(AuthorityReport):
        return fleet
    types = frozenset(_types(fleet))
    objects = tuple(
        replace(each, said=tuple(one for one in each.said if not is_repeated(one, findings, types)))
        if isinstance(each, AuthorityReport)
        else each
        for each in fleet.objects
    )
    return replace(fleet, objects=objects)


def is_repeated(message: ValidatorMessage, findings: Iterable[Finding], types: frozenset[str]) -> bool:
    """Whether a finding is about the same fault: its rule judges what the validator judges, and about the same thing.

    Only a mandatory finding repeats an error: otherwise Muster would not stop what AWS refuses.

    Args:
        message: a message of the schema or of a validator.
        findings: findings of rules.
        types: the instance types of the cluster.
    """
    if message.failed:
        return False
    rules = _rules_of(message)
    return any(
        each.rule in rules
        and (message.level != _ERROR or each.level is Level.MANDATORY)
        and _of_the_same(message, each, types)
        for each in findings
    )


def _rules_of(message: ValidatorMessage) -> frozenset[str]:
    if message.by == SCHEMA:
        return frozenset(rule for step in _STEP.findall(message.key) for rule in SCHEMA_KEYS.get(step, ()))
    answer = VALIDATORS.get(message.by)
    return frozenset(answer.rules if answer else ())


def _of_the_same(message: ValidatorMessage, finding: Finding, types: frozenset[str]) -> bool:
    """Whether both are about the same queue, group, file system or head node, or one place contains the other. A
    message without a place is about the instance types that it names."""
    at, where = _part(message.at), _part(finding.where)
    if at:
        return not where or f"{at}.".startswith(f"{where}.") or f"{where}.".startswith(f"{at}.")
    named = {each for each in types if each in message.text}
    return not named or any(each in finding.got for each in named)


def _part(path: str) -> str:
    found = _PART.match(path)
    return found[0] if found else ""


def _types(fleet: Fleet) -> Iterator[str]:
    for resource in fleet.of(ComputeResource):
        if resource.instances is not UNKNOWN:
            yield from resource.instances
    others: list[HeadNode | LoginPool] = [*fleet.of(HeadNode), *fleet.of(LoginPool)]
    yield from (each.instance for each in others if isinstance(each.instance, str))
