"""The account that validators ask: what the facts say decides, and what nobody said is as the description wants it."""

from typing import Any

import pytest

from muster.authority.moto_content import moto_content, placeholder_id
from muster.authority.validation import Level, validate_cluster, validate_configuration
from muster.authority.worker_process import Worker
from muster.blueprint.parallelcluster.configuration import configuration
from muster.versions import PARALLELCLUSTER
from tests.authority.judged import AMI, CR, SUBNET, a_queue, derived
from tests.strategies import Described

FS = "fs-0a1b2c3d4e5f60718"
VPC = "vpc-0a1b2c3d4e5f60718"
ARN = "arn:aws:resource-groups:us-west-2:111122223333:group/ours"
IN_GROUP = {"reservation-group": {"arn": ARN, "zone": "us-west-2a", "count": 4, "provided-by": "aws"}}
RESERVED = {"reservation": {"id": CR, "zone": "us-west-2a", "count": 4, "provided-by": "aws"}}

DOCUMENT: dict[str, Any] = {
    "backend": "parallelcluster",
    "version": PARALLELCLUSTER,
    "network": {"existing": {"vpc": VPC, "private": {"us-west-2a": SUBNET}}},
    "queues": a_queue(),
}


def errors(facts: dict[str, Any], **more: Any) -> set[str]:
    """The validators that refuse a cluster, given facts."""
    document = DOCUMENT | {key.replace("_", "-"): value for key, value in more.items()}
    messages = validate_cluster(derived(Described(document, "us-west-2", facts))).messages
    assert not [each for each in messages if each.crashed]
    return {each.validator for each in messages if each.level is Level.ERROR}


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ({}, set()),
        ({"portsOpenToVpc": True}, set()),
        ({"portsOpenToVpc": False, "portsOpenTo": []}, {"ExistingFsxNetworkingValidator"}),
        ({"vpc": "vpc-0a1b2c3d4e5f60719"}, {"ExistingFsxNetworkingValidator"}),
    ],
)
def test_a_file_system_lets_in_whom_the_facts_say(said: dict[str, Any], refused: set[str], aws: Worker) -> None:
    """Its ports and its VPC; where nobody said, it can be mounted."""
    storage = {"fsx": {"existing-lustre": {"id": FS, "mount-name": "abcdefgh"}}}
    assert errors({"fileSystems": {FS: said}} if said else {}, storage=storage) == refused


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ({}, set()),
        ({"totalInstances": 3}, {"CapacityReservationSizeValidator"}),
        ({"zone": "us-west-2b"}, {"CapacityReservationValidator"}),
        ({"platform": "Windows"}, {"CapacityReservationValidator"}),
    ],
)
def test_a_reservation_is_what_the_facts_say(said: dict[str, Any], refused: set[str], aws: Worker) -> None:
    """Its size, its zone and its platform, whatever the description says of it."""
    queues = a_queue(capacity=RESERVED)
    assert errors({"reservations": {CR: said}} if said else {}, queues=queues) == refused


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ({}, set()),
        ({"configurations": ["AWS::ResourceGroups::Generic"]}, {"CapacityReservationResourceGroupValidator"}),
        ({"reservations": []}, {"CapacityReservationResourceGroupValidator"}),
    ],
)
def test_a_group_of_reservations_is_what_the_facts_say(said: dict[str, Any], refused: set[str], aws: Worker) -> None:
    """Its configuration and its members."""
    queues = a_queue(capacity=IN_GROUP)
    assert errors({"reservationGroups": {ARN: said}} if said else {}, queues=queues) == refused


def test_an_image_is_what_the_facts_say(aws: Worker) -> None:
    """The version that built it, its operating system, and the size of its root volume."""
    of_other_version = {"images": {AMI: {"parallelclusterVersion": "3.15.0"}}}
    of_other_os = {"images": {AMI: {"os": "rhel9"}}}
    too_large = {"images": {AMI: {"rootGib": 500}}}
    assert errors({}, image=AMI) == set()
    assert errors(of_other_version, image=AMI) == {"CustomAmiTagValidator"}
    assert errors(of_other_os, image=AMI) == {"AmiOsCompatibleValidator"}
    assert errors(too_large, image=AMI) == {"RootVolumeSizeValidator"}


@pytest.mark.parametrize(("type_", "refused"), [("ed25519", set()), ("rsa", {"KeyPairValidator"})])
def test_a_key_pair_is_of_the_kind_that_the_facts_say(type_: str, refused: set[str], aws: Worker) -> None:
    """By its name alone nobody knows: Ubuntu 24.04 takes no RSA keys."""
    head = {"login": {"key-pair": "ours"}, "ssh-from": "198.51.100.0/24"}
    assert errors({"keyPairs": {"ours": {"type": type_}}}, os="ubuntu2404", head=head) == refused


@pytest.mark.parametrize(("count", "refused"), [(38, set()), (39, {"ComputeResourceTagsValidator"})])
def test_tags_are_counted_with_the_providers(count: int, refused: set[str], aws: Worker) -> None:
    """AWS's provider adds one before it validates: 40 are taken, Muster's own and that one among them."""
    blueprint = derived(Described(DOCUMENT, "us-west-2"))
    said, around = configuration(blueprint, placeholder_id), moto_content(blueprint)
    said["Tags"] += [{"Key": f"tag-{number}", "Value": "x"} for number in range(count)]
    messages = validate_configuration(said, blueprint.cluster_name, around).messages
    assert {each.validator for each in messages if each.level is Level.ERROR} == refused


def test_messages_speak_of_things_by_our_names(aws: Worker) -> None:
    """Not by the ids that were made up for moto."""
    queues = a_queue(capacity=RESERVED)
    blueprint = derived(
        Described(DOCUMENT | {"queues": queues}, "us-west-2", {"reservations": {CR: {"zone": "us-west-2b"}}})
    )
    (text,) = [each.text for each in validate_cluster(blueprint).messages if each.level is Level.ERROR]
    assert text == f"Capacity reservation {CR} must use the same availability zone as subnet {SUBNET}."
