"""Capacity, images, networks, control planes: the forms that are taken, and the words for those that are not, each at
its line and column of the stack file."""

from pathlib import Path
from typing import Any

import pytest

from muster.config.description.capacity import Capacity
from muster.config.description.eks_cluster import EksCluster
from muster.config.description.node_settings import Family
from muster.config.stack_file import load
from muster.config.validation import validate
from tests.factories import CR, DROP, a_description, a_document
from tests.hyperpod_factories import a_hyperpod_description
from tests.stack_files import edited, text_of

BLOCK_STACK = "p5-capacity-block-self-managed"
BLOCK = 'id: cr-fill-me-in\n            zone: us-west-2a\n            count: 1\n            starts: "2026-12-01"'
ODCR = """\
          reservation:
            id: cr-fill-me-in
            zone: us-west-2a
            count: 1
            provided-by: aws"""
GROUP = """\
          reservation-group:
            {}
            zone: us-west-2a
            count: 1
            provided-by: aws"""
ARN = "arn: arn:aws:resource-groups:us-west-2:111122223333:group/ours"
MEMBER = "arn:aws:ec2:us-west-2:111122223333:capacity-reservation/cr-0123456789abcdef0"
IMAGE = ("        volume: {size: 300GiB}\n", "        volume: {size: 300GiB}\n        image: {custom: {%s}}\n")
NETWORK = """\
      existing:
        vpc: vpc-fill-me-in
        private:
          us-west-2a: subnet-fill-me-in-private-a
          us-west-2b: subnet-fill-me-in-private-b
        public:
          us-west-2a: subnet-fill-me-in-public-a
          us-west-2b: subnet-fill-me-in-public-b
"""
CREATED = "      create: {%s}\n"


def faults(folder: Path, stack: str, *changes: tuple[str, str]) -> list[tuple[str, str]]:
    """``file:line:column what was found; what to do`` of an edited stack file, and what stands at that place."""
    text = text_of(stack)
    for before, after in changes:
        text = edited(text, before, after)
    file = folder / f"Pulumi.{stack}.yaml"
    file.write_text(text, encoding="utf-8")
    found = load(stack, file, folder / "none.json").faults
    lines = text.splitlines()
    for each in found:
        assert str(each) == f"{file}:{each.position.line}:{each.position.column}"
    return [
        (f"{each.finding.got}; {each.finding.remedy}", lines[each.position.line - 1][each.position.column - 1 :])
        for each in found
    ]


@pytest.mark.parametrize(
    ("stack", "change", "at", "words"),
    [
        (
            BLOCK_STACK,
            (BLOCK, BLOCK.replace("id: cr-fill-me-in\n            ", "")),
            "zone: us-west-2a",
            "neither id nor buy is given; add one",
        ),
        (
            BLOCK_STACK,
            (BLOCK, "buy: {offering: cb-0123456789abcdef0}\n            " + BLOCK),
            "buy: {offering",
            "both id and buy are given; keep one",
        ),
        (
            BLOCK_STACK,
            ("id: cr-fill-me-in", "buy: {offering: cr-0123456789abcdef0}"),
            "cr-0123456789abcdef0}",
            "'cr-0123456789abcdef0' is not a Capacity Block offering; write one like cb-0123456789abcdef0",
        ),
        (
            BLOCK_STACK,
            ('"2026-12-15" #', '"15 December" #'),
            '"15 December"',
            "'15 December' is no date; write one as in \"2026-12-31\"",
        ),
        (
            BLOCK_STACK,
            ("active: false #", "active: soon #"),
            "soon",
            "'soon' stands where true or false belongs; write true or false",
        ),
        (
            "p5-odcr",
            (ODCR, GROUP.format(f"{ARN}\n            create: [{MEMBER}]")),
            ARN,
            "both arn and create are given; keep one",
        ),
        (
            "p5-odcr",
            (ODCR, GROUP.format("create: [cr-0123456789abcdef0]")),
            "cr-0123456789abcdef0]",
            (
                "'cr-0123456789abcdef0' is not the ARN of a capacity reservation; "
                "write one like arn:aws:ec2:REGION:ACCOUNT:capacity-reservation/cr-0123456789abcdef0"
            ),
        ),
        (
            "p5-odcr",
            (ODCR, GROUP.format("arn: ours")),
            "ours",
            (
                "'ours' is not the ARN of a resource group; "
                "write one like arn:aws:resource-groups:REGION:ACCOUNT:group/NAME"
            ),
        ),
        (
            "p5-odcr",
            (ODCR, "          on-demand: {}\n          spot: {}"),
            "on-demand: {}",
            "both on-demand and spot are given; keep one",
        ),
        (
            "p5-odcr",
            (ODCR, "          spot: {interruptions-acepted: true}"),
            "interruptions-acepted",
            (
                "unknown key 'interruptions-acepted'; did you mean 'interruptions-accepted'?; "
                "keys here: interruptions-accepted"
            ),
        ),
        (
            "p5-odcr",
            (IMAGE[0], IMAGE[1] % "id: ami-0123456789abcdef0, ssm: /ml/image"),
            "{id: ami-0123456789abcdef0",
            "both id and ssm are given; keep one",
        ),
        (
            "p5-odcr",
            (IMAGE[0], IMAGE[1] % "family: bottlerocket"),
            "{family: bottlerocket",
            "neither id nor ssm is given; add one",
        ),
        (
            "p5-odcr",
            (IMAGE[0], IMAGE[1] % "ssm: ml//image"),
            "ml//image",
            "'ml//image' is not the name of an SSM parameter; write one like /teams/ml/images/training-2026-11",
        ),
        (
            "p5-odcr",
            (IMAGE[0], IMAGE[1] % "id: ami-1"),
            "ami-1",
            (
                "'ami-1' is not a machine image id; "
                "write ami- and 17 hexadecimal digits (or ami-fill-me-in until you have it)"
            ),
        ),
        (
            "p5-odcr",
            (NETWORK, CREATED % "zones: [us-west-2a, us-west-2a]"),
            "[us-west-2a, us-west-2a]",
            "us-west-2a is given twice; keep one",
        ),
        (
            "p5-odcr",
            (NETWORK, CREATED % f"zones: [{', '.join(f'us-west-2{each}' for each in 'abcdefgh')}]"),
            "[us-west-2a",
            "8 are listed here; give at most 7",
        ),
        (
            "p5-odcr",
            (NETWORK, CREATED % "zones: [us-west-2a, us-west-2b], cidr: 10.0.0.0/23"),
            "10.0.0.0/23",
            "'10.0.0.0/23' is not a VPC's size; write one from /16 to /22",
        ),
        (
            "p5-odcr",
            (NETWORK, CREATED % "zones: [us-west-2a, us-west-2b], cidr: 8.8.0.0/16"),
            "8.8.0.0/16",
            "'8.8.0.0/16' is not private; write one like 10.0.0.0/16",
        ),
        (
            "p5-odcr",
            (NETWORK, CREATED % "zones: [us-west-2a, us-west-2b], cidr: 10.0.0.1/16"),
            "10.0.0.1/16",
            "'10.0.0.1/16' is not an IPv4 network (10.0.0.1/16 has host bits set); write one like 10.0.0.0/16",
        ),
        (
            "p5-odcr",
            (NETWORK, NETWORK + CREATED % "zones: [us-west-2a, us-west-2b]"),
            "existing:",
            "both existing and create are given; keep one",
        ),
        (
            "p5-odcr",
            ("us-west-2b: subnet-fill-me-in-public-b", "us-west-2b: subnet-fill-me-in-private-a"),
            "vpc: vpc-fill-me-in",
            "subnet-fill-me-in-private-a is given twice; a subnet is in one zone, and private or public",
        ),
        (
            "p5-odcr",
            ("    api: {public: [203.0.113.0/24]} # the network you deploy from\n", ""),
            "muster:cluster:",
            "'api' is missing; write api: private, or api: {public: [networks]}",
        ),
        (
            "p5-join-existing",
            ('    kubernetes: "1.35"\n', '    kubernetes: "1.35"\n    name: mine\n'),
            "mine",
            "an existing control plane has its own name; remove it here",
        ),
        (
            "p5-join-existing",
            (NETWORK, CREATED % "zones: [us-west-2a, us-west-2b]"),
            "create: {zones",
            "an existing control plane has its network; name it under network: existing",
        ),
        (
            "p5-join-existing",
            ("api-and-config-map #", "both #"),
            "both",
            "'both' is not a choice here; choices: api, api-and-config-map, config-map",
        ),
        (
            "g4dn-vpc",
            ("scaled-by: you", "scaled-by: karpenter"),
            "karpenter",
            "'karpenter' is not a choice here; choices: you, autoscaler",
        ),
        (
            "g4dn-vpc",
            ("nodes: {min: 0, start: 2, max: 10, scaled-by: you}", "nodes: 0"),
            "0\n",
            "'0' is not a number of nodes; write one from 1 to 5000, as in 4, or {min, start, max}",
        ),
        (
            "p5-odcr",
            (IMAGE[0], IMAGE[0] + "        updates: {at-once: 2, percent-at-once: 10}\n"),
            "{at-once: 2",
            "at-once and percent-at-once are both given; keep one",
        ),
        (
            "hyperpod-existing-eks",
            ('schedule: "cron(0 3 ? * SUN *)", at-once', "patching: when-idle, at-once"),
            "{patching",
            (
                "at-once is given beside patching, which updates no batches; keep patching alone, or give a schedule "
                "in its place"
            ),
        ),
        (
            "hyperpod-existing-eks",
            ('schedule: "cron(0 3 ? * SUN *)"', "wait-seconds: 60, patching: when-all-idle"),
            "{wait-seconds",
            (
                "at-once and wait-seconds are given beside patching, which updates no batches; keep patching alone, or "
                "give a schedule in its place"
            ),
        ),
        (
            "p5-odcr",
            (IMAGE[0], IMAGE[0] + "        session: ssh\n"),
            "ssh",
            "'ssh' is not a choice here; give ssm or key-pair",
        ),
    ],
)
def test_a_wrong_form_is_named_at_its_place(
    tmp_path: Path, stack: str, change: tuple[str, str], at: str, words: str
) -> None:
    ((said, stands),) = faults(tmp_path, stack, change)
    assert said == words
    assert (stands + "\n").startswith(at)


def test_every_fault_of_a_block_is_said(tmp_path: Path) -> None:
    found = faults(tmp_path, "p5-odcr", (IMAGE[0], IMAGE[1] % "id: ami-1, family: ubuntu"))
    assert [stands.split("}")[0] for _, stands in found] == ["ami-1, family: ubuntu", "ubuntu"]


# What is taken.

HELD: dict[str, Any] = {"zone": "us-west-2a", "count": 1}
W = "groups.workers"


@pytest.mark.parametrize(
    ("said", "kind", "zone"),
    [
        ("on-demand", "on-demand", None),
        ("spot", "spot", None),
        ({"spot": {"interruptions-accepted": True}}, "spot", None),
        ({"reservation": {**HELD, "id": CR, "provided-by": "aws"}}, "reservation", "us-west-2a"),
        (
            {"reservation-group": {**HELD, "create": [MEMBER, MEMBER[:-1] + "1"], "provided-by": "you"}},
            "reservation-group",
            "us-west-2a",
        ),
        (
            {"capacity-block": {**HELD, "id": CR, "starts": "2026-12-01", "ends": "2026-12-15"}},
            "capacity-block",
            "us-west-2a",
        ),
        (
            {
                "capacity-block": {
                    **HELD,
                    "buy": {"offering": "cb-0123456789abcdefg"},
                    "starts": "2026-12-01",
                    "ends": "2026-12-02",
                }
            },
            "capacity-block",
            "us-west-2a",
        ),
    ],
)
def test_every_kind_of_capacity(said: Any, kind: str, zone: str | None) -> None:
    """What is held is in one zone, and puts its group there."""
    group = a_description({f"{W}.capacity": said, f"{W}.zone": DROP}).groups["workers"]
    assert group.capacity.chosen == kind
    assert group.only_zone == zone


@pytest.mark.parametrize("held", [{}, {f"{W}.capacity": {"on-demand": {}}}])
def test_a_group_is_in_the_zone_that_it_says(held: dict[str, Any]) -> None:
    """Whatever its capacity says of one."""
    for group in (
        a_description({**held, f"{W}.zone": "us-west-2b"}).groups["workers"],
        a_hyperpod_description({f"{W}.zone": "us-west-2b"}).groups["workers"],
    ):
        assert group.only_zone == "us-west-2b"


def test_the_group_that_says_nothing_is_on_demand() -> None:
    assert a_description({f"{W}.capacity": DROP}).groups["workers"].capacity == Capacity.model_validate("on-demand")


@pytest.mark.parametrize(("active", "numbers"), [(False, (0, 0, 4)), (True, (2, 3, 4))])
def test_a_block_that_has_not_begun_has_no_nodes(*, active: bool, numbers: tuple[int, int, int]) -> None:
    """Whatever `nodes` says; the most it may have stays."""
    block = {**HELD, "id": CR, "starts": "2026-12-01", "ends": "2026-12-15", "active": active}
    nodes = {"min": 2, "start": 3, "max": 4, "scaled-by": "you"}
    now = a_description({f"{W}.capacity": {"capacity-block": block}, f"{W}.nodes": nodes}).groups["workers"].nodes_now
    assert (now.min, now.start, now.max) == numbers


@pytest.mark.parametrize(
    ("said", "family", "custom"),
    [
        (None, Family.AL2023, False),
        ("al2023", Family.AL2023, False),
        ("bottlerocket", Family.BOTTLEROCKET, False),
        ({"custom": {"id": "ami-0123456789abcdef0"}}, Family.AL2023, True),
        ({"custom": {"ssm": "/ml/image", "family": "bottlerocket"}}, Family.BOTTLEROCKET, True),
    ],
)
def test_every_kind_of_image(said: Any, family: Family, *, custom: bool) -> None:
    image = a_description({f"{W}.image": DROP if said is None else said}).groups["workers"].image
    assert image.family is family
    assert (image.custom is not None) is custom


@pytest.mark.parametrize("zones", [2, 7])
def test_a_network_that_is_made(zones: int) -> None:
    """Defaults: 10.0.0.0/16, one NAT gateway, endpoints for ECR."""
    listed = [f"us-west-2{letter}" for letter in "abcdefg"[:zones]]
    made = a_description({"network": {"create": {"zones": listed}}}).network.create
    assert made is not None
    assert made.zones == tuple(listed)
    assert (made.cidr, made.nat.value, made.registry_endpoints, made.zone_ids) == ("10.0.0.0/16", "one", True, {})


EXISTING = {"name": "theirs", "security-group": "sg-0123456789abcdef0", "authentication": "config-map"}


def test_a_control_plane_that_exists_says_nothing_of_its_own() -> None:
    described = a_description({"control-plane": {"existing": EXISTING}, "api": DROP})
    assert described.control_plane.existing is not None
    assert described.control_plane.chosen == "existing"
    assert described.api is None


@pytest.mark.parametrize("key", ["name", "api", "logs", "secrets-key", "secrets-key-on-destroy"])
def test_each_thing_of_its_own_is_refused(key: str) -> None:
    said = {
        "name": "mine",
        "api": "private",
        "logs": {},
        "secrets-key": f"arn:aws:kms:us-west-2:{'0' * 12}:key/0a",
        "secrets-key-on-destroy": "keep",
    }
    document = a_document({"control-plane": {"existing": EXISTING}, "api": DROP, key: said[key]})
    made, found = validate(EksCluster, document)
    assert made is None
    assert [finding.got for _, finding in found] == [f"an existing control plane has its own {key}"]
