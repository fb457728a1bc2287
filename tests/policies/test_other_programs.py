"""General security in another team's program: advice, about a training cluster alone, unless a configuration asks."""

from typing import Any

import pytest
from pulumi.runtime.proto import analyzer_pb2 as pb

from muster.finding import Level
from muster.offline import run_program
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.configuration import of_values
from muster.policies.engine.other_programs import SECURITY, for_other_programs
from tests.policies.engines_words import told

RULE = "imds-v2-required"


def template(instance: str) -> None:
    import pulumi_aws as aws

    aws.ec2.LaunchTemplate("nodes", instance_type=instance)


def levels_in_the_pack(instance: str, config: dict[str, Any] | None = None) -> list[int]:
    registered = run_program(lambda: template(instance))
    return [each.enforcementLevel for each in told(registered, config=config) if each.policyName == RULE]


def test_only_rules_about_security_change() -> None:
    made = {each.id: each for each in for_other_programs(all_rules())}
    assert {each.id for each in all_rules() if made[each.id] != each} == {
        each.id for each in all_rules() if each.topic == SECURITY
    }
    assert {each.level for each in made.values() if each.topic == SECURITY} == {Level.ADVISORY}


@pytest.mark.parametrize(
    ("config", "level"), [(None, pb.ADVISORY), ({"muster": {"security": "mandatory"}}, pb.MANDATORY)]
)
def test_the_pack_advises_until_its_configuration_asks_for_more(config: Any, level: int) -> None:
    assert levels_in_the_pack("p5.48xlarge", config) == [level]


def test_a_web_servers_template_is_not_judged() -> None:
    assert levels_in_the_pack("t3.small") == []


def test_check_and_pack_read_the_same_configuration() -> None:
    """A level of one rule never goes above `security`, and a disabled one is not asked."""
    made, faults = of_values({"muster": {"security": "mandatory"}, "imds-out-of-pods": "disabled"})
    asked = {each.id: each.level for each in made.rules_for_others}
    assert not faults
    assert asked[RULE] is Level.MANDATORY
    assert "imds-out-of-pods" not in asked
