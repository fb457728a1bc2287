"""`muster init --from`."""

import json

import pytest

from tests.account.init_runs import API, IN_REGION, VPC, Run, config, left
from tests.account.new_stacks import (
    ODCR,
    PLAN,
    Account,
    Vpc,
    reservation,
)
from tests.cli.conftest import Muster


def test_a_copy_gets_the_instances_the_network_and_the_facts(muster: Muster, run: Run) -> None:
    """Comments stay; the original's VPC goes, for AWS was asked which fits."""
    ran = run(
        Account([reservation(AvailabilityZone="us-west-2b")]), "--from", "p5-odcr", "--reservation", ODCR, "--json"
    )
    assert ran.code == 0, ran.err + ran.out
    vpc, written, text = Vpc(VPC), config(muster), muster.file("p5-mine").read_text()
    assert written["network"]["existing"]["vpc"] == VPC
    assert written["network"]["existing"]["private"] == {f"us-west-2{each}": vpc.subnet(each) for each in "ba"}
    workers = written["groups"]["workers"]
    assert (workers["nodes"], workers["zone"], workers["volume"]) == (4, "us-west-2b", {"size": "300GiB"})
    assert workers["capacity"]["reservation"]["id"] == ODCR
    assert "# After awsome-distributed-training, 1.architectures/4.amazon-eks/eks-p5-odcr-vpc.yaml." in text
    assert '- {principal: "arn:aws:iam::111122223333:role/ml-admins", policy: cluster-admin}' in text
    assert [each["path"] for each in ran.json["chosen"]] == [
        "network.existing.vpc",
        "network.existing.private.us-west-2b",
        "network.existing.private.us-west-2a",
        "network.existing.public",
        "groups.workers.instance",
        "groups.workers.nodes",
        "groups.workers.capacity.reservation.zone",
        "groups.workers.capacity.reservation.count",
        "groups.workers.capacity.reservation.placement-group",
    ]
    assert [each["value"] for each in ran.json["placeholders"]] == [
        "arn:aws:iam::111122223333:role/ml-admins",
        "203.0.113.0/24",
    ]
    assert left(muster) == ["stacks/Pulumi.p5-mine.yaml", "stacks/facts/p5-mine.json"]


@pytest.mark.parametrize("options", [(), ("--vpc", VPC)])
def test_a_copy_of_a_stack_with_its_own_vpc_has_its_own_unless_one_is_named(
    muster: Muster, run: Run, options: tuple[str, ...]
) -> None:
    """Its zones are where the instances are."""
    muster.take("p4de-odcr")
    ran = run(Account(), "--from", "p4de-odcr", "--reservation", ODCR, *options)
    assert ran.code == 0, ran.err + ran.out
    network = config(muster)["network"]
    if options:
        assert network["existing"]["vpc"] == VPC
    else:
        assert network == {"create": {"cidr": "10.0.0.0/16", "zones": ["us-west-2b", "us-west-2a"]}}, "in its own order"


def test_a_copy_without_instances_leaves_all_ids_to_be_filled_in(muster: Muster, run: Run) -> None:
    """It is for another Region or account; what is not to be filled in AWS is asked."""
    ran = run(Account(), "--from", "p5-odcr")
    assert ran.code == 0, ran.err + ran.out
    assert config(muster) == config(muster, "p5-odcr")
    facts = json.loads((muster.folder / "stacks/facts/p5-mine.json").read_text())
    assert facts["account"]["id"] == "210987654321"
    assert "reservations" not in facts


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--from", "p5-ocdr"), "there is no stack 'p5-ocdr' in "),
        (
            ("--from", "p5-odcr", "--reservation", ODCR, "--group", "system"),
            "set --group to the training group of p5-odcr that gets the instances: workers",
        ),
        (
            ("--from", "p5-odcr", "--training-plan", PLAN),
            "p5-odcr is for eks: only HyperPod can use a training plan; copy a stack of another backend",
        ),
        (
            ("--from", "p5-odcr", "--backend", "parallelcluster"),
            "p5-odcr is for eks; leave out --backend, or copy another stack",
        ),
        (
            ("--from", "p5-odcr", *API),
            "--api-from does not apply to --from; leave it out, and change api: in the copied file",
        ),
        (
            ("--from", "p5-odcr", "--offline", "--reservation", ODCR, "--instance", "trn1.32xlarge"),
            (
                f"p5-odcr is for p5.48xlarge, but {ODCR} holds trn1.32xlarge, which has other accelerators; copy a "
                "stack for these accelerators, or leave out --from"
            ),
        ),
        (
            ("--from", "p5-odcr", "--offline", "--reservation", ODCR, "--instance", "g5.5xlarge"),
            f"Muster cannot create a stack for {ODCR}: 'g5.5xlarge' is not an instance type that Muster knows",
        ),
    ],
)
def test_a_copy_that_cannot_be_is_refused(muster: Muster, options: tuple[str, ...], words: str) -> None:
    """In words; nothing is written."""
    muster_ran = muster("init", "p5-mine", *options, *IN_REGION)
    assert (muster_ran.code, muster_ran.out) == (2, "")
    assert muster_ran.err.startswith(f"error: {words}"), muster_ran.err
    assert left(muster) == []


@pytest.mark.parametrize("misspelt", ["p5-ocdr", "p5-orcd"])
def test_a_stack_that_is_nearly_spelt_so_is_named(muster: Muster, misspelt: str) -> None:
    """As by every command that takes a stack."""
    ran = muster("init", "p5-mine", "--from", misspelt, *IN_REGION)
    assert (ran.code, ran.out) == (2, "")
    stacks = muster.folder / "stacks"
    assert ran.err.startswith(f"error: there is no stack '{misspelt}' in {stacks}; did you mean 'p5-odcr'?"), ran.err
    assert left(muster) == []


@pytest.mark.parametrize("there", [True, False])
def test_a_file_that_is_no_stack_is_not_copied(muster: Muster, *, there: bool) -> None:
    if there:
        (muster.folder / "eksctl.yaml").write_text("kind: ClusterConfig\n")
    ran = muster("init", "p5-mine", "--from", "eksctl.yaml", *IN_REGION)
    assert (ran.code, ran.out) == (2, "")
    assert "--from accepts only stacks in stacks/," in ran.err
    assert ("'eksctl.yaml' exists" in ran.err) == there
    assert not muster.file("p5-mine").exists()


def test_a_copy_of_a_stack_with_faults_shows_them(muster: Muster) -> None:
    """At their places; a copy would have them, too."""
    muster.edit("    backend: eks\n", "    bakcend: eks\n")
    ran = muster("init", "p5-mine", "--from", "p5-odcr", "--offline", *IN_REGION)
    assert ran.code == 2
    assert "stacks/Pulumi.p5-odcr.yaml:11:5: mandatory schema: unknown key 'bakcend'" in ran.err
    assert left(muster) == []
