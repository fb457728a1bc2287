"""Not knowing, of ParallelCluster: no rule crashes on it, raises a false alarm, or passes over it in silence."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muster.fleet.description.slurm_cluster import SlurmCluster
from muster.fleet.finding import Level
from muster.fleet.resources import (
    CapacityTarget,
    ComputeResource,
    Database,
    Fleet,
    HeadNode,
    Mount,
    ParallelCluster,
    Place,
    Placement,
    Queue,
    Script,
    Volume,
)
from muster.fleet.resources import place as types
from muster.fleet.resources.parallelcluster import COMPUTE_RESOURCE, HEAD_NODE, QUEUE
from policies.catalogue import rules_about
from policies.judgement import judge
from tests.factories import CR, A
from tests.policies.test_unknown import group_refs, or_none, perhaps, ref, some_subnets, subnets
from tests.policies.veil import fleet_of, veiled, without
from tests.slurm_strategies import legal_slurm
from tests.slurms import (
    IMAGE,
    a_head,
    a_pcluster,
    a_queue,
    a_resource,
    a_script,
    a_slurm_fleet,
    image_facts,
)
from tests.strategies import Described

slowly = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=100)
OURS = rules_about("parallelcluster")

nowhere = st.just(Place(f"urn:pulumi:dev::theirs::{types.CLOUDFORMATION_STACK}::one"))
names = or_none(st.sampled_from(["", "workers", "bad_name", "default", "a" * 64]))
kinds = st.sampled_from(["", "p5.48xlarge", "p6e-gb200.36xlarge", "trn1.32xlarge", "t3.medium", "m6gd.large", "x"])
clusters = ref(types.CLOUDFORMATION_STACK, "one", "two")
queues = ref(QUEUE, "train", "gone")
words = st.sampled_from(["", "tag", "parallelcluster:x", "SuspendTime", "Gres", "a" * 200])
keys = perhaps(st.frozensets(words))
gib = or_none(st.integers(-1, 99999))
volumes = st.builds(
    Volume,
    type=or_none(st.sampled_from(["", "gp3", "io1", "sc1"])),
    gib=gib,
    iops=or_none(st.integers(-1, 300000)),
    throughput=or_none(st.integers(-1, 2000)),
)
directories = or_none(st.sampled_from(["", "/", "/opt", "fsx", "/fsx/a", "/scratch", "//x", ".."]))
mounts = st.builds(
    Mount,
    name=names,
    directory=directories,
    kind=or_none(st.sampled_from(["", "Ebs", "Efs", "FsxLustre", "FsxOntap"])),
    file_system=or_none(ref(types.LUSTRE, "fsx") | st.just("fs-0123456789abcdef0")),
    gib=gib,
    deletion=or_none(st.sampled_from(["Retain", "Delete", ""])),
    raid=st.booleans(),
    volume=st.none() | volumes,
)
scripts = perhaps(
    st.lists(
        st.builds(Script, at=perhaps(st.sampled_from(["", "s3://", "s3://b/k", "https://x", "s3://b"]))), max_size=3
    ).map(tuple)
)
policies = perhaps(st.frozensets(st.sampled_from(["", "arn:aws:iam::aws:policy/AmazonS3FullAccess", "arn:x/ours"])))
parallelclusters = st.builds(
    ParallelCluster,
    ref=clusters,
    name=names,
    version=or_none(st.sampled_from(["", "3.16.1", "3.1"])),
    os=or_none(st.sampled_from(["", "alinux2", "alinux2023", "rocky8", "rhel9", "ubuntu2204"])),
    image=or_none(st.sampled_from(["", IMAGE, "ami-nobody-knows"])),
    place=nowhere,
    imds=or_none(st.sampled_from(["v1.0", "v2.0", ""])),
    mounts=perhaps(st.lists(mounts, max_size=4).map(tuple)),
    accounting=perhaps(st.booleans()),
    tags=keys,
    database=st.none() | st.builds(Database, uri=names, secret=or_none(st.sampled_from(["", "arn:aws:x"]))),
    external_accounting=perhaps(st.booleans()),
    munge_key=perhaps(st.booleans()),
    slurm_settings=keys,
    node_names=st.frozensets(words),
    include_file=st.booleans(),
    dev_settings=keys,
    stack_name=names,
)
heads = st.builds(
    HeadNode,
    ref=ref(HEAD_NODE, "head"),
    cluster=clusters,
    instance=or_none(kinds),
    subnet=or_none(st.just(A)),
    security_groups=perhaps(st.lists(group_refs, max_size=3).map(tuple)),
    place=nowhere,
    key_pair=or_none(ref(types.KEY_PAIR, "mine") | st.sampled_from(["", "ml-admins"])),
    ssh_from=or_none(st.sampled_from(["", "0.0.0.0/0"])),
    scripts=scripts,
    buckets=perhaps(st.frozensets(st.sampled_from(["", "b", "*"]))),
    imds_secured=or_none(st.booleans()),
    image=or_none(st.sampled_from([IMAGE, ""])),
    scratch=directories,
    efa=st.booleans(),
    replaces_groups=st.booleans(),
    policies=policies,
    more_policies=st.booleans(),
    own_role=st.booleans(),
    seconds=or_none(st.integers(-1, 9999)),
    root=st.none() | volumes,
    key_type=or_none(st.sampled_from(["ssh-rsa", ""])),
)
in_queues = st.builds(
    Queue,
    ref=queues,
    cluster=clusters,
    name=names,
    capacity_type=or_none(st.sampled_from(["ONDEMAND", "SPOT", "CAPACITY_BLOCK", ""])),
    subnets=perhaps(some_subnets.map(tuple)),
    security_groups=perhaps(st.lists(group_refs, max_size=3).map(tuple)),
    place=nowhere,
    image=or_none(st.sampled_from([IMAGE, ""])),
    scratch=directories,
    allocation=or_none(st.sampled_from(["lowest-price", ""])),
    scripts=scripts,
    buckets=perhaps(st.frozensets(st.sampled_from(["", "b", "*"]))),
    replaces_groups=st.booleans(),
    policies=policies,
    more_policies=st.booleans(),
    own_role=st.booleans(),
    tags=keys,
    slurm_settings=keys,
    root=st.none() | volumes,
)
resources = st.builds(
    ComputeResource,
    ref=ref(COMPUTE_RESOURCE, "one", "two", "three"),
    queue=queues,
    name=names,
    instances=perhaps(st.lists(kinds, max_size=3).map(tuple)),
    nodes_min=perhaps(st.integers(-1, 9000)),
    nodes_max=perhaps(st.integers(-1, 9000)),
    subnets=perhaps(some_subnets.map(tuple)),
    security_groups=perhaps(st.lists(group_refs, max_size=3).map(tuple)),
    place=nowhere,
    flexible=st.booleans(),
    capacity_type=or_none(st.sampled_from(["ONDEMAND", "SPOT", "CAPACITY_BLOCK", ""])),
    target=perhaps(
        st.builds(CapacityTarget, reservation=or_none(st.sampled_from([CR, ""])), group=or_none(st.just("arn:x")))
    ),
    efa=or_none(st.booleans()),
    gdr=or_none(st.booleans()),
    placement=perhaps(
        st.builds(Placement, enabled=or_none(st.booleans()), name=or_none(st.just("mine")), both=st.booleans())
    ),
    threads_per_core=or_none(st.integers(0, 3)),
    memory_mib=or_none(st.integers(-1, 10**8)),
    tags=keys,
    slurm_settings=keys,
)


@settings(slowly, max_examples=300)
@given(st.lists(parallelclusters | heads | in_queues | resources, max_size=8), subnets, st.booleans())
def test_no_rule_crashes_on_anything(things: list[Any], around: Any, known: bool) -> None:
    """Whatever a program says, however little of it is known, and though two things have one name."""
    facts = image_facts() if known else None
    judge(Fleet(tuple(things), around, facts, region="us-west-2", backend="parallelcluster"), rules=OURS)


HIDEABLE: dict[type, tuple[str, ...]] = {
    ParallelCluster: (
        *("name", "version", "os", "image", "imds", "mounts", "accounting", "tags", "slurm_settings", "dev_settings"),
    ),
    HeadNode: ("instance", "key_pair", "ssh_from", "scripts", "buckets", "seconds"),
    Queue: ("name", "capacity_type", "subnets", "image", "scratch", "scripts", "tags", "slurm_settings"),
    ComputeResource: (
        *("name", "instances", "nodes_min", "nodes_max", "capacity_type", "target", "efa", "placement", "memory_mib"),
        *("tags", "slurm_settings"),
    ),
}
"""What a preview may not know. What is not set is known not to be."""


@slowly
@given(legal_slurm(), st.randoms(use_true_random=False), st.floats(0, 1))
def test_not_knowing_is_no_fault(described: Described, random: Any, share: float) -> None:
    """However little of a legal fleet is known, nothing mandatory is found in it."""
    fleet = veiled(fleet_of(SlurmCluster, described), HIDEABLE, lambda: random.random() < share)
    found = judge(fleet, rules=OURS).findings
    assert [each for each in found if each.level is Level.MANDATORY] == []


DEFAULT = a_slurm_fleet(
    a_pcluster(image=IMAGE),
    a_head(scripts=a_script("s3://b/k"), buckets=frozenset({"b"}), seconds=60),
    a_queue(image=IMAGE, scripts=a_script()),
    a_resource(memory_mib=1024),
    known=image_facts(),
)
NOT_READ = {
    (ParallelCluster, "accounting"),
    (HeadNode, "key_pair"),
    (ComputeResource, "nodes_min"),
    (ComputeResource, "efa"),
    (ComputeResource, "target"),
}
"""Nothing of this fleet hangs on these: its name is short, its system takes any key, its placement is said, and it is
on demand."""
READ = [(kind, name) for kind, names_ in HIDEABLE.items() for name in names_ if (kind, name) not in NOT_READ]


@pytest.mark.parametrize(("kind", "name"), READ, ids=lambda each: each if isinstance(each, str) else each.__name__)
def test_what_is_hidden_is_missed(kind: type, name: str) -> None:
    """Nothing passes in silence that could not be seen."""
    assert judge(DEFAULT, rules=OURS).not_evaluated == ()
    judgement = judge(without(DEFAULT, kind, name), rules=OURS)
    assert judgement.not_evaluated
    assert judgement.findings == ()
