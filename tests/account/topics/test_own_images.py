"""Images and key pairs of one's own, of answers."""

from muster.account.topics.images import CUSTOM_IMAGES
from muster.fleet.facts import ImageFacts, KeyPairFacts
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.sound_ec2 import ec2

WANTED = needs("pcluster-p4de-custom-ami", {"head.login.key-pair": "ml-admins"})
AMI = "ami-0e164b7fb9c384084"


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
