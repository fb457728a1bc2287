"""A sound account and broken ones, as far as services other than EC2 answer: what the rules make of the answers."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from muster.account.preflight import merge_facts, run_topics
from muster.account.topic import PreflightRequest
from muster.account.topics.buckets import BUCKETS
from muster.account.topics.eks import CLUSTERS, VERSIONS
from muster.account.topics.file_systems import FILE_SYSTEMS
from muster.account.topics.hyperpod import HYPERPOD_CLUSTERS
from muster.account.topics.images import IMAGES
from muster.blueprint.derive.cluster import derive
from muster.config.project import stacks
from muster.fleet.facts import Facts
from policies.engine.described_fleet import described_fleet
from policies.engine.judgement import Judgement, judge
from tests.account.aws import Answers, Refused
from tests.account.needs import needs
from tests.account.sound_services import FS_GROUP, answers, around_file_systems, cluster, lustre_rules, versions
from tests.account.told import Told
from tests.stack_files import ROOT

TOPICS = (VERSIONS, CLUSTERS, HYPERPOD_CLUSTERS, IMAGES, FILE_SYSTEMS, BUCKETS)
OURS = (
    *("kubernetes-version-offered", "kubernetes-version-supported", "kubernetes-standard-support"),
    *("existing-cluster-as-declared", "existing-cluster-active", "image-parameter-exists", "eks-addons-pinned"),
    *("hyperpod-alone-on-eks", "hyperpod-vpc-cni", "vpc-cni-supports-efa", "lifecycle-script-in-bundle"),
    *("lifecycle-bundle-private", "lifecycle-bundle-versioned", "lustre-in-cluster-vpc", "lustre-in-training-zone"),
    *("lustre-as-declared", "lustre-ports-open", "lustre-usable", "lustre-version-for-clients"),
)
"""The rules that these topics' facts feed."""
OWN = {"own": {"at": "s3://sagemaker-ml-scripts/p5", "on-create": "on_create.sh"}}
FS = "fs-0123456789abcdef0"
LUSTRE = {"existing-lustre": {"id": FS, "mount-name": "a1b2cdef"}}


def judged(wanted: PreflightRequest, said: dict[str, Answers]) -> Judgement:
    """What all rules make of the stack and of what a preflight of these topics hears, beside its own facts."""
    heard = run_topics(TOPICS, wanted, Told(said))
    before = wanted.blueprint.facts or Facts()
    rest = before.model_copy(update={"clusters": {}})
    facts = merge_facts((rest, heard.facts))
    return _judged(wanted, facts)


def _judged(wanted: PreflightRequest, facts: Facts) -> Judgement:
    described: Any = wanted.blueprint.described
    return judge(
        described_fleet(derive(described, wanted.blueprint.stack, wanted.region, facts), wanted.observed.date())
    )


def sound(wanted: PreflightRequest) -> dict[str, Answers]:
    """What a sound account says."""
    return {**answers(wanted), **around_file_systems(wanted)}


@pytest.mark.parametrize("stack", sorted(stacks(ROOT)))
def test_in_a_sound_account_nothing_is_found_and_nothing_is_missing(stack: str) -> None:
    """Of each reference stack, by the rules that these answers feed, where a preflight asked."""
    wanted = needs(stack)
    heard = run_topics(TOPICS, wanted, Told(sound(wanted)))
    asked = merge_facts((heard.facts, Facts(observed=datetime(2026, 11, 21, 9, tzinfo=UTC))))
    judgement = _judged(wanted, asked)
    assert {each.rule for each in judgement.findings} & set(OURS) == set()
    assert {each.rule for each in judgement.not_evaluated} & set(OURS) == set()
    assert heard.unanswered == ()


Change = Callable[[PreflightRequest], Mapping[str, Answers]]


def _cluster(**other: Any) -> Change:
    return lambda wanted: {"eks.DescribeCluster": {"cluster": {**cluster(wanted), **other}}}


def _version(**other: Any) -> Change:
    def change(wanted: PreflightRequest) -> Mapping[str, Answers]:
        own = wanted.blueprint.described.kubernetes  # type: ignore[union-attr]
        said = [{**each, **other} if each["clusterVersion"] == own else each for each in versions(wanted)]
        return {"eks.DescribeClusterVersions": {"clusterVersions": said}}

    return change


def _always(**said: Answers) -> Change:
    return lambda wanted: {key.replace("_", "."): each for key, each in said.items()}


def _file_system(**other: Any) -> Change:
    def change(wanted: PreflightRequest) -> Mapping[str, Answers]:
        say: Any = answers(wanted)["fsx.DescribeFileSystems"]
        return {"fsx.DescribeFileSystems": lambda asked: {"FileSystems": [{**say(asked)["FileSystems"][0], **other}]}}

    return change


def _of_windows(wanted: PreflightRequest) -> Mapping[str, Answers]:
    """It has no version, and another configuration."""
    say: Any = answers(wanted)["fsx.DescribeFileSystems"]
    left = ("FileSystemTypeVersion", "LustreConfiguration")

    def said(asked: Mapping[str, Any]) -> Any:
        one = {key: each for key, each in say(asked)["FileSystems"][0].items() if key not in left}
        return {"FileSystems": [{**one, "FileSystemType": "WINDOWS"}]}

    return {"fsx.DescribeFileSystems": said}


def _in_another_zone(wanted: PreflightRequest) -> Mapping[str, Answers]:
    other = next(id_ for id_, each in wanted.blueprint.subnets.items() if each.zone == "us-west-2b")
    return _file_system(SubnetIds=[other])(wanted)


def _others(wanted: PreflightRequest) -> Mapping[str, Answers]:
    arn = f"arn:aws:eks:{wanted.region}:111122223333:cluster/ml-platform"
    return {
        "sagemaker.ListClusters": {"ClusterSummaries": [{"ClusterName": "theirs"}]},
        "sagemaker.DescribeCluster": {"ClusterName": "theirs", "Orchestrator": {"Eks": {"ClusterArn": arn}}},
    }


NO_BUCKET = Refused("NoSuchBucket")
YESTERDAY = datetime(2026, 11, 20, tzinfo=UTC)
JOIN, HYPERPOD = "p5-join-existing", "hyperpod-existing-eks"
AT = "control-plane.existing"
DECLARED, ACTIVE, OFFERED = "existing-cluster-as-declared", "existing-cluster-active", "kubernetes-version-offered"
WITH_SCRIPTS = ("hyperpod-training-plan", {"hyperpod.lifecycle": OWN})
WITH_LUSTRE = ("p5-odcr", {"storage.scratch": LUSTRE})
THERE = "storage.scratch.existing-lustre"
USABLE = ("lustre-usable", f"{THERE}.id")

BROKEN: list[tuple[str, tuple[str, dict[str, Any]], Change, tuple[str, str]]] = [
    ("a version not offered", (JOIN, {}), _version(versionStatus="UNSUPPORTED"), (OFFERED, "kubernetes")),
    (
        "standard support over",
        (JOIN, {}),
        _version(endOfStandardSupportDate=YESTERDAY, endOfExtendedSupportDate=YESTERDAY + timedelta(days=365)),
        ("kubernetes-standard-support", "kubernetes"),
    ),
    ("a cluster of another version", (JOIN, {}), _cluster(version="1.34"), (DECLARED, "kubernetes")),
    (
        "a cluster without access entries",
        (JOIN, {}),
        _cluster(accessConfig={"authenticationMode": "CONFIG_MAP"}),
        (DECLARED, f"{AT}.authentication"),
    ),
    (
        "one without access entries under HyperPod",
        (HYPERPOD, {}),
        _cluster(accessConfig={"authenticationMode": "CONFIG_MAP"}),
        (DECLARED, f"{AT}.authentication"),
    ),
    ("a cluster that updates", (HYPERPOD, {}), _cluster(status="UPDATING"), (ACTIVE, f"{AT}.name")),
    ("another HyperPod cluster on it", (HYPERPOD, {}), _others, ("hyperpod-alone-on-eks", "hyperpod")),
    (
        "an old network plugin",
        (JOIN, {}),
        _always(eks_DescribeAddon={"addon": {"addonName": "vpc-cni", "addonVersion": "v1.16.0-eksbuild.1"}}),
        ("vpc-cni-supports-efa", f"{AT}.name"),
    ),
    (
        "no image of that release",
        (JOIN, {}),
        _always(ssm_GetParameter=Refused("ParameterNotFound")),
        ("image-parameter-exists", "groups.workers.image"),
    ),
    (
        "no script in its folder",
        WITH_SCRIPTS,
        _always(s3_ListObjectsV2={"Contents": [{"Key": "p5/on_start.sh"}]}),
        ("lifecycle-script-in-bundle", "groups.{each}.hyperpod.lifecycle"),
    ),
    (
        "a bucket that may be public",
        WITH_SCRIPTS,
        _always(s3_GetPublicAccessBlock=Refused("NoSuchPublicAccessBlockConfiguration")),
        ("lifecycle-bundle-private", "hyperpod.lifecycle"),
    ),
    (
        "a bucket without versions",
        WITH_SCRIPTS,
        _always(s3_GetBucketVersioning={"Status": "Suspended"}),
        ("lifecycle-bundle-versioned", "hyperpod.lifecycle"),
    ),
    (
        "a file system in another VPC",
        WITH_LUSTRE,
        lambda wanted: {
            **_file_system(VpcId="vpc-0fedcba9876543210")(wanted),
            "ec2.DescribeVpcs": {
                "Vpcs": [
                    {
                        "VpcId": "vpc-0fedcba9876543210",
                        "CidrBlockAssociationSet": [{"CidrBlock": "10.0.0.0/16"}],
                    }
                ]
            },
        },
        ("lustre-in-cluster-vpc", f"{THERE}.id"),
    ),
    ("a file system in another zone", WITH_LUSTRE, _in_another_zone, ("lustre-in-training-zone", f"{THERE}.zone")),
    (
        "a file system of another mount name",
        WITH_LUSTRE,
        _file_system(LustreConfiguration={"MountName": "fsx"}),
        ("lustre-as-declared", f"{THERE}.mount-name"),
    ),
    (
        "an old file system",
        WITH_LUSTRE,
        _file_system(FileSystemTypeVersion="2.10"),
        ("lustre-version-for-clients", f"{THERE}.id"),
    ),
    ("a file system that is being made", WITH_LUSTRE, _file_system(Lifecycle="CREATING"), USABLE),
    ("a file system that is being deleted", WITH_LUSTRE, _file_system(Lifecycle="DELETING"), USABLE),
    ("a file system that failed", WITH_LUSTRE, _file_system(Lifecycle="FAILED"), USABLE),
    ("a misconfigured file system", WITH_LUSTRE, _file_system(Lifecycle="MISCONFIGURED"), USABLE),
    ("a file system of another type", WITH_LUSTRE, _of_windows, USABLE),
    (
        "no cluster of that name",
        (HYPERPOD, {}),
        _always(eks_DescribeCluster=Refused("ResourceNotFoundException")),
        ("named-things-exist", f"{AT}.name"),
    ),
    (
        "no such file system",
        WITH_LUSTRE,
        _always(fsx_DescribeFileSystems=Refused("FileSystemNotFound")),
        ("named-things-exist", f"{THERE}.id"),
    ),
    (
        "no such bucket of scripts",
        WITH_SCRIPTS,
        _always(**dict.fromkeys(("s3_ListObjectsV2", "s3_GetPublicAccessBlock", "s3_GetBucketVersioning"), NO_BUCKET)),
        ("named-things-exist", "hyperpod.lifecycle.own.at"),
    ),
    (
        "no such bucket of data",
        ("pcluster-gpu", {"s3": {"s3://ml-data/imagenet": "read"}}),
        _always(s3_GetBucketLocation=NO_BUCKET),
        ("named-things-exist", "s3"),
    ),
    (
        "a file system that lets its own group in alone",
        WITH_LUSTRE,
        _always(
            ec2_DescribeSecurityGroupRules={
                "SecurityGroupRules": lustre_rules(ReferencedGroupInfo={"GroupId": FS_GROUP})
            }
        ),
        ("lustre-ports-open", f"{THERE}.id"),
    ),
]


@pytest.mark.parametrize(("stack", "change", "found"), [each[1:] for each in BROKEN], ids=[each[0] for each in BROKEN])
def test_one_wrong_answer_is_one_finding(stack, change, found) -> None:
    """All rules are asked; one place, one rule, or one for each group that is hit."""
    wanted = needs(*stack)
    whole = sound(wanted)
    before = {(each.rule, each.where) for each in judged(wanted, whole).findings}
    judgement = judged(wanted, {**whole, **change(wanted)})
    rule, place = found
    groups = [group.name for group in wanted.blueprint.groups] if "{each}" in place else [""]
    assert before == set()
    assert {(each.rule, each.where) for each in judgement.findings} == {
        (rule, place.format(each=group)) for group in groups
    }


def test_without_answers_nothing_is_found_and_nothing_passes() -> None:
    """Every rule that needs one of these answers says that it was not evaluated."""
    wanted = needs(JOIN)
    known = run_topics(TOPICS, wanted, Told({})).facts
    asked = merge_facts((known, Facts(observed=datetime(2026, 11, 21, 9, tzinfo=UTC))))
    judgement = _judged(wanted, asked)
    assert {each.rule for each in judgement.findings} & set(OURS) == set()
    assert {each.rule for each in judgement.not_evaluated} & set(OURS) == {
        *(OFFERED, DECLARED, ACTIVE, "image-parameter-exists", "vpc-cni-supports-efa")
    }
