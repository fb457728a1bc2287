"""What a description names and AWS does not know: one finding, and no rule that asks for anything of it."""

from typing import Any

import pytest

from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.derive.cluster import derive
from muster.config.account_references import find_references
from muster.config.project import open_stack, stacks
from muster.fleet.facts import Facts
from muster.fleet.resource_references import ResourceKind, ResourceReference
from policies.engine.described_fleet import described_fleet
from policies.engine.judgement import Judgement, judge
from tests.corpus import SOUND, entries
from tests.factories import AS_OF
from tests.policies.case import found, unjudged
from tests.policies.named import OF
from tests.stack_files import ROOT


def without(facts: Facts | None, each: ResourceReference) -> Facts:
    """Facts in which AWS knows no such thing, and says nothing else of it."""
    said: dict[str, Any] = (facts or Facts()).model_dump(mode="json", by_alias=True, exclude_defaults=True)
    said.setdefault(OF[each.kind], {})[each.id] = {"exists": False}
    return Facts.model_validate(said)


def judged(described: Any, stack: str, region: str, facts: Facts | None) -> Judgement:
    made: ClusterBlueprint = derive(described, stack, region, facts)
    return judge(described_fleet(made, AS_OF), described.suppress)


def described() -> dict[str, Any]:
    """Name -> a stack, or a sound entry of the corpus, as it is opened."""
    odd = {one.name: one.opened() for one in entries(SOUND) if one.by_description}
    return {**{name: open_stack(ROOT, name) for name in stacks(ROOT)}, **odd}


OPENED = described()
NAMED = [(name, each) for name, opened in OPENED.items() for each in find_references(opened.described)]


@pytest.mark.parametrize(("name", "each"), NAMED, ids=[f"{name}-{each.at}" for name, each in NAMED])
def test_one_finding_where_it_is_named(name: str, each: ResourceReference) -> None:
    """Nothing that was judged before is not judged any more, and nothing else is found."""
    opened = OPENED[name]
    before = judged(opened.described, name, opened.region, opened.facts)
    after = judged(opened.described, name, opened.region, without(opened.facts, each))
    assert found(after) - found(before) == {f"named-things-exist @ {each.at}"}
    assert unjudged(after) - unjudged(before) == set()


def test_every_kind_is_named_somewhere() -> None:
    """Or the law above would be one about fewer things than it says."""
    assert {each.kind for _, each in NAMED} == set(ResourceKind) == set(OF)


@pytest.mark.parametrize("name", OPENED)
def test_nothing_is_named_twice(name: str) -> None:
    """However often the description names it."""
    each = [(one.kind, one.id) for one in find_references(OPENED[name].described)]
    assert len(each) == len(set(each))
