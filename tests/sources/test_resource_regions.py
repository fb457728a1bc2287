"""Where each resource is: its own word, its provider's, the stack's."""

from muster.fleet.registration import Registration
from muster.sources.registrations import region_by_urn


def a(type_: str, name: str, provider: str = "", **inputs: str) -> Registration:
    options = {"provider": f"{provider}::id"} if provider else {}
    return Registration(f"urn:pulumi:dev::p::{type_}::{name}", type_, name, inputs, options=options)


def test_the_nearest_word_holds() -> None:
    """A resource's `region` before its provider's before the stack's; Kubernetes is where most of the program is."""
    east = a("pulumi:providers:aws", "east", region="us-east-1")
    listed = [
        east,
        a("aws:ec2/vpc:Vpc", "own", east.urn, region="eu-west-1"),
        a("aws:ec2/vpc:Vpc", "east", east.urn),
        a("aws:ec2/subnet:Subnet", "east", east.urn),
        a("aws:ec2/vpc:Vpc", "usual"),
        a("kubernetes:core/v1:Pod", "pod"),
    ]
    found = {urn.split("::", 2)[2]: region for urn, region in region_by_urn(listed, "us-west-2").items()}
    assert found == {
        "pulumi:providers:aws::east": "us-east-1",
        "aws:ec2/vpc:Vpc::own": "eu-west-1",
        "aws:ec2/vpc:Vpc::east": "us-east-1",
        "aws:ec2/subnet:Subnet::east": "us-east-1",
        "aws:ec2/vpc:Vpc::usual": "us-west-2",
        "kubernetes:core/v1:Pod::pod": "us-east-1",
    }


def test_nobody_says() -> None:
    """Then it is not known; no usual Region is taken for it."""
    assert set(region_by_urn([a("aws:ec2/vpc:Vpc", "main")], None).values()) == {None}
