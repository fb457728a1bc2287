"""Zones and offerings, of answers."""

from muster.account.topics.capacity import OFFERINGS
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.sound_ec2 import Ec2


def test_every_type_of_the_stack_is_asked_about_by_ec2s_name() -> None:
    """The head node's, too; HyperPod's without SageMaker's prefix."""
    for stack, types in (
        ("pcluster-p4de-batch-g5", {"g5.12xlarge", "m5.8xlarge", "p4de.24xlarge"}),
        ("hyperpod-existing-eks", {"p5.48xlarge"}),
        ("p5-odcr", {"c5.2xlarge", "p5.48xlarge"}),
    ):
        result, _ = run_topic(OFFERINGS, needs(stack), Ec2().answers())
        assert set(result.facts.offerings) == types


def test_a_type_that_no_zone_offers_has_none() -> None:
    """That is an answer, too. Wavelength's zones nobody can name."""
    made = Ec2(offerings={"p5.48xlarge": ["us-west-2b", "us-west-2a", "us-west-2-wl1-las-wlz-1", "us-west-2-lax-1a"]})
    result, _ = run_topic(OFFERINGS, needs("p5-odcr"), made.answers())
    assert result.facts.offerings == {
        "c5.2xlarge": (),
        "p5.48xlarge": ("us-west-2-lax-1a", "us-west-2a", "us-west-2b"),
    }
