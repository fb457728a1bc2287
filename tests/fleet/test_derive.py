"""What a description becomes: what only few of its words decide."""

from typing import Any

import pytest
from botocore.loaders import Loader

from muster.blueprint.derive.cluster import EFA_GROUP_REF
from muster.blueprint.hyperpod.node_labels import identity_labels
from muster.blueprint.kubernetes import EksGroup, HyperPodGroup
from muster.config.description.kubernetes_cluster import AuthenticationMode
from muster.config.description.node_settings import Family
from muster.fleet.resources.ec2 import INGRESS, tcp
from muster.fleet.resources.parallelcluster import Placement
from muster.fleet.unknown import UNKNOWN
from tests.factories import CR, DROP, SG, A, B, a_blueprint
from tests.hyperpod_factories import a_hyperpod_blueprint
from tests.slurm_factories import WORKERS, a_slurm_blueprint

PLAIN = {"groups.workers.instance": "m5.8xlarge", "groups.workers.for": "system", "groups.workers.capacity": DROP}
LUSTRE = {"lustre": {"size": "1200GiB", "throughput": 250}}


def test_a_group_for_efa_is_made_where_there_is_efa() -> None:
    """And nowhere else."""
    with_efa = a_blueprint().efa_security_group
    assert with_efa is not None
    assert with_efa.ref == EFA_GROUP_REF
    assert a_blueprint(PLAIN).efa_security_group is None


def test_a_repaired_node_that_is_held_needs_its_place_back() -> None:
    """One at a time where a reservation holds the nodes; elsewhere as EKS likes."""
    groups = [each for each in a_blueprint().groups if isinstance(each, EksGroup)]
    limits = {each.name: each.node_group.repair_limits for each in groups}
    assert limits == {"system": (), "workers": (("maxParallelNodesRepairedCount", 1),)}


@pytest.mark.parametrize(
    ("said", "threads"), [({}, None), ({"threads-per-core": 1}, 1), ({"threads-per-core": 2}, None)]
)
def test_hyper_threading_is_turned_off_or_left(said: dict[str, int], threads: int | None) -> None:
    """1 is ParallelCluster's `DisableSimultaneousMultithreading`; to leave it nothing is said."""
    edits = {f"{WORKERS}.{key}": value for key, value in said.items()}
    (queue,) = a_slurm_blueprint(edits).queues
    assert [each.compute_resource.threads_per_core for each in queue.groups] == [threads]


@pytest.mark.parametrize(("instance", "addresses"), [("p5.48xlarge", 1), ("g6.48xlarge", 1), ("m5.8xlarge", 1)])
def test_efa_only_interfaces_take_no_address_in_slurm(instance: str, addresses: int) -> None:
    """A node takes one for each interface that carries IP, whatever it runs."""
    (queue,) = a_slurm_blueprint({f"{WORKERS}.instance": instance, f"{WORKERS}.capacity": {"on-demand": {}}}).queues
    (node,) = (each.node for each in queue.groups)
    assert (node.addresses.idle, node.addresses.working, node.addresses.most) == (addresses,) * 3


HELD = {"zone": "us-west-2b", "count": 4}
BLOCK = {"id": CR, "starts": "2026-12-01", "ends": "2026-12-15"}
OF_RESERVATIONS = {"arn": "arn:aws:resource-groups:us-west-2:210987654321:group/held", "provided-by": "aws"}
CAPACITY: list[tuple[dict[str, Any], str | None]] = [
    ({"on-demand": {}}, None),
    ({"spot": {}}, None),
    ({"reservation": {**HELD, "id": CR, "provided-by": "aws"}}, "us-west-2b"),
    ({"reservation-group": {**HELD, **OF_RESERVATIONS}}, "us-west-2b"),
    ({"capacity-block": {**HELD, **BLOCK}}, "us-west-2b"),
]
"""Capacity of EC2, and the zone that it is in."""
PLAN = {**HELD, "arn": "arn:aws:sagemaker:us-west-2:210987654321:training-plan/ours"}


@pytest.mark.parametrize(("capacity", "zone"), CAPACITY, ids=[next(iter(each)) for each, _ in CAPACITY])
def test_nodes_are_where_their_capacity_is(capacity: dict[str, Any], zone: str | None) -> None:
    """In the subnet of its zone; what is held nowhere is in both, unless a zone is said, which counts in any case."""
    edits = {"groups.workers.capacity": capacity}
    for more, only in (({"groups.workers.zone": DROP}, zone), ({"groups.workers.zone": "us-west-2a"}, "us-west-2a")):
        (group,) = (each for each in a_blueprint({**edits, **more}).groups if each.name == "workers")
        assert isinstance(group, EksGroup)
        assert (group.described.only_zone, group.node_group.zone) == (only, only)
        assert group.subnets == {None: (A, B), "us-west-2a": (A,), "us-west-2b": (B,)}[only]
    slurm = a_slurm_blueprint({f"{WORKERS}.capacity": capacity})
    assert [each.described.only_zone for queue in slurm.queues for each in queue.groups] == [zone]
    assert [tuple(queue.queue.subnets) for queue in slurm.queues] == [(B,) if zone else (A,)]


def test_instances_are_where_their_training_plan_is() -> None:
    """Likewise on HyperPod."""
    for more, subnets in (
        ({"groups.workers.zone": DROP}, (A, B)),
        ({"groups.workers.zone": DROP, "groups.workers.capacity": {"training-plan": PLAN}}, (B,)),
        ({"groups.workers.zone": "us-west-2a"}, (A,)),
    ):
        (group,) = (each for each in a_hyperpod_blueprint(more).groups if each.name == "workers")
        assert group.subnets == subnets


IDS = {"us-west-2a": "usw2-az2", "us-west-2b": "usw2-az1"}
EXISTING = {"vpc": "vpc-0123456789abcdef0", "private": {"us-west-2a": A, "us-west-2b": B}}


@pytest.mark.parametrize("network", [{"create": {"zones": [*IDS]}}, {"existing": EXISTING}], ids=["create", "existing"])
@pytest.mark.parametrize("make", [a_blueprint, a_hyperpod_blueprint, a_slurm_blueprint])
def test_ids_of_zones_are_known_as_far_as_they_are_said(make: Any, network: dict[str, Any]) -> None:
    """Of a network that is made, and of one that exists; not of other zones."""
    ((kind, said),) = network.items()
    only = {"us-west-2b": IDS["us-west-2b"]}
    for ids in ({}, only, IDS):
        assert make({"network": {kind: {**said, "zone-ids": ids}}}).network.zone_ids == ids


@pytest.mark.parametrize(("name", "cluster"), [(None, "tested"), ("other", "other")])
def test_an_instance_group_has_the_labels_that_hyperpod_sets(name: str | None, cluster: str) -> None:
    """Of its own cluster's name, which is that of the EKS cluster unless it has another."""
    blueprint = a_hyperpod_blueprint({"name": "tested", **({"hyperpod.name": name} if name else {})})
    assert identity_labels(blueprint, "workers") == {
        "sagemaker.amazonaws.com/compute-type": "hyperpod",
        "sagemaker.amazonaws.com/cluster-name": cluster,
        "sagemaker.amazonaws.com/instance-group-name": "workers",
    }


def test_a_file_system_is_in_the_zone_that_it_says() -> None:
    """Else in that of the training groups."""
    of_groups = a_blueprint({"storage": {"scratch": LUSTRE}})
    of_its_own = a_blueprint({"storage": {"scratch": {"lustre": {**LUSTRE["lustre"], "zone": "us-west-2b"}}}})
    zones = [[each.file_system.zone for each in one.storage] for one in (of_groups, of_its_own)]
    assert zones == [["us-west-2a"], ["us-west-2b"]]


@pytest.mark.parametrize(
    ("instance", "offers"),
    [
        ("p5.48xlarge", {"gres/gpu": 8, "efa": 32}),
        ("trn1.32xlarge", {"neuron": 16, "efa": 8}),
        ("m5.8xlarge", {}),
    ],
)
def test_what_a_job_of_slurm_can_ask_for(instance: str, offers: dict[str, int]) -> None:
    """The accelerators of its type, by their kind, and EFA."""
    (queue,) = a_slurm_blueprint({f"{WORKERS}.instance": instance, f"{WORKERS}.capacity": {"on-demand": {}}}).queues
    assert [each.node.offers for each in queue.groups] == [offers]


@pytest.mark.parametrize(
    ("said", "placement"),
    [
        ({"provided-by": "aws"}, None),
        ({"provided-by": "you"}, ("tested-workers", True)),
        ({"provided-by": "you", "placement-group": "ours"}, ("ours", False)),
        ({"provided-by": "you", "placement-group": "none"}, None),
    ],
)
def test_placement_follows_from_who_provided_a_reservation(
    said: dict[str, str], placement: tuple[str, bool] | None
) -> None:
    """AWS places its own; somebody else's is in the group that it was made in, in none, or in one of ours."""
    (group,) = (
        each
        for each in a_blueprint(
            {f"groups.workers.capacity.reservation.{key}": value for key, value in said.items()}
        ).groups
        if each.name == "workers"
    )
    assert isinstance(group, EksGroup)
    found = group.placement_group
    assert (found and (found.name, found.create)) == placement


def test_zones_have_the_ids_that_are_said() -> None:
    """Of those alone that have a zone and an id."""
    said = {"us-west-2a": "usw2-az1", "us-west-2b": "usw2-az2"}
    for ids in ({}, {"us-west-2a": "usw2-az1"}, said):
        assert a_blueprint({"network.existing.zone-ids": ids}).network.zone_ids == ids


MADE = {"create": {"cidr": "10.0.0.0/16", "zones": ["us-west-2a", "us-west-2b"], "registry-endpoints": True}}


def test_a_network_that_is_made() -> None:
    """Public subnets give public addresses, and no others do; endpoints take HTTPS from the network, and nothing else:
    they do not talk with each other."""
    network = a_blueprint({"network": MADE}).network
    tiers = {
        name: {str(each) for each in of.values()} for name, of in (("no", network.private), ("yes", network.public))
    }
    assert [len(each) for each in tiers.values()] == [2, 2]
    for name, each in network.subnets.items():
        is_public = name in tiers["yes"]
        assert is_public is (name not in tiers["no"])
        assert (each.public, each.map_public_ip, each.created) == (is_public, is_public, True)
    endpoints = network.registry_endpoints
    assert endpoints is not None
    assert (endpoints.self_ingress, endpoints.self_egress, endpoints.allows) == (
        False,
        False,
        {tcp(INGRESS, 443, 443, "10.0.0.0/16")},
    )
    assert a_blueprint({"network": MADE, "network.create.registry-endpoints": False}).network.registry_endpoints is None


def test_how_a_group_is_updated_follows_from_who_manages_it() -> None:
    """What is held, and full, goes first and comes then; nobody updates what its user manages."""
    own = {"for": "inference", "instance": "g5.12xlarge", "nodes": 2, "self-managed": True}
    groups = [
        each.node_group
        for each in a_blueprint({"groups.own": own, "groups.system.image": "bottlerocket"}).groups
        if isinstance(each, EksGroup)
    ]
    assert [(each.ref.name, each.family, each.update_strategy, each.managed) for each in groups] == [
        ("system", Family.BOTTLEROCKET, "DEFAULT", True),
        ("workers", Family.AL2023, "MINIMAL", True),
        ("own", Family.AL2023, None, False),
    ]


def test_what_hyperpods_scripts_lie_in_is_for_nobody_else() -> None:
    """Its name begins as SageMaker's role may read it."""
    hyperpod = a_hyperpod_blueprint().hyperpod
    assert hyperpod is not None
    bundle = hyperpod.bundle
    assert bundle is not None
    assert (bundle.name, bundle.private, bundle.versioned, bundle.encrypted) == ("sagemaker-tested-", True, True, True)


def test_an_instance_group_has_what_is_said_of_hyperpod() -> None:
    """Threads of a core, and the kind of interface; nothing where nothing is said."""
    said = {"threads-per-core": 2, "interface": "efa-only"}
    groups = a_hyperpod_blueprint({"groups.system.hyperpod": DROP, "groups.workers.hyperpod": said}).groups
    found = [each.instance_group for each in groups if isinstance(each, HyperPodGroup)]
    assert [(each.ref.name, each.threads_per_core, each.interface) for each in found] == [
        ("system", 1, None),
        ("workers", 2, "efa-only"),
    ]


@pytest.mark.parametrize(
    ("said", "placement"),
    [
        ({"provided-by": "aws"}, Placement(enabled=False)),
        ({"provided-by": "you"}, Placement(enabled=True)),
        ({"provided-by": "you", "placement-group": "ours"}, Placement(enabled=True, name="ours")),
        ({"provided-by": "you", "placement-group": "none"}, Placement(enabled=False)),
    ],
)
def test_placement_is_said_in_any_case_with_slurm(said: dict[str, str], placement: Placement) -> None:
    """A group that ParallelCluster makes has no name here; who made one named it."""
    held = {"id": CR, "zone": "us-west-2a", "count": 4, **said}
    (queue,) = a_slurm_blueprint({f"{WORKERS}.capacity": {"reservation": held}}).queues
    assert [each.compute_resource.placement for each in queue.groups] == [placement]


def test_a_queue_that_names_no_zone_is_in_one() -> None:
    """The network's first that has a private subnet; in each that it names, in any order."""
    both = {"queues.train.zones": ["us-west-2b", "us-west-2a"], f"{WORKERS}.for": "inference"}
    subnets = [[each.queue.subnets for each in a_slurm_blueprint(edits).queues] for edits in ({}, both)]
    assert subnets == [[(A,)], [(A, B)]]


@pytest.mark.parametrize(
    ("login", "kind"),
    [
        ({"public-key": f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{'a' * 43} ada@example.com"}, "ssh-ed25519"),
        ({"key-pair": "ours"}, None),
        ({"ssm": {}}, None),
    ],
)
def test_the_kind_of_a_key_is_known_where_the_key_is(login: dict[str, Any], kind: str | None) -> None:
    """Its first word; of a pair that AWS has nobody said any."""
    ssh = {} if "ssm" in login else {"ssh-from": "198.51.100.0/24"}
    assert a_slurm_blueprint({"head": {"login": login, **ssh}}).head.key_type == kind


def test_a_file_system_with_efa_talks_by_it_with_nodes_that_have_it() -> None:
    """Where none has, there is no such group to name."""
    fast = {"storage": {"fast": {"lustre": {"size": "4800GiB", "throughput": 1000, "efa": True}}}}
    for edits, efa in ((fast, {EFA_GROUP_REF}), ({**fast, **PLAIN}, set())):
        (storage,) = a_blueprint(edits).storage
        assert storage.security_group is not None
        own = {storage.security_group.ref}
        everything = {each.peer for each in storage.security_group.allows if each.protocol == "-1"}
        assert everything == own | efa
        assert {each for each in storage.security_group.peers if each == EFA_GROUP_REF} == efa


NAMED = {"name": "ours", "security-group": SG}


@pytest.mark.parametrize(
    ("said", "mode"),
    [("api", "API"), ("api-and-config-map", "API_AND_CONFIG_MAP"), ("config-map", "CONFIG_MAP")],
)
def test_how_a_cluster_that_exists_lets_people_in_is_said_as_eks_says_it(said: str, mode: str) -> None:
    """`AuthenticationMode` of EKS's API has these three; one that is made takes access entries alone."""
    plane = {"existing": {**NAMED, "authentication": said}}
    existing = a_blueprint({"control-plane": plane, "api": DROP}).control_plane
    assert (existing.name, existing.authentication) == ("ours", mode)
    shape = Loader().load_service_model("eks", "service-2")["shapes"]["AuthenticationMode"]
    assert mode in shape["enum"]
    assert len(shape["enum"]) == len(AuthenticationMode)
    assert a_blueprint().control_plane.authentication == "API"


def test_a_cluster_is_called_as_it_is_said_or_as_its_stack() -> None:
    """So are the control plane, and the tracking server, unless that has a name of its own."""
    server = {"hyperpod": {"mlflow": {}}}
    for edits, name in ({}, "tested"), ({"name": "ours"}, "ours"):
        made = a_hyperpod_blueprint({**server, **edits})
        assert made.hyperpod is not None
        assert made.hyperpod.tracking_server is not None
        assert (a_blueprint(edits, stack="tested").control_plane.name, made.control_plane.name) == (name, name)
        assert made.hyperpod.tracking_server.name == name


def test_a_file_system_that_exists_is_where_it_is_said_to_be() -> None:
    """Its names as they are said, its address by its id where none is said; of the rest nothing is known."""
    stands = {"id": "fs-0123456789abcdef0", "mount-name": "abcdefgh"}
    for more, zone, dns in (
        ({}, None, "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com"),
        ({"zone": "us-west-2b", "dns-name": "data.example.com"}, "us-west-2b", "data.example.com"),
    ):
        (storage,) = a_blueprint({"storage": {"data": {"existing-lustre": {**stands, **more}}}}).storage
        made = storage.file_system
        assert (made.existing, made.id, made.mount_name, made.dns_name) == (
            True,
            "fs-0123456789abcdef0",
            "abcdefgh",
            dns,
        )
        assert storage.zone == made.zone == zone
        assert made.vpc == "vpc-0123456789abcdef0"
        unknown = (made.size, made.deployment, made.disk, made.throughput, made.subnets, made.security_groups)
        assert unknown == (UNKNOWN,) * 6


def test_what_only_a_managed_group_has_is_ignored_in_another() -> None:
    """And in a managed one nothing is."""
    said = {"groups.workers.node-repair": True, "groups.workers.updates": {"at-once": 2}}
    for own, ignored in ((False, ()), (True, ("node-repair", "updates"))):
        groups = a_blueprint({**said, "groups.workers.self-managed": own}).groups
        of = {each.name: each.node_group.ignored for each in groups if isinstance(each, EksGroup)}
        assert of == {"system": (), "workers": ignored}
