"""Options of rules, each at its boundary: with the first value its rule finds nothing, with the second it does."""

from collections.abc import Callable
from datetime import date
from typing import Any

from muster.fleet.resources import Fleet
from muster.fleet.resources.ec2 import INGRESS, tcp
from tests.factories import A, a_control_plane, a_fleet, a_group, a_reservation, a_subnet, a_template, facts, on
from tests.hyperpods import a_hyperpod_fleet, plan_facts
from tests.policies.case import cases
from tests.policies.cases import lifecycles, pods, training_plans
from tests.policies.cases.addons import room
from tests.policies.cases.parallelcluster_queues import nodes
from tests.policies.cases.security import buckets, credentials, identities, open_ports
from tests.policies.security import ROOT, group, mount
from tests.policies.security import pods as pods_of

TRIED: set[tuple[str, str]] = set()
"""Rule and option."""


def boundary(rule: str, option: str, within: Any, beyond: Any, fleet: Callable[[], Fleet], what: str = "") -> None:
    """Two cases of one fleet."""
    TRIED.add((rule, option))
    name = f"{rule}_{option}{what and f'_{what}'}".replace("-", "_")
    for value, which in ((within, "within"), (beyond, "beyond")):
        cases(rule, {option: value}, **{f"{name}_{which}": lambda: fleet()})


def a_quota() -> Fleet:
    group = a_group(reservation=a_reservation())
    return a_fleet(a_template(**on()), group, facts=facts(quotas={"L-417A185B": 400}))


def an_ending_version() -> Fleet:
    return a_fleet(a_control_plane("1.35"), as_of=date(2027, 3, 1))


def an_ending_plan() -> Fleet:
    return a_hyperpod_fleet(training_plans.planned(), known=plan_facts(end="2026-12-01T11:30:00Z"))


def old_facts() -> Fleet:
    return a_fleet(a_control_plane(), facts=facts(observed="2026-11-11T10:00:00Z", permissions={}))


def open_to(network: str) -> Callable[[], Fleet]:
    return lambda: a_fleet(a_control_plane(public_networks=(network,)))


MIRROR = "registry.ml-platform.dev:5000/nccl-tests"
OLD_P5 = f"{MIRROR}:cuda11.8.0-efa1.30.0-ofiv1.7.2-ncclv2.18.5-1-testsv2.13.8"
OLD_P6 = f"{MIRROR}:cuda12.6.3-efa1.42.0-ofiv1.16.0-ncclv2.27.5-1-testsv2.16.4"

boundary("kubernetes-standard-support", "days", 26, 27, an_ending_version)
boundary(
    "api-not-open-to-all",
    "networks",
    ["2001:db8::/32", "203.0.113.0/24"],
    ["2001:db8::/32", "203.0.113.0/26"],
    open_to("203.0.113.0/25"),
)
boundary("control-plane-two-zones", "zones", 2, 3, a_fleet)
boundary(
    "vpc-outside-docker-range",
    "networks",
    ["172.17.0.0/16", "10.1.64.0/18"],
    ["172.17.0.0/16", "10.1.0.0/24"],
    lambda: a_fleet(subnets=[a_subnet(A, created=True, cidr="10.1.0.0/18")]),
)
boundary("quota-covers-vcpus", "vcpus", 208, 209, a_quota)
boundary("facts-fresh", "days", 10, 9, old_facts)
boundary("training-plan-usable", "days", 9, 10, an_ending_plan)
boundary("parallelcluster-shared-volume-serves-fleet", "nodes", 101, 100, nodes.more_than_a_hundred_nodes)
boundary(
    "lifecycle-source-prefix",
    "prefixes",
    ["sagemaker-", "ml-"],
    ["sagemaker-", "mlops-"],
    lifecycles.scripts_that_instances_may_not_read,
)
boundary("p5-image-new-enough", "repositories", [MIRROR[:-1]], [MIRROR], lambda: pods.running(OLD_P5))
boundary(
    "p6-image-new-enough", "repositories", [MIRROR[:-1]], [MIRROR], lambda: pods.running(OLD_P6, "p6-b200.48xlarge")
)
boundary(
    "subnet-holds-all-nodes",
    "addresses",
    0,
    4000,
    lambda: a_fleet(a_group(nodes_max=2), subnets=[a_subnet(free_addresses=4000)]),
)
boundary("daemons-fit-nodes", "cpus", 95, 96, room.a_daemon_that_leaves_half_of_the_node)
boundary("daemons-fit-nodes", "memory-gib", 1892, 1893, room.a_daemon_that_leaves_half_of_the_node)


# security

boundary("imds-out-of-pods", "hops", 3, 2, lambda: a_fleet(a_template(hop_limit=3)))
boundary(
    "security-group-not-open-to-all",
    "ports",
    [22, 8444],
    [22, 8443],
    lambda: group(tcp(INGRESS, 8000, 8443, "0.0.0.0/0")),
)
boundary("node-role-narrow", "allowed", ["AmazonS3FullAccess"], ["AmazonS3"], identities.nodes_with_all_of_s3)
boundary(
    "node-role-narrow",
    "allowed",
    ["S3:*"],
    ["s3:Get*"],
    identities.nodes_allowed_all_of_s3_by_a_policy_of_their_own,
    "of_a_statement",
)
boundary("credentials-not-exported", "outputs", ["db-*"], ["db"], credentials.a_password_by_its_name)
boundary("buckets-private", "public", ["da*"], ["dat"], buckets.a_bucket_with_a_public_list)
boundary(
    "pods-not-privileged",
    "daemons",
    ["our-*"],
    ["our"],
    lambda: a_fleet(pods_of("DaemonSet", "our-agent", container=ROOT)),
)
boundary(
    "pods-off-host-files",
    "daemons",
    ["our-agent"],
    ["agent"],
    lambda: a_fleet(pods_of("DaemonSet", "our-agent", volumes=mount("/etc"))),
)
boundary(
    "pods-off-host-files",
    "paths",
    ["/etc/ssl"],
    ["/etc/ssl/private"],
    lambda: a_fleet(pods_of(volumes=mount("/etc/ssl/certs"))),
)
boundary(
    "pods-off-host-namespaces",
    "daemons",
    ["*agent"],
    ["agents"],
    lambda: a_fleet(pods_of("DaemonSet", "our-agent", hostPID=True)),
)

# An empty list of ports lets SSH in, and everything at once never.
cases("security-group-not-open-to-all", {"ports": []}, no_port_closed_to_ssh=lambda: open_ports.ssh_open_to_the_world())
cases(
    "security-group-not-open-to-all",
    {"ports": []},
    no_port_closed_to_everything=lambda: open_ports.everything_open_to_the_world(),
)

# A network that is written by one of its addresses counts as what it is.
for _name, _network in {
    "within": "203.0.113.128/25",
    "equal": "203.0.113.0/24",
    "by_an_address": "203.0.113.7/24",
    "around": "203.0.112.0/23",
    "everything": "0.0.0.0/0",
    "within_of_ipv6": "2001:db8:1::/48",
    "beside_of_ipv6": "2001:db9::/48",
    "everything_of_ipv6": "::/0",
    "no_network": "our office",
    "empty": "",
}.items():
    cases(
        "api-not-open-to-all",
        {"networks": ["203.0.113.0/24", "2001:db8::/32"]},
        **{f"a_network_{_name}": lambda network=_network: open_to(network)()},
    )
