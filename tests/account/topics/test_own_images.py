"""Images and key pairs of one's own, of answers."""

from muster.account.topics.images import CUSTOM_IMAGES
from muster.fleet.facts import ImageFacts, KeyPairFacts
from muster.versions import PARALLELCLUSTER
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.sound_ec2 import ec2

WANTED = needs("pcluster-p4de-custom-ami", {"head.login.key-pair": "ml-admins"})
AMI = "ami-0e164b7fb9c384084"


def test_everything_that_aws_says_is_known() -> None:
    """What built an image its tags say."""
    result, _ = run_topic(CUSTOM_IMAGES, WANTED, ec2(WANTED).answers())
    assert result.facts.images[AMI].model_dump() == {
        "exists": True,
        "parallelcluster_version": PARALLELCLUSTER,
        "os": "alinux2023",
    }
    assert result.facts.key_pairs["ml-admins"].model_dump() == {"exists": True}
    assert [each.words for each in result.lines] == [
        f"built by ParallelCluster {PARALLELCLUSTER}, alinux2023",
        "exists",
    ]


def test_tags_of_another_account_are_not_seen() -> None:
    """The image is there all the same; what built it is not known."""
    made = ec2(WANTED)
    del made.images[0]["Tags"]
    result, _ = run_topic(CUSTOM_IMAGES, WANTED, made.answers())
    assert result.facts.images[AMI] == ImageFacts(exists=True)


def test_what_aws_does_not_know_does_not_exist() -> None:
    """An image of another Region, a key pair that was deleted."""
    made = ec2(WANTED)
    made.images.clear()
    made.key_pairs.clear()
    result, _ = run_topic(CUSTOM_IMAGES, WANTED, made.answers())
    assert result.facts.images[AMI] == ImageFacts(exists=False)
    assert result.facts.key_pairs["ml-admins"] == KeyPairFacts(exists=False)


def test_an_image_of_eks_and_a_key_pair_of_its_nodes() -> None:
    """Whoever runs the nodes. HyperPod's volumes are SageMaker's: nothing is asked there."""
    change = {
        "groups.workers.image": {"custom": {"id": "ami-0123456789abcdef0"}},
        "groups.workers.session": {"key-pair": "ml-admins"},
    }
    wanted = needs("p5-odcr", change)
    result, _ = run_topic(CUSTOM_IMAGES, wanted, ec2(wanted).answers())
    assert (set(result.facts.images), set(result.facts.key_pairs)) == ({"ami-0123456789abcdef0"}, {"ml-admins"})
    assert run_topic(CUSTOM_IMAGES, needs("hyperpod-existing-eks"), {})[1].queries == []
