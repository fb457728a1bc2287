"""Images and key pairs, of answers."""

import pytest

from muster.account.topics.images import CUSTOM_IMAGES, IMAGES
from muster.fleet.facts import ImageFacts, KeyPairFacts
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.sound_ec2 import ec2
from tests.account.sound_services import AMI, answers

SELF_MANAGED = needs("p5-join-existing")
AT = "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64"
RELEASE = f"{AT}/nvidia/amazon-eks-node-al2023-x86_64-nvidia-1.35-v20260903/image_id"
OURS = "/teams/ml/images/training-2026-11"


def asked_for(wanted) -> list[str]:
    """The paths that a stack asks for."""
    return [each.parameters["Name"] for each in run_topic(IMAGES, wanted, answers(wanted))[1].queries]


@pytest.mark.parametrize(
    ("stack", "change", "paths"),
    [
        ("p5-join-existing", {}, [RELEASE]),
        ("p5-odcr", {}, [f"{AT}/nvidia/recommended/image_id", f"{AT}/standard/recommended/image_id"]),
        ("trn1", {}, [f"{AT}/neuron/recommended/image_id", f"{AT}/standard/recommended/image_id"]),
        ("p5-join-existing", {"groups.workers.image": {"custom": {"ssm": OURS}}}, [OURS]),
        ("p5-join-existing", {"groups.workers.image": {"custom": {"id": AMI}}}, []),
        (
            "p5-odcr",
            {"groups.workers.image": "bottlerocket", "groups.system.image": "bottlerocket"},
            [
                "/aws/service/bottlerocket/aws-k8s-1.35-nvidia/x86_64/latest/image_id",
                "/aws/service/bottlerocket/aws-k8s-1.35/x86_64/latest/image_id",
            ],
        ),
        ("hyperpod-p5", {}, []),
        ("pcluster-gpu", {}, []),
    ],
)
def test_groups_are_asked_for_by_the_parameter_that_tells_of_their_image(stack, change, paths) -> None:
    """The one that a template names; for an image that EKS chooses, EKS's newest of that kind; each once."""
    assert asked_for(needs(stack, change)) == paths


@pytest.mark.parametrize("value", ["", "ami-", '{"image_id": "ami-0123456789abcdef0"}', "x" * 4000])
def test_a_parameter_that_holds_something_else(value) -> None:
    """It is there; no image is known of it."""
    result, _ = run_topic(IMAGES, SELF_MANAGED, {"ssm.GetParameter": {"Parameter": {"Value": value}}})
    assert result.facts.image_parameters == {}


def test_images_and_key_pairs_of_ones_own() -> None:
    """Tags of another account's image are not seen; an image of another Region is not there, nor a deleted key pair."""
    wanted = needs("pcluster-p4de-custom-ami", {"head.login.key-pair": "ml-admins"})
    made = ec2(wanted)
    (image,) = made.images
    del image["Tags"]
    result, _ = run_topic(CUSTOM_IMAGES, wanted, made.answers())
    assert result.facts.images == {image["ImageId"]: ImageFacts(exists=True)}
    made.images.clear()
    made.key_pairs.clear()
    result, _ = run_topic(CUSTOM_IMAGES, wanted, made.answers())
    assert result.facts.images == {image["ImageId"]: ImageFacts(exists=False)}
    assert result.facts.key_pairs == {"ml-admins": KeyPairFacts(exists=False)}
