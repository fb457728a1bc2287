"""What `plan` says that a change costs, by ParallelCluster's own update policies.

Each field is changed in a cluster, both configurations are rendered, and the package's own check of the difference says
whether a running cluster takes it, a stopped one, or none: that is the cost.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

from muster.authority.moto_content import placeholder_id
from muster.authority.validation import as_sent
from muster.authority.worker_process import Worker
from muster.blueprint.parallelcluster.configuration import configuration
from muster.blueprint.parallelcluster.description_fields import FIELDS
from muster.config.change_costs import paths_by_cost
from muster.config.description.base import Change
from muster.versions import PARALLELCLUSTER
from tests.authority.judged import AMI, CR, derived
from tests.factories import DROP, edited
from tests.strategies import Described

_SUBNETS = {zone: f"subnet-0a1b2c3d4e5f6071{number}" for number, zone in enumerate(("us-west-2a", "us-west-2b"))}
_ARN = "arn:aws:resource-groups:us-west-2:111122223333:group/{}"
_SECRET = "arn:aws:secretsmanager:us-west-2:111122223333:secret:{}"
_GROUP = "queues.gpu.groups.workers"
_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ000000000000000000000000000000000000000000{}"
_SCRIPT = {"scripts": [{"at": "s3://a-bucket/a.sh", "arguments": ["a"]}], "timeout-minutes": 40}

BASE: dict[str, Any] = {
    "backend": "parallelcluster",
    "version": PARALLELCLUSTER,
    "os": "ubuntu2404",
    "image": AMI,
    "network": {
        "existing": {
            "vpc": "vpc-0a1b2c3d4e5f60718",
            "private": _SUBNETS,
            "public": {"us-west-2a": "subnet-0a1b2c3d4e5f60719"},
        }
    },
    "head": {
        "instance": "m5.8xlarge",
        "subnets": "private",
        "zone": "us-west-2a",
        "root": "200GiB",
        "apps": "200GiB",
        "login": {"key-pair": "a"},
        "ssh-from": "198.51.100.0/24",
        "security-groups": [],
    },
    "login-nodes": {
        "login": {
            "instance": "m5.large",
            "nodes": 1,
            "subnets": "private",
            "zone": "us-west-2a",
            "ssh-from": "198.51.100.0/24",
            "grace-minutes": 10,
            "security-groups": [],
        }
    },
    "queues": {
        "gpu": {
            "zones": ["us-west-2a"],
            "exclusive": True,
            "root": "200GiB",
            "security-groups": [],
            "groups": {
                "workers": {
                    "for": "training",
                    "instance": "p4de.24xlarge",
                    "nodes": {"min": 2, "max": 4},
                    "efa": True,
                    "threads-per-core": 2,
                    "memory": "900GiB",
                }
            },
        },
    },
    "slurm": {
        "idle-minutes": 60,
        "on-update": "drain",
        "scaling": "all-or-nothing",
        "memory-scheduling": False,
        "settings": {"MaxJobCount": 1},
    },
    "storage": {"fsx": {"existing-lustre": {"id": "fs-0a1b2c3d4e5f60718", "mount-name": "abcdefgh"}}},
    "logs": {"retention-days": 90, "on-destroy": "keep"},
    "monitoring": {"detailed": True, "dashboard": True},
    "tags": {"team": "a"},
}


@dataclass(frozen=True)
class Edit:
    """A change of one field."""

    field: str
    """As `FIELDS` names it."""
    edits: Mapping[str, Any]
    base: Mapping[str, Any] | None = None
    """What the cluster has beforehand, beside `BASE`."""


def _reservation(**more: Any) -> dict[str, Any]:
    said = {"id": CR, "zone": "us-west-2a", "count": 4, "provided_by": "aws"} | more
    return {f"{_GROUP}.capacity": {"reservation": {key.replace("_", "-"): value for key, value in said.items()}}}


def _in_group(**more: Any) -> dict[str, Any]:
    said = {"arn": _ARN.format("a"), "zone": "us-west-2a", "count": 4, "provided_by": "aws"} | more
    return {f"{_GROUP}.capacity": {"reservation-group": {key.replace("_", "-"): value for key, value in said.items()}}}


def _block(**more: Any) -> dict[str, Any]:
    said = {"id": CR, "zone": "us-west-2a", "count": 4, "starts": "2026-12-01", "ends": "2026-12-05"} | more
    return {f"{_GROUP}.capacity": {"capacity-block": said}, f"{_GROUP}.nodes": 4}


_ACCOUNTING = {
    "accounting": {"server": "a.example.com:3306", "user": "a", "password-secret": _SECRET.format("a"), "database": "a"}
}
_LOGIN_SCRIPT = {"scripts": [{"at": "https://a.example.com/a.sh"}], "timeout-minutes": 40}
_OWN_ZONES = {"queues.gpu.zones": []}
_ELSEWHERE = "us-west-2b"

EDITS = (
    Edit("os", {"os": "ubuntu2204"}),
    Edit("image", {"image": "ami-0a1b2c3d4e5f60719"}),
    Edit("head.instance", {"head.instance": "m5.2xlarge"}),
    Edit("head.subnets", {"head.subnets": "public"}),
    Edit("head.zone", {"head.zone": _ELSEWHERE}),
    Edit("head.root", {"head.root": "300GiB"}),
    Edit("head.apps", {"head.apps": "300GiB"}),
    Edit("head.login.key-pair", {"head.login": {"key-pair": "b"}}),
    Edit(
        "head.login.ssm",
        {"head.login": {"key-pair": "b"}, "head.ssh-from": "198.51.100.0/24"},
        {"head.login": {"ssm": {}}, "head.ssh-from": DROP, "login-nodes": {}},
    ),
    Edit("head.login.public-key", {"head.login": {"key-pair": "b"}}, {"head.login": {"public-key": _KEY.format("a")}}),
    Edit("head.metadata-for-all-users", {"head.metadata-for-all-users": True}),
    Edit("head.ssh-from", {"head.ssh-from": "203.0.113.0/24"}),
    Edit("head.security-groups", {"head.security-groups": ["sg-0a1b2c3d4e5f60718"]}),
    Edit(
        "head.post-install.scripts",
        {"head.post-install.scripts": [{"at": "s3://b-bucket/b.sh"}]},
        {"head.post-install": _SCRIPT},
    ),
    Edit(
        "head.post-install.timeout-minutes", {"head.post-install.timeout-minutes": 45}, {"head.post-install": _SCRIPT}
    ),
    Edit("post-install.scripts", {"post-install.scripts": [{"at": "s3://b-bucket/b.sh"}]}, {"post-install": _SCRIPT}),
    Edit("s3", {"s3": {"s3://data": "write"}}, {"s3": {"s3://data": "read"}}),
    Edit("post-install.timeout-minutes", {"post-install.timeout-minutes": 45}, {"post-install": _SCRIPT}),
    Edit("slurm.idle-minutes", {"slurm.idle-minutes": 5}),
    Edit("slurm.on-update", {"slurm.on-update": "terminate"}),
    Edit("slurm.scaling", {"slurm.scaling": "best-effort"}),
    Edit("slurm.memory-scheduling", {"slurm.memory-scheduling": True}),
    Edit("slurm.settings", {"slurm.settings": {"MaxJobCount": 2}}),
    Edit("accounting.server", {"accounting.server": "b.example.com:3306"}, _ACCOUNTING),
    Edit("accounting.user", {"accounting.user": "b"}, _ACCOUNTING),
    Edit("accounting.password-secret", {"accounting.password-secret": _SECRET.format("b")}, _ACCOUNTING),
    Edit("accounting.database", {"accounting.database": "b"}, _ACCOUNTING),
    Edit("login-nodes.*.instance", {"login-nodes.login.instance": "m5.xlarge"}),
    Edit("login-nodes.*.nodes", {"login-nodes.login.nodes": 2}),
    Edit("login-nodes.*.subnets", {"login-nodes.login.subnets": "public"}),
    Edit("login-nodes.*.zone", {"login-nodes.login.zone": _ELSEWHERE}),
    Edit("login-nodes.*.ssh-from", {"login-nodes.login.ssh-from": "203.0.113.0/24"}),
    Edit("login-nodes.*.grace-minutes", {"login-nodes.login.grace-minutes": 20}),
    Edit("login-nodes.*.security-groups", {"login-nodes.login.security-groups": ["sg-0a1b2c3d4e5f60718"]}),
    Edit(
        "login-nodes.*.post-install.scripts",
        {"login-nodes.login.post-install.scripts": [{"at": "https://b.example.com/b.sh"}]},
        {"login-nodes.login.post-install": _LOGIN_SCRIPT},
    ),
    Edit(
        "login-nodes.*.post-install.timeout-minutes",
        {"login-nodes.login.post-install.timeout-minutes": 45},
        {"login-nodes.login.post-install": _LOGIN_SCRIPT},
    ),
    Edit("queues.*.zones", {"queues.gpu.zones": [_ELSEWHERE]}),
    Edit("queues.*.exclusive", {"queues.gpu.exclusive": False}),
    Edit("queues.*.root", {"queues.gpu.root": "300GiB"}),
    Edit("queues.*.security-groups", {"queues.gpu.security-groups": ["sg-0a1b2c3d4e5f60718"]}),
    Edit(
        "queues.*.post-install.scripts",
        {"queues.gpu.post-install.scripts": [{"at": "s3://b-bucket/b.sh"}]},
        {"queues.gpu.post-install": _SCRIPT},
    ),
    Edit(
        "queues.*.post-install.timeout-minutes",
        {"queues.gpu.post-install.timeout-minutes": 45},
        {"queues.gpu.post-install": _SCRIPT},
    ),
    Edit("queues.*.groups.*.for", {f"{_GROUP}.for": "inference"}),
    Edit("queues.*.groups.*.instance", {f"{_GROUP}.instance": "p4d.24xlarge"}),
    Edit("queues.*.groups.*.nodes.min", {f"{_GROUP}.nodes.min": 1}),
    Edit("queues.*.groups.*.nodes.max", {f"{_GROUP}.nodes.max": 3}),
    Edit("queues.*.groups.*.efa", {f"{_GROUP}.efa": False}),
    Edit("queues.*.groups.*.threads-per-core", {f"{_GROUP}.threads-per-core": 1}),
    Edit("queues.*.groups.*.memory", {f"{_GROUP}.memory": "800GiB"}),
    Edit(
        "queues.*.groups.*.capacity.on-demand",
        {f"{_GROUP}.capacity": "spot"},
        {f"{_GROUP}.capacity": {"on-demand": {}}, f"{_GROUP}.for": "inference"},
    ),
    Edit(
        "queues.*.groups.*.capacity.spot",
        {f"{_GROUP}.capacity": {"on-demand": {}}},
        {f"{_GROUP}.capacity": {"spot": {}}, f"{_GROUP}.for": "inference"},
    ),
    Edit("queues.*.groups.*.capacity.reservation.id", _reservation(id="cr-0a1b2c3d4e5f60719"), _reservation()),
    Edit("queues.*.groups.*.capacity.reservation.zone", _reservation(zone=_ELSEWHERE), _reservation() | _OWN_ZONES),
    Edit(
        "queues.*.groups.*.capacity.reservation.provided-by",
        _reservation(provided_by="aws"),
        _reservation(provided_by="you"),
    ),
    Edit(
        "queues.*.groups.*.capacity.reservation.placement-group",
        _reservation(provided_by="you", placement_group="a"),
        _reservation(provided_by="you"),
    ),
    Edit("queues.*.groups.*.capacity.reservation-group.arn", _in_group(arn=_ARN.format("b")), _in_group()),
    Edit("queues.*.groups.*.capacity.reservation-group.zone", _in_group(zone=_ELSEWHERE), _in_group() | _OWN_ZONES),
    Edit(
        "queues.*.groups.*.capacity.reservation-group.provided-by",
        _in_group(provided_by="aws"),
        _in_group(provided_by="you"),
    ),
    Edit(
        "queues.*.groups.*.capacity.reservation-group.placement-group",
        _in_group(provided_by="you", placement_group="a"),
        _in_group(provided_by="you"),
    ),
    Edit("queues.*.groups.*.capacity.capacity-block", _reservation(), _block()),
    Edit("queues.*.groups.*.capacity.capacity-block.id", _block(id="cr-0a1b2c3d4e5f60719"), _block()),
    Edit("queues.*.groups.*.capacity.capacity-block.zone", _block(zone=_ELSEWHERE), _block() | _OWN_ZONES),
    Edit("storage.*.existing-lustre", {"storage.fsx.existing-lustre.id": "fs-0a1b2c3d4e5f60719"}),
    Edit("logs.retention-days", {"logs.retention-days": 30}),
    Edit("logs.on-destroy", {"logs.on-destroy": "delete"}),
    Edit("monitoring.detailed", {"monitoring.detailed": False}),
    Edit("monitoring.dashboard", {"monitoring.dashboard": False}),
    Edit("tags", {"tags": {"team": "b"}}),
)

BLOCKS = {
    "", "accounting", "head", "head.login", "head.post-install", "login-nodes",
    "login-nodes.*", "login-nodes.*.post-install", "monitoring", "network", "post-install", "queues",
    "queues.*", "queues.*.groups", "queues.*.groups.*", "queues.*.groups.*.capacity",
    "queues.*.groups.*.capacity.reservation", "queues.*.groups.*.capacity.reservation-group",
    "queues.*.groups.*.nodes", "queues.*.post-install", "slurm", "storage", "storage.*.lustre",
}  # fmt: skip
"""What is changed by changing what is in it."""

REPLACED_QUEUES = {
    "QUEUE_UPDATE_STRATEGY",
    "MANAGED_PLACEMENT_GROUP",
    "MANAGED_FSX",
    "RESIZE_UPDATE_STRATEGY_ON_REMOVE",
}
"""Policies that replace nodes where they allow a change of a cluster whose nodes run."""


def test_every_field_is_changed_once() -> None:
    """What `FIELDS` says to come to a key is tried here, or is a block of such fields."""
    tried = [each.field for each in EDITS]
    assert len(tried) == len(set(tried))
    assert {field for fields in FIELDS.values() for field in fields} == set(tried) | BLOCKS


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.field)
def test_a_change_costs_what_the_update_policy_says(edit: Edit, aws: Worker) -> None:
    """In place, replaced nodes, a stopped fleet, or never: as the package judges the difference."""
    before = edited(deepcopy(BASE), edit.base or {})
    after = edited(deepcopy(before), edit.edits)
    cost, changes = _cost(aws, before, after)
    assert changes, "the field comes to nothing"
    told = _told(before, edit.field) or _told(after, edit.field)
    assert told == cost, changes


@pytest.mark.parametrize(
    ("what", "edits"),
    [
        (
            "queues",
            {
                "queues.other": {"groups": {"others": BASE["queues"]["gpu"]["groups"]["workers"]}},
                "slurm.default-queue": "gpu",
            },
        ),
        ("nodes", {f"{_GROUP}.nodes": {"min": 4, "max": 8}}),
        ("login nodes", {"login-nodes.more": BASE["login-nodes"]["login"]}),
        ("the first login nodes", {"login-nodes": BASE["login-nodes"]}),
        ("storage", {"storage.more": {"existing-lustre": {"id": "fs-0a1b2c3d4e5f60719", "mount-name": "abcdefgh"}}}),
    ],
    ids=("queues", "nodes", "login nodes", "the first login nodes", "storage"),
)
def test_growth_is_free(what: str, edits: Mapping[str, Any], aws: Worker) -> None:
    """More queues, nodes and file systems come in place; what `plan` tells is what taking them away costs."""
    assert _cost(aws, BASE, edited(deepcopy(BASE), edits))[0] == Change.IN_PLACE, what


def test_another_default_queue_alone_is_no_change(aws: Worker) -> None:
    """Queues are matched by name: their order, which makes the default one, comes with the next other change."""
    workers = BASE["queues"]["gpu"]["groups"]["workers"]
    before = edited(deepcopy(BASE), {"queues.a": {"groups": {"others": workers}}, "slurm.default-queue": "gpu"})
    after = edited(deepcopy(before), {"slurm.default-queue": "a"})
    first = [_rendered(each)["Scheduling"]["SlurmQueues"][0]["Name"] for each in (before, after)]
    assert first == ["gpu", "a"]
    assert aws.ask("update", before=_rendered(before), after=_rendered(after), running=True)["changes"] == []
    assert _told(after, "slurm.default-queue") == Change.WITH_ANOTHER


def test_what_is_unsupported_fails_with_the_fleet_stopped_too(aws: Worker) -> None:
    """`UpdatePolicy.UNSUPPORTED` is no matter of running nodes: the custom resource's update fails, and `up`."""
    after = edited(deepcopy(BASE), {"head.instance": "m5.2xlarge"})
    for running in (True, False):
        said = aws.ask("update", before=_rendered(BASE), after=_rendered(after), running=running)
        assert said == {"allowed": False, "changes": [["HeadNode.InstanceType", "UNSUPPORTED"]]}


def _cost(aws: Worker, before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, list[list[str]]]:
    """The dearer of two readings: as the `pcluster` CLI has the configurations, and as CloudFormation sends them.

    They differ: the package takes the text "false" for true where it looks whether a placement group goes.
    """
    costs = [_cost_of(aws, form(_rendered(before)), form(_rendered(after))) for form in (_plain, as_sent)]
    return max(costs, key=lambda each: _DEARER.index(each[0]))


_DEARER = (Change.IN_PLACE, Change.DRAINS, Change.LOGIN_STOP, Change.FLEET_STOP, Change.REFUSED)


def _cost_of(aws: Worker, before: Any, after: Any) -> tuple[Change, list[list[str]]]:
    def asked(*, compute: bool, login: bool) -> Any:
        return aws.ask("update", before=before, after=after, running=compute, login_nodes_running=login)

    said = asked(compute=True, login=True)
    changes = said["changes"]
    if said["allowed"]:
        replaced = {policy for _, policy in changes} & REPLACED_QUEUES
        added = all(policy == "RESIZE_UPDATE_STRATEGY_ON_REMOVE" for _, policy in changes)
        return (Change.DRAINS if replaced and not added else Change.IN_PLACE), changes
    if asked(compute=True, login=False)["allowed"]:
        return Change.LOGIN_STOP, changes
    return (Change.FLEET_STOP if asked(compute=False, login=True)["allowed"] else Change.REFUSED), changes


def _plain(value: Any) -> Any:
    return value


def _rendered(document: Mapping[str, Any]) -> Any:
    return configuration(derived(Described(dict(document), "us-west-2")), placeholder_id)


def _told(document: Mapping[str, Any], field: str) -> str | None:
    """What `plan` says of a field: of itself, of the block around it, or the dearest of what is in it; None where it
    is not in the document."""
    told = paths_by_cost(derived(Described(dict(document), "us-west-2")).described)
    costs = {path: cost for cost, paths in told.items() for path in paths}
    inside = [cost for path, cost in costs.items() if path.startswith(f"{field}.") and cost in _DEARER]
    if inside:
        return max(inside, key=_DEARER.index)
    while field not in costs and "." in field:
        field = field.rpartition(".")[0]
    return costs.get(field)
