"""A thing that a description names and AWS does not have is one finding, and no other rule needs facts about it."""

from functools import cache
from typing import Any

import pytest

from muster.blueprint.account_references import find_references
from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.derive.cluster import derive
from muster.fleet.facts import Facts
from muster.fleet.resource_references import ResourceKind, ResourceReference
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import Judgement, judge
from muster.stack.project import open_stack, stacks
from muster.stack.stack_file import StackFile
from tests.corpus import SOUND, entry_of, names
from tests.factories import AS_OF
from tests.policies.fact_sections import SECTIONS
from tests.policies.findings import found, unjudged
from tests.stack_files import ROOT


def without(facts: Facts | None, each: ResourceReference) -> Facts:
    """Facts that it does not exist, and no others about it."""
    said: dict[str, Any] = (facts or Facts()).model_dump(mode="json", by_alias=True, exclude_defaults=True)
    said.setdefault(SECTIONS[each.kind], {})[each.id] = {"exists": False}
    return Facts.model_validate(said)


def judged(described: Any, stack: str, region: str, facts: Facts | None) -> Judgement:
    made: ClusterBlueprint = derive(described, stack, region, facts)
    return judge(described_fleet(made, AS_OF), described.suppress)


@cache
def opened(name: str) -> StackFile:
    """A stack, or a sound entry of the corpus."""
    return open_stack(ROOT, name) if name in STACKS else entry_of(SOUND, name).opened()


def named(name: str) -> tuple[ResourceReference, ...]:
    """What its description names; nothing for an entry that also has resources."""
    described = name in STACKS or entry_of(SOUND, name).by_description
    return tuple(find_references(opened(name).described)) if described else ()


STACKS = stacks(ROOT)
NEEDS_ITS_FACTS = ("eks-efa-in-public-subnets-with-endpoints", "eks-proxy-beside-an-endpoint-for-ec2")
"""Sound only with the facts about their subnets."""
NAMES = [*STACKS, *(each for each in names(SOUND) if each not in NEEDS_ITS_FACTS)]


@pytest.mark.parametrize("name", NAMES)
def test_one_finding_where_it_is_named(name: str) -> None:
    """There is no other new finding, and every rule that judged before still judges, however often the description
    names it."""
    references = named(name)
    if not references:
        return
    stack = opened(name)
    before = judged(stack.described, name, stack.region, stack.facts)
    for each in references:
        after = judged(stack.described, name, stack.region, without(stack.facts, each))
        assert found(after) - found(before) == {f"named-things-exist @ {each.at}"}
        assert unjudged(after) - unjudged(before) == set()
    distinct = {(each.kind, each.id) for each in references}
    assert len(references) == len(distinct)


def test_every_kind_is_named_somewhere() -> None:
    """The law above is tested for every kind of thing."""
    assert {each.kind for name in NAMES for each in named(name)} == set(ResourceKind) == set(SECTIONS)
