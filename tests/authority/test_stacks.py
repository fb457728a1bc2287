"""The five stacks by AWS's own package."""

import pytest

from muster.authority.skipped_validators import SUPPRESSED
from muster.authority.validation import ANSWERED_BY_RULES, Level, as_sent, package_report, validate_cluster
from muster.authority.worker_process import Worker
from tests.authority.judged import STACKS, stack


def test_there_are_five_stacks() -> None:
    """One for each template of the reference architectures."""
    assert len(STACKS) == 5


def test_what_is_sent_is_text() -> None:
    """Every primitive, as CloudFormation sends it; structure stays."""
    assert as_sent({"a": True, "b": [1, "x", {"c": False}]}) == {"a": "true", "b": ["1", "x", {"c": "false"}]}


@pytest.mark.parametrize("name", STACKS)
def test_schema_and_validators_take_each_stack(name: str, aws: Worker) -> None:
    """No error, no warning but those that are answered here, and no validator that failed instead of judging."""
    judgement = validate_cluster(stack(name))
    told = [each for each in judgement.messages if each.level is not Level.INFO]
    assert {each.validator for each in told} <= set(ANSWERED_BY_RULES)
    assert not [each for each in told if each.level is Level.ERROR or each.crashed]
    assert package_report(stack(name)).said == ()
    assert not set(judgement.ran) & set(SUPPRESSED)
    assert len(judgement.ran) > 60


@pytest.mark.parametrize("name", STACKS)
def test_the_walk_says_what_the_package_says(name: str, aws: Worker) -> None:
    """Our walk over validators adds places; what is said, by whom, and how loudly, is the package's own `validate`."""
    from muster.authority.moto_content import moto_content, placeholder_id
    from muster.blueprint.parallelcluster.configuration import configuration

    blueprint = stack(name)
    said = as_sent(configuration(blueprint, placeholder_id))
    theirs = aws.ask(
        "by_package",
        cluster=blueprint.cluster_name,
        configuration=said,
        account=moto_content(blueprint),
        suppressed=sorted(SUPPRESSED),
    )
    ours = [[each.validator, each.level.value, each.text] for each in validate_cluster(blueprint).messages]
    assert sorted(ours) == theirs
