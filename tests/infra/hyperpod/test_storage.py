"""FSx for Lustre with HyperPod's instances as its clients: who reaches it, where it is, and what pods mount."""

from typing import Any

import pytest

from muster.blueprint.logical_names import CLUSTER_REF
from muster.hardware.lustre import PORTS
from tests.hyperpod_factories import a_hyperpod_blueprint
from tests.infra.hyperpod.test_order import LUSTRE, cluster_of, registered
from tests.infra.registered import Registered

RULES = {
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": "from",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": "to",
}
FILE_SYSTEM = "aws:fsx/lustreFileSystem:LustreFileSystem"


def stored(**more: Any) -> Registered:
    """The small HyperPod cluster with a file system."""
    return registered({"storage": {"scratch": {"lustre": {**LUSTRE["lustre"], **more}}}, "addons.fsx-csi-driver": {}})


def allowed(program: Registered, owner: str, peer: str) -> set[tuple[str, int | None, int | None]]:
    """What one group lets pass with another, by its own rules."""
    return {
        (RULES[each.type], each.inputs.get("fromPort"), each.inputs.get("toPort"))
        for each in program.all
        if each.type in RULES
        and (each.inputs["securityGroupId"], each.inputs.get("referencedSecurityGroupId")) == (owner, peer)
    }


def test_every_instance_reaches_it_and_is_reached() -> None:
    """Lustre's ports, both ways, between the file system's group and one that every instance group carries."""
    program = stored()
    own = program.one("aws:ec2/securityGroup:SecurityGroup", "lustre-scratch").id
    assert program.one(FILE_SYSTEM, "scratch").inputs["securityGroupIds"] == [own]
    cluster = cluster_of(program).inputs
    networks = [cluster["vpcConfig"], *(each.get("overrideVpcConfig") for each in cluster["instanceGroups"])]
    carried = [set(each["securityGroupIds"]) for each in networks if each]
    assert len(carried) == 2, "the cluster's own, and the workers', who are in one zone"
    both = {(way, first, last) for way in ("from", "to") for first, last in PORTS}
    for groups in carried:
        assert any(allowed(program, own, each) == both == allowed(program, each, own) for each in groups)


def test_the_blueprint_says_so_too() -> None:
    """EKS's own group is what HyperPod's instances and the file system's rules have in common."""
    blueprint = a_hyperpod_blueprint({"storage": {"scratch": LUSTRE}})
    (storage,) = blueprint.storage
    assert storage.security_group is not None
    assert {each.peer for each in storage.security_group.allows} == {storage.security_group.ref, CLUSTER_REF}
    for group in blueprint.instance_groups:
        assert CLUSTER_REF in group.instance_group.security_groups


def test_with_efa_its_traffic_goes_by_the_groups_of_efa() -> None:
    """All of it, both ways, between the file system's group and the EFA group of the instances."""
    program = stored(size="4800GiB", throughput=1000, efa=True)
    own = program.one("aws:ec2/securityGroup:SecurityGroup", "lustre-scratch").id
    efa = program.one("aws:ec2/securityGroup:SecurityGroup", "efa").id
    assert efa in cluster_of(program).inputs["vpcConfig"]["securityGroupIds"]
    everything = {("from", None, None), ("to", None, None)}
    assert allowed(program, own, efa) == allowed(program, efa, own) == everything


def test_it_is_where_the_workers_are() -> None:
    """In the zone of the training group, with its data in S3 listed at once."""
    program = stored()
    file_system = program.one(FILE_SYSTEM, "scratch").inputs
    workers = next(
        each for each in cluster_of(program).inputs["instanceGroups"] if each["instanceGroupName"] == "workers"
    )
    assert [file_system["subnetIds"]] == workers["overrideVpcConfig"]["subnets"]
    (link,) = program.named("aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation").values()
    assert link.inputs["dataRepositoryPath"] == "s3://my-datasets"
    assert link.inputs["batchImportMetaDataOnCreate"] is True


def test_pods_mount_it_by_a_claim() -> None:
    """A volume of the driver's, of that file system, and a claim for it: after the driver, and so after the nodes."""
    program = stored()
    file_system = program.one(FILE_SYSTEM, "scratch")
    (volume,) = program.named("kubernetes:core/v1:PersistentVolume").values()
    assert volume.inputs["spec"]["csi"] == {
        "driver": "fsx.csi.aws.com",
        "volumeHandle": file_system.id,
        "volumeAttributes": {
            "dnsname": file_system.outputs["dnsName"],
            "mountname": file_system.outputs["mountName"],
        },
    }
    (claim,) = program.named("kubernetes:core/v1:PersistentVolumeClaim").values()
    assert claim.inputs["spec"]["volumeName"] == volume.inputs["metadata"]["name"]
    told = program.outputs["storage"]["scratch"]
    assert (told["claim"], told["claimNamespace"]) == ("scratch", "default")


@pytest.mark.parametrize("kept", [True, False])
def test_data_are_kept_unless_said_otherwise(*, kept: bool) -> None:
    """As on EKS."""
    said = {} if kept else {"on-destroy": "delete"}
    assert stored(**said).one(FILE_SYSTEM, "scratch").options.get("protect", False) is kept
