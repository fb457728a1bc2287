"""Options of rules: each is tried at its boundary (`cases/options.py`)."""

import pytest

from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.judgement import judge
from muster.policies.engine.options import NoOptions
from tests.factories import a_fleet, a_group, a_subnet
from tests.policies.case import all_cases, rule_of
from tests.policies.cases import options


def test_every_option_is_tried_at_its_boundary() -> None:
    assert all_cases()
    assert {
        (rule.id, name.replace("_", "-"))
        for rule in all_rules()
        if rule.options is not NoOptions
        for name in rule.options.model_fields
    } == options.TRIED


def test_a_rule_reads_no_other_rules_options() -> None:
    """Settings of another rule are a bug, never defaults."""
    given = rule_of("training-plan-usable").options.model_validate({"days": 3})
    rule = rule_of("subnet-holds-all-nodes").configured(settings=given)
    with pytest.raises(Exception, match="expected Spare, got Left"):
        judge(a_fleet(), rules=[rule])


def test_spare_addresses_are_counted_to_the_last_one() -> None:
    """As many as the nodes leave are spared; one more is one too many."""
    rule = rule_of("subnet-holds-all-nodes")
    fleet = a_fleet(a_group(nodes_max=2), subnets=[a_subnet(free_addresses=4000)])

    def got(spare: int) -> list[str]:
        settings = rule.options.model_validate({"addresses": spare})
        return [each.got for each in judge(fleet, rules=[rule.configured(settings=settings)]).findings]

    least = next(spare for spare in range(4001) if got(spare))
    assert "4001 addresses" in got(least)[0]
