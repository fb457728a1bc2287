"""Documents with a fault, and the findings of each: `tests/golden/description_faults.txt`, which `make goldens` writes.

A row is the edits of a small legal document. Tests state what holds of every row; the words are in the golden file,
where a change of them is one difference to read.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from muster.config.description.root import model_of
from muster.config.document import WrittenNumber
from muster.config.validation import validate
from muster.finding import Finding
from muster.fleet.facts import Facts
from tests.factories import CR, DROP, a_document
from tests.factories.hyperpod import a_hyperpod_document
from tests.factories.parallelcluster import TRAIN, WORKERS, a_slurm_document

FILE = Path("tests/golden/description_faults.txt")

Edits = Mapping[str, Any]

W = "groups.workers"
R, V, HP = f"{W}.capacity.reservation", f"{W}.volume", f"{W}.hyperpod"
ROLE, SG = "arn:aws:iam::210987654321:role/ada", "sg-0123456789abcdef0"
MEMBER = "arn:aws:ec2:us-west-2:111122223333:capacity-reservation/cr-0123456789abcdef0"
HELD = {"zone": "us-west-2a", "count": 1, "provided-by": "aws"}
DAYS = {"zone": "us-west-2a", "count": 1, "starts": "2026-12-01", "ends": "2026-12-15"}
BLOCK = {"id": CR, **DAYS}
PLAN = {"arn": "arn:aws:sagemaker:us-west-2:210987654321:training-plan/p", "zone": "us-west-2a", "count": 1}
EXISTING = {"name": "theirs", "security-group": SG, "authentication": "config-map"}
JOINED = {"control-plane": {"existing": EXISTING}, "api": DROP}
ZONES = ["us-west-2a", "us-west-2b"]
CREATED = {"create": {"zones": ZONES}}
SUBNET = "subnet-0eeeeeeeeeeeeeeee"
FS = "fs-0123456789abcdef0"
LUSTRE = {"lustre": {"size": "1200GiB", "throughput": 250}}
TEAM = {"quota": {"p5.48xlarge": {"instances": 2}}}
DISK = {"device": "/dev/sdf", "size": "100GiB"}
SCRIPT = "#!/bin/sh\n"
CPU = {"for": "system", "instance": "m5.2xlarge", "nodes": 1}
KARPENTERS_GROUP = {"for": "training", "instance": "p5.48xlarge", "nodes": 2, "provisioned-by": "karpenter"}
KARPENTER = {"groups.workers": KARPENTERS_GROUP, "groups.system": CPU, "addons.karpenter": {}}
OF_MANAGED_GROUPS: dict[str, Any] = {
    "self-managed": True,
    "updates": {"at-once": 2},
    "node-repair": True,
    "for": "system",
    "nodes": {"min": 1, "start": 1, "max": 2},
    "interfaces": "classic",
}
NOT_KARPENTERS: dict[str, Any] = {
    **OF_MANAGED_GROUPS,
    "session": {"key-pair": "ml"},
    "instance": "hpc6id.32xlarge",
    "capacity": {"reservation-group": {"arn": "arn:aws:resource-groups:us-west-2:111122223333:group/a", **HELD}},
}
AUTO_GROUP = {"for": "training", "instance": "g5.12xlarge", "nodes": 2, "provisioned-by": "auto-mode"}
AUTO_MODE = {"groups.workers": AUTO_GROUP, "groups.system": CPU}
NOT_OF_AUTO_MODE: dict[str, Any] = {
    **OF_MANAGED_GROUPS,
    "image": "al2023",
    "local-storage": "raid0",
    "session": "ssm",
    "huge-pages": "2GiB",
    "instance": "trn1.32xlarge",
    "volumes": [DISK],
    "scripts": {"before": SCRIPT},
    "kubelet": {"maxPods": 50},
    "containerd": {"parallel-pull": True},
}
GROUP_ARN = "arn:aws:resource-groups:us-west-2:111122223333:group/ours"


def _one(key: str, *values: Any) -> tuple[Edits, ...]:
    return tuple({key: value} for value in values)


def _twice(key: str, value: str) -> tuple[Edits, ...]:
    return ({key: [value] * 2}, {key: [value] * 3})


WRONG_KINDS = (True, {"a": 1}, [1], 1.5, "x", "x" * 58, "x" * 59)
"""Values of every kind, and texts that are told whole and cut."""

ANYWHERE = (
    *("control-plane.create", V, f"{W}.labels", f"{W}.security-groups", f"{W}.node-repair", f"{V}.iops", f"{V}.size"),
    "suppress",
)

EKS: tuple[Edits, ...] = (
    # Keys.
    *_one(f"{W}.instanse", "p5"),
    *({f"{W}.{key}": 1} for key in ("x", "huge_pages", "efaEnabled")),
    {f"{W}.instance": DROP},
    {"control-plane": {"create": {"zones": 2}}},
    *({key: None} for key in ("addons.mpi-operator", "registry", f"{W}.huge-pages", f"{W}.capacity", R)),
    {f"{W}.zone": None, f"{R}.count": None},
    # Numbers, texts, choices.
    *_one("kubernetes", 1.35),
    *_one(f"{W}.for", "train"),
    *_one(f"{W}.interfaces", "AWS", ["aws"], {}),
    *_one(f"{W}.zone", "us-west-2", "usw2-az1"),
    *_one(f"{R}.count", "4", "four", 4.5, True, 0, 1001, "9" * 18, "9" * 19),
    *_one(f"{W}.nodes", "4", 0, "Four", True, 5001, 2.5, {"min": 0, "start": 2, "max": 10, "scaled-by": "karpenter"}),
    *_one(f"{W}.nodes", *({"min": a, "start": b, "max": c} for a, b, c in ((7, 7, 1), (3, 2, 4), (1, 5, 4)))),
    *_one(f"{W}.node-repair", "yes", "true"),
    *_one("logs.retention-days", "180", 10, True, 1.0),
    *_one(f"{W}.local-storage", True),
    *_one(f"{W}.labels.gpu", True),
    *_one("name", "My Cluster"),
    # Sizes.
    *_one(f"{W}.huge-pages", 5128, "5128", 999999999, "1000000000", "10257MiB", "3TiB", "1938000MiB"),
    *_one(f"{V}.size", 300, "300", "30000MiB"),
    *_one(f"{V}.iops", 80001),
    {V: {"size": "20GiB", "iops": 20000, "throughput": 2000, "x": 1}, "kubernetes": 1.35},
    *_one(V, {"throughput": 1000}, {"iops": "many", "throughput": 2000}, {"size": "300", "iops": 80000}),
    *_one(V, {"iops": None, "size": "20GiB"}, "x" * 500),
    *_one(f"{W}.volumes", [{"device": "/dev/sda1", "size": "1MiB"}], [DISK, DISK], [{**DISK, "iops": 80000}]),
    # What nodes do at boot.
    *_one(f"{W}.scripts", {"before": "echo"}, {"befor": SCRIPT}, {"image": "a:1"}),
    *_one(f"{W}.kubelet", *({"maxPods": each} for each in ("50", 0)), {"max-pods": 50}, {"systemReserved": "1Gi"}),
    *_one(f"{W}.kubelet", {"evictionHard": {"memory.available": "5%", "nodefs.available": "much"}}),
    *_one(f"{W}.kubelet", {"systemReserved": {"memory": "2Ti"}}),
    *_one(f"{W}.containerd", {"config": "[plugins"}, {"parallel-pull": "yes"}),
    *_one("proxy", "http://proxy:3128", {"https": "proxy:3128"}, {"https": "http://ada:secret@proxy:3128"}, {}),
    *_one("proxy", {"https": "http://proxy:3128", "no-proxy": ["10.0.0.0/8, .corp"]}),
    {f"{W}.image": "bottlerocket", f"{W}.scripts": {"before": SCRIPT, "after": SCRIPT}},
    {
        f"{W}.image": "bottlerocket",
        f"{W}.containerd": {"config": ""},
        f"{W}.volumes": [{**DISK, "device": "/dev/xvdb"}],
    },
    # Ids and addresses.
    *_one(f"{R}.id", "cr-123"),
    *_one(
        "secrets-key", "alias/x", *(f"arn:aws:kms:us-west-2:210987654321:key/{key}" for key in ("mrk-0123", "alias"))
    ),
    *_one(f"{W}.instance", "p5.84xlarge", "ml.p5.48xlarge", "ml.p5.49xlarge"),
    *_one("image-mirror", "mirror/of.all", "mirror"),
    *_one("registry", *({"repository": name} for name in ("a", "ML", "ml//a"))),
    # Capacity.
    *_one(f"{W}.capacity", "reserved", "reservation", "resrvation", "SPOT", {}),
    {f"{W}.capacity": {"spot": {}, "on-demand": {}, "reservation": {}}},
    *(
        {f"{W}.capacity": {"capacity-block": block}}
        for block in (DAYS, {"buy": {"offering": "cb-0123456789abcdef0"}, **BLOCK})
    ),
    {f"{W}.capacity": {"capacity-block": {"buy": {"offering": CR}, **DAYS}}},
    *(
        {f"{W}.capacity": {"capacity-block": {**BLOCK, **more}}}
        for more in ({"ends": "15 December"}, {"active": "soon"})
    ),
    {f"{W}.capacity": {"reservation-group": {"arn": GROUP_ARN, "create": [MEMBER], **HELD}}},
    {f"{W}.capacity": {"reservation-group": {"create": [CR], **HELD}}},
    {f"{W}.capacity": {"reservation-group": {"arn": "ours", **HELD}}},
    {f"{W}.capacity": {"on-demand": {}, "spot": {}}},
    {f"{W}.capacity": {"spot": {"interruptions-acepted": True}}},
    {f"{W}.capacity": {"training-plan": PLAN}},
    # Images, sessions, updates.
    *_one(f"{W}.image", "custom", "Bottlerocket", {"custom": "x"}, {"custom": {"id": "ami-1", "family": "ubuntu"}}),
    *_one(
        f"{W}.image", {"custom": {"id": "ami-0123456789abcdef0", "ssm": "/ml/image"}}, {"custom": {"ssm": "ml//image"}}
    ),
    *_one(f"{W}.image", {"custom": {"family": "bottlerocket"}}),
    *_one(f"{W}.session", "key-pair", "ssh"),
    *_one(f"{W}.updates", {"at-once": 2, "percent-at-once": 10}),
    # Control planes and networks.
    *_one("control-plane", "existing", [], DROP, "elsewhere"),
    *({**JOINED, "control-plane.existing.authentication": word} for word in ("both", "API_AND_CONFIG_MAP")),
    *({**JOINED, key: value} for key, value in (("name", "mine"), ("name", None), ("api", "private"), ("logs", {}))),
    {**JOINED, "secrets-key": "arn:aws:kms:us-west-2:000000000000:key/0a", "secrets-key-on-destroy": "keep"},
    {**JOINED, "network": CREATED},
    *_one("api", "public", DROP, None, {"public": []}, {"public": ["x"]}),
    {"api": DROP, "apii": "private"},
    {"api": DROP, f"{W}.zone": "us-west-2"},
    *_one("network", {}, {"create": {"zones": ZONES[:1] * 2}}, {"create": {"zones": [*ZONES[:1], *ZONES[1:] * 2]}}),
    *_one("network", {"create": {"zones": [f"us-west-2{letter}" for letter in "abcdefgh"]}}),
    *(
        {"network": {"create": {"zones": ZONES, "cidr": cidr}}}
        for cidr in ("10.0.0.0", "10.0.0.0/23", "224.0.0.0/16", "10.0.0.1/16")
    ),
    {"tags": {"Team": "a", "team": "b"}},
    {"network": {"create": {"zones": ["us-west-2", "usw2-az1"]}}},
    {"network.create": {"zones": ZONES}},
    {"network.existing.public.us-west-2b": "subnet-0aaaaaaaaaaaaaaaa"},
    *_one("network.existing.private.us-west-2a", [], {"id": SUBNET}, ["subnet-0bbbbbbbbbbbbbbbb"] * 2),
    *_one(f"{W}.subnets", [SUBNET], "privat", []),
    {"network": CREATED, f"{W}.subnets": [SUBNET]},
    {"network.existing.control-plane": [SUBNET]},
    {**JOINED, "network.existing.control-plane": {"us-west-2a": SUBNET}, "addons": {"eks-addons": {"coredns": {}}}},
    {**JOINED, "network.existing.pods": {"us-west-2a": SUBNET}},
    *(
        {"network": {"create": {"zones": ZONES, "pods": cidr}}}
        for cidr in ("10.0.128.0/17", "172.16.0.0/16", "198.19.0.0/16", "100.64.0.0/10")
    ),
    {
        "network": {"create": {"zones": ZONES, "pods": "100.64.0.0/16"}},
        "addons": {"eks-addons": {"vpc-cni": {"values": {"eniConfig": {}, "env": {"ENI_CONFIG_LABEL_DEF": "x"}}}}},
    },
    {"addons": {"eks-addons": {"aws-mountpoint-s3-csi-driver": {}}}},
    {"addons": {"eks-addons": {"VPC CNI": {"value": {}}}}},
    # Lists, groups, tags, access.
    {"kubernetes": 1.35, "api": {"public": []}, "network": {"create": {"zones": []}}, f"{W}.security-groups": ["x"]},
    *_one("groups", {}, {"My Group": {}}, [1]),
    *_one("groups.a", 1),
    {"access": [{"principal": ROLE, "policy": "view"}, {"principal": "me", "policy": "root"}]},
    {"access": [{"principal": ROLE, "policy": "edit", "namespaces": [name]} for name in "ab"]},
    *(
        {"suppress": [{"rule": "x", "at": W, "reason": "it is all right", "until": day}]}
        for day in ("2026-02-30", "tomorrow")
    ),
    {"suppress": [{"rule": "x", "at": W, "reason": "it is all right", "until": "2026-12-01T11:30:00Z"}]},
    *_twice(f"{W}.security-groups", SG),
    *_twice("addons-in", "organization/muster/more"),
    *(
        {"storage": {"fast": {"lustre": lustre}}}
        for lustre in (
            {"size": "5000GiB", "throughput": 250},
            {"size": "1200GiB", "throughput": 777},
            {"size": "1200GiB"},
            {"size": "19200GiB", "throughput": 125, "efa": True},
            {"size": "4800GiB", "throughput": 200, "efa": True, "type": "persistent-1"},
            {"size": "6000GiB", "throughput": 40, "disk": "hdd", "type": "persistent-1"},
            {"size": "4800GiB", "type": "scratch-1"},
            {"size": "4800GiB", "type": "scratch-2", "throughput": 200},
        )
    ),
    *(
        {"storage": {"files": file_system}}
        for file_system in (
            {"openzfs": {"size": "128GiB", "throughput": 160}},
            {"openzfs": {"size": "32GiB", "throughput": 64}},
            {"openzfs": {"size": "128GiB", "throughput": 64, "type": "multi-az-1"}},
            {"openzfs": {"size": "128GiB"}},
            {"existing-openzfs": {"id": FS, "volume": "fsvol-0123456789abcdef0"}},
            {"existing-openzfs": {"id": FS, "dns-name": "fs-0fedcba9876543210.fsx.us-west-2.amazonaws.com"}},
            {"efs": {"size": "1TiB"}},
            {"efs": {"throughput": "provisioned"}},
            {"efs": {"throughput": {"provisioned": 0}}},
            {"existing-efs": {"id": FS, "mount-name": "a1b2cdef"}},
            {"efs": {}, "existing-efs": {"id": FS}},
            {"s3": {"location": "training-data"}},
            {"s3": {"bucket": "training-data"}},
            {"esf": {}},
        )
    ),
    *(
        {
            "storage": {
                "fast": {"lustre": {**LUSTRE["lustre"], "data": {"/data": {"s3": "s3://ours", key: ["new"] * 2}}}}
            }
        }
        for key in ("import", "export")
    ),
    *(
        {"groups.workers.labels": {key: "x"}}
        for key in ("muster/group", "kubernetes.io/arch", "a.k8s.io/x", "eks.amazonaws.com/x")
    ),
    *({"groups.workers.labels": {key: "x"}} for key in (f"{'x' * 55}.com/team", "a..b/team")),
    *({"groups.workers.labels": {"team": value}} for value in ("", "a b")),
    *_one("groups.workers.taints", {"a..b/team": "NoSchedule"}, [{"key": "a"}]),
    {f"{W}.self-managed": True, f"{W}.labels": {f"{'x' * 74}.com/team": ""}},
    *({**KARPENTER, f"{W}.{key}": value} for key, value in NOT_KARPENTERS.items()),
    {**KARPENTER, "addons.karpenter": DROP},
    {**KARPENTER, "addons.karpenter": {"version": "0.37.0"}},
    *(
        {**KARPENTER, "addons.karpenter": version, "addons.nvidia-dra-driver": {}}
        for version in ({}, {"version": "1.14.1"}, {"version": "1.15.0"})
    ),
    *_one(
        "addons",
        {"hyperpod": {}},
        {"hyperpod-inference": {}},
        {
            "hyperpod-inference": {
                "tls-bucket": "s3://hyperpod-tls-1",
                "load-balancer-policy": "arn:aws:iam::aws:policy/AdministratorAccess",
                "oidc-provider": "https://oidc.eks.us-west-2.amazonaws.com/id/ABC",
            }
        },
    ),
    {"addons": {"hyperpod": {}}, "chart-mirror": "oci://registry.example.org/charts"},
    {"addons.gpu-operator": {}, "addons.charts.own": {"groups": ["wrokers"], "roles": {"sa": {"policies": ["A"]}}}},
    {"addons.charts.own": {"groups-at": ["agent"], "roles": {"sa": {"policies": ["arn:aws:iam::aws:policy/A"] * 2}}}},
    *({**AUTO_MODE, f"{W}.{key}": value} for key, value in NOT_OF_AUTO_MODE.items()),
    {**AUTO_MODE, "groups.system": DROP},
    {**AUTO_MODE, **JOINED},
    {**KARPENTER, "groups.system": DROP},
    {**KARPENTER, "control-plane": {"existing": {**EXISTING, "name": "x" * 81}}, "api": DROP},
    {**KARPENTER, "groups.more": {**KARPENTERS_GROUP, "huge-pages": "2GiB"}},
    *({"tags": {"owner": value}} for value in ("a\nb", "Ada, Grace")),
    *({"tags": {key: "x"}} for key in ("", "own#er", "AWS:team", "eks:nodegroup-name", "muster:stack", "a-b.k8s.io/x")),
    *({"tags": {key: "x"}} for key in ("a.kubernetes.io/", "kubernetes.io/cluster/p5")),
    # The names that two groups were made under.
    {f"{W}.was": "system"},
    {f"{W}.was": "old", "groups.system.was": "old"},
    # Queues of Volcano and of Kueue.
    *_one("addons.volcano.queues", {"default": {}, "root": {}}, {"a": {"parent": "default"}}, {"d": {"parent": "d"}}),
    *_one("addons.volcano.queues", {"vision": {}, "faces": {"parent": "visoin"}, "alone": {"parent": "x"}}),
    *_one("addons.volcano.queues", {"a": {"parent": "b"}, "b": {"parent": "a"}, "c": {"parent": "a"}, "d": {}}),
    {
        "addons.volcano.queues": {
            "all": {"capability": {"cpu": 2, "memory": "1Ti"}},
            "some": {"parent": "all", "capability": {"cpu": "2001m", "memory": "1024Gi", "nvidia.com/gpu": 8}},
        }
    },
    *_one("addons.installed-by", "argocd", ["flux"]),
    *({"addons.fsx-csi-driver": {"installed-by": by}} for by in ("flux", ["flux"])),
    {**KARPENTER, "addons.karpenter": {"installed-by": "argo-cd"}},
    *({"addons.volcano.queues": {"test": {"capability": {"cpu": cpu}}}} for cpu in ("2x", -1, [1])),
    *(
        {"addons.volcano.queues": {"test": said}}
        for said in ({"capability": {"c p u": 1}}, {"weight": 0}, {"parent": "A"}, {"weigth": 1})
    ),
    *_one("addons.kueue.queues", {}, {"a": {"share": 60}, "b": {"share": 50}, "c": {}}),
    *_one("addons.kueue.queues", {"a": {"nodes": {"worker": 1}}, "b": {"nodes": {"workers": 2}}}),
    *(
        {"addons.kueue.queues": {"a": first, "b": {"nodes": {"workers": 1}}}}
        for first in ({"nodes": {"workers": 1}}, {"share": 10})
    ),
    *_one("addons.kueue.queues", {"a": [], "b": {"share": "x"}, "c": {"nodes": {"workers": "x"}}}),
    {"addons.kueue": {"queues": {"a": {"nodes": {"x": 1}}}}, f"{W}.nodes": "x"},
    # Keys of other backends.
    *_one("backend", DROP, "nomad", "slurm", "kubernetes", "SageMaker", "EKS", ["eks"], {"eks": {}}, True, 3),
    {f"{W}.reservation": {"id": "cr-1"}, f"{V}.efa": True},
    *(
        {"addons.kueue": {}, f"addons.{name}": {key: {}}}
        for name, key in (("mpi-operator", "queues"), ("kueue", "groups"))
    ),
    {
        "hyperpod": {"node-recovery": "automatic"},
        HP: {},
        f"{W}.capacity": {"training-plan": PLAN},
        f"{W}.zone": "us-west-2",
    },
    {"queues": {}, "version": "3.16.1", "image": "ami-0123456789abcdef0", f"{W}.efa": True},
    # Whatever stands in the wrong place.
    *(
        {**({"control-plane": {}} if at.startswith("control-plane.") else {}), at: value}
        for at in ANYWHERE
        for value in WRONG_KINDS
        if not (at.endswith("node-repair") and value is True)
    ),
)

HYPERPOD: tuple[Edits, ...] = (
    *_one("backend", DROP, "nomad", "hyper-pod", "HyperPod", "hyperpood"),
    {"backend": DROP, "backnd": "hyperpod"},
    {W: "p5", "backend": "nomad"},
    *_one("groups", ["workers"]),
    *(
        {f"{W}.{key}": value}
        for key, value in (("image", "al2023"), ("volume", {"size": "500GiB"}), ("node-repair", True))
    ),
    {f"{W}.self-managed": True, "task-governance": {}, "queues": {}},
    *_one(f"{W}.capacity", "training-plan"),
    *({f"{W}.capacity": {kind: HELD}} for kind in ("reservation", "capacity-block")),
    *_one(f"{W}.nodes", True, False, 6759, {"count": 6758, "minimum": 6759}, {"count": 4, "minimum": 8}),
    *_one(f"{HP}.threads-per-core", True, 1.0, "1"),
    *_one(f"{HP}.volume", *({"size": size} for size in ("500MiB", "1500MiB", "1025MiB"))),
    *_one(f"{W}.huge-pages", "3TiB"),
    {f"{W}.instance": "ml.p5.48xlarge"},
    *_twice(f"{HP}.deep-health-checks", "instance-stress"),
    {"groups.system.hyperpod": {"interface": "efa"}},
    {f"{HP}.updates": {"patching": "when-idle", "at-once": {"count": 1}}},
    {f"{HP}.updates": {"patching": "when-all-idle", "at-once": {"count": 1}, "wait-seconds": 60}},
    *_one(f"{HP}.updates.schedule", "every sunday", "cron(0  3 ? * SUN *)", "cron(99 77 ? 13 FUN 2019)"),
    *_one(f"{HP}.updates.schedule", "cron(0 3 15 * SUN *)", "cron(0 3 ? * ? *)"),
    {f"{HP}.lifecycle": {"own": {"at": f"s3://sagemaker-ours/{'x' * 1010}", "on-create": "on_create.sh"}}},
    {"hyperpod.mlflow": {"name": "-a"}},
    *({"hyperpod.mlflow": {"version": version}} for version in ("3.0.0", "3.4")),
    *({"hyperpod.mlflow": {"maintenance": time}} for time in ("TUE:03:30", "Tue:24:00")),
    *({"hyperpod.mlflow": {"pods": pods}} for pods in ({"service-account": "ML flow"}, {"namespace": "a.b"})),
    {"hyperpod.mlflow": {"siez": "small"}},
    *({"hyperpod.mlflow": {"serverless": True, **more}} for more in ({"size": "large"}, {"version": "3.0"})),
    *({"hyperpod.task-governance": {"teams": {name: TEAM}}} for name in ("Research", "a" * 41, "-a", 7)),
    *(
        {"hyperpod.task-governance": {"teams": {"research": {"quota": quota}}}}
        for quota in (
            {},
            {"p5.48xlarge": {}},
            {"ml.p5.48xlarge": {"instances": 2}},
            {"p5.48xlarge": {"instances": 1, "accelerators": 8}},
            {"p5.48xlarge": {"accelerators": 8, "partitions": {"profile": "mig-1g.10gb", "count": 1}}},
            {"p5.48xlarge": {"partitions": {"profile": "1g.10gb", "count": 1}}},
            {"p5.48xlarge": {"memory": "1500MiB"}},
        )
    ),
    *(
        {"hyperpod.task-governance": {"teams": {"research": {**TEAM, **more}}}}
        for more in (
            {"sharing": "none", "borrow-percent": 50},
            {"sharing": "lend", "borrow-limits": {"p5.48xlarge": {"instances": 1}}},
            {"weight": 101},
        )
    ),
    *(
        {"hyperpod.task-governance": {"priorities": given}}
        for given in ({"training-priority": 70}, {"Training": 70}, {"training": 101}, dict.fromkeys("abcdefghijk", 1))
    ),
)

DATABASE = {
    "server": "slurm.example.internal",
    "user": "slurm",
    "password-secret": "arn:aws:secretsmanager:us-west-2:210987654321:secret:slurm-Ab12Cd",
}
DOCKER, PYXIS, BOTH = ({"install": listed} for listed in (["docker"], ["pyxis"], ["docker", "pyxis"]))
OWN_SCRIPT = {"scripts": [{"at": "s3://ml-scripts/set-up.sh"}]}
MARKETS = {"on-demand": "on-demand", "spot": "spot", "block": {"capacity-block": BLOCK}}


def _in_one_queue(*capacities: Any) -> Edits:
    return {"queues": {"train": {"groups": {f"g{n}": {**CPU, "capacity": each} for n, each in enumerate(capacities)}}}}


SLURM: tuple[Edits, ...] = (
    *_one("backend", DROP, "nomad", "AWS-ParallelCluster", "parallel-cluster", "ParallelCluster"),
    *_one("version", DROP, "3.15.0", "3.17.0", "v3.16.1", "latest", WrittenNumber.of(3.1, "3.10"), True, ["3.16.1"]),
    *({key: {}} for key in ("kubernetes", "groups", "addons", f"{WORKERS}.labels")),
    {"queues": ["train"], "head": "m5"},
    *({key: value} for key, value in (("queues.train", "p5"), ("queues.train.groups", []), ("slurm", 3), ("name", 3))),
    {"queues.other": {"groups": {"workers": CPU}}, "slurm.default-queue": "train"},
    *(_in_one_queue(MARKETS[one], MARKETS[other]) for one in MARKETS for other in MARKETS if one != other),
    {"slurm.default-queue": "trian"},
    {"queues.another": {"groups": {"cpus": CPU}}},
    {"head": {"ssh-from": "198.51.100.0/24"}},
    {"head": {"login": {"key-pair": "ml"}}},
    *(
        {"slurm.settings": {key: value}}
        for key, value in (("Fraction", 1.5), ("Foo", "c\nSuspendTime=3"), ("max jobs", 3))
    ),
    *_one("slurm.settings", {"Nodename": "x"}, {"Include": "x"}),
    {"tags": {"owner": "a(b)"}},
    *({"accounting": {**DATABASE, **said}} for said in ({"database": "Jobs"}, {"user": "u" * 33})),
    *({f"storage.{name}": LUSTRE} for name in ("home", "default")),
    {"storage.images": {"s3": {"location": "s3://training-data"}}},
    {"storage.code": {"existing-openzfs": {"id": FS}}},
    {"tags": {"parallelcluster:cluster-name": "ours"}},
    {"queues": {f"q{number}": {"groups": {f"g{number}": CPU}} for number in range(61)}, "slurm.default-queue": "q0"},
    *({"os": os, "post-install": DOCKER} for os in ("rhel8", "rocky8", "rocky9")),
    *_one("os", "ubuntu1804", "ubuntu2004"),
    *_one(f"{WORKERS}.nodes", "Four", True, False, 0, 5001, 2.5),
    *_twice("head.security-groups", SG),
    *_twice(f"{TRAIN}.zones", "us-west-2a"),
    *_twice("post-install.install", "docker"),
    # Software that ParallelCluster's scripts install.
    {"os": "rhel9", "post-install": BOTH, "head.post-install": BOTH, f"{TRAIN}.post-install": DOCKER},
    {f"{TRAIN}.post-install": BOTH},
    {"post-install": BOTH, "head.post-install": OWN_SCRIPT},
    *_one("post-install", {"install": ["podman"]}, {"install": [["docker"]]}, {"install": {"docker": {}}}, "docker"),
    *({"os": os, "post-install": DOCKER} for os in (["rhel9"], "plan9")),
    # Reservations and Capacity Blocks in other words.
    {f"{WORKERS}.capacity": {"reservation": {"id": CR, **HELD, "group": GROUP_ARN}}},
    {f"{WORKERS}.capacity": {"reservation": {"id": CR, **HELD, "arn": GROUP_ARN}}},
    *({f"{WORKERS}.capacity": {"capacity-block": {**BLOCK, "active": active}}} for active in (True, False)),
)

OTHERS: tuple[tuple[str, Any], ...] = (
    *(("description", document) for document in (None, [], "x", {"groups": {"a": 1, 2: {"volume": "x"}}})),
    *(
        ("description", {"addons-of": "organization/muster/p5", "addons": {"mpi-operator": {}}, **change})
        for change in (
            *({"groups": {}}, {"backend": "eks"}, {"addns": {}}, {"addons": {}}),
            *({"addons-of": "p5-odcr"}, {"addons-of": None}),
        )
    ),
    *(
        ("facts", data)
        for data in (
            *(None, {"zones": None}, {"observed": "now"}, {"contract": 2}, {"zones": {"us-west-2a": "us-west-2a"}}),
            *(
                {"reservations": {CR: known}}
                for known in ({"instance_type": "p5"}, {"state": "on"}, {"totalInstances": 1.5})
            ),
            {"reservations": {CR: {"start": "0001-01-01T00:00:00+14:00"}}},
        )
    ),
)
"""Whole documents."""


def rows() -> Iterator[tuple[str, Any, list[Finding]]]:
    """What a document is of, the edits or the document, and the findings."""
    for name, make, every in (("eks", a_document, EKS), ("hyperpod", a_hyperpod_document, HYPERPOD)):
        yield from ((name, edits, findings(make(edits))) for edits in every)
    image = {"image": "ami-0123456789abcdef0"}
    yield from (("parallelcluster", edits, findings(a_slurm_document({**image, **edits}))) for edits in SLURM)
    for name, document in OTHERS:
        model = Facts if name == "facts" else model_of(document)
        yield name, document, [finding for _, finding in validate(model, document)[1]]


def findings(document: dict[str, Any]) -> list[Finding]:
    """What is wrong with a description."""
    return [finding for _, finding in validate(model_of(document), document)[1]]


def page() -> str:
    """The golden file."""
    return "\n".join(_entry(*row) for row in rows())


def _entry(name: str, edits: Any, found: list[Finding]) -> str:
    said = "".join(f"  {each.where or '(the document)'}: {each.got}\n    {each.remedy}\n" for each in found)
    return f"{name} {json.dumps(edits, default=_shown, ensure_ascii=False)}\n" + (said or "  no fault\n")


def _shown(value: Any) -> str:
    return "(left out)" if value is DROP else value.text
