"""Documents of EKS with a fault, and the parts that those of other backends share: rows of `description_faults`."""

from collections.abc import Mapping
from typing import Any

from tests.factories import CR, DROP

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


def one(key: str, *values: Any) -> tuple[Edits, ...]:
    return tuple({key: value} for value in values)


def twice(key: str, value: str) -> tuple[Edits, ...]:
    return ({key: [value] * 2}, {key: [value] * 3})


WRONG_KINDS = (True, {"a": 1}, [1], 1.5, "x", "x" * 58, "x" * 59)
"""Values of every type, and texts at the length up to which messages print them whole."""

ANYWHERE = (
    *("control-plane.create", V, f"{W}.labels", f"{W}.security-groups", f"{W}.node-repair", f"{V}.iops", f"{V}.size"),
    "suppress",
)

EKS: tuple[Edits, ...] = (
    # Keys.
    *one(f"{W}.instanse", "p5"),
    *({f"{W}.{key}": 1} for key in ("x", "huge_pages", "efaEnabled")),
    {f"{W}.instance": DROP},
    {"control-plane": {"create": {"zones": 2}}},
    *({key: None} for key in ("addons.mpi-operator", "registry", f"{W}.huge-pages", f"{W}.capacity", R)),
    {f"{W}.zone": None, f"{R}.count": None},
    # Numbers, texts, choices.
    *one("kubernetes", 1.35),
    *one(f"{W}.for", "train"),
    *one(f"{W}.interfaces", "AWS", ["aws"], {}),
    *one(f"{W}.zone", "us-west-2", "usw2-az1"),
    *one(f"{R}.count", "4", "four", 4.5, True, 0, 1001, "9" * 18, "9" * 19),
    *one(f"{W}.nodes", "4", 0, "Four", True, 5001, 2.5, {"min": 0, "start": 2, "max": 10, "scaled-by": "karpenter"}),
    *one(f"{W}.nodes", *({"min": a, "start": b, "max": c} for a, b, c in ((7, 7, 1), (3, 2, 4), (1, 5, 4)))),
    *one(f"{W}.node-repair", "yes", "true"),
    *one("logs.retention-days", "180", 10, True, 1.0),
    *one(f"{W}.local-storage", True),
    *one(f"{W}.labels.gpu", True),
    *one("name", "My Cluster"),
    # Sizes.
    *one(f"{W}.huge-pages", 5128, "5128", 999999999, "1000000000", "10257MiB", "3TiB", "1938000MiB"),
    *one(f"{V}.size", 300, "300", "30000MiB"),
    *one(f"{V}.iops", 80001),
    {V: {"size": "20GiB", "iops": 20000, "throughput": 2000, "x": 1}, "kubernetes": 1.35},
    *one(V, {"throughput": 1000}, {"iops": "many", "throughput": 2000}, {"size": "300", "iops": 80000}),
    *one(V, {"iops": None, "size": "20GiB"}, "x" * 500),
    *one(f"{W}.volumes", [{"device": "/dev/sda1", "size": "1MiB"}], [DISK, DISK], [{**DISK, "iops": 80000}]),
    # What nodes do at boot.
    *one(f"{W}.scripts", {"before": "echo"}, {"befor": SCRIPT}, {"image": "a:1"}),
    *one(f"{W}.kubelet", *({"maxPods": each} for each in ("50", 0)), {"max-pods": 50}, {"systemReserved": "1Gi"}),
    *one(f"{W}.kubelet", {"evictionHard": {"memory.available": "5%", "nodefs.available": "much"}}),
    *one(f"{W}.kubelet", {"systemReserved": {"memory": "2Ti"}}),
    *one(f"{W}.containerd", {"config": "[plugins"}, {"parallel-pull": "yes"}),
    *one("proxy", "http://proxy:3128", {"https": "proxy:3128"}, {"https": "http://ada:secret@proxy:3128"}, {}),
    *one("proxy", {"https": "http://proxy:3128", "no-proxy": ["10.0.0.0/8, .corp"]}),
    {f"{W}.image": "bottlerocket", f"{W}.scripts": {"before": SCRIPT, "after": SCRIPT}},
    {
        f"{W}.image": "bottlerocket",
        f"{W}.containerd": {"config": ""},
        f"{W}.volumes": [{**DISK, "device": "/dev/xvdb"}],
    },
    # Ids and addresses.
    *one(f"{R}.id", "cr-123"),
    *one("secrets-key", "alias/x", *(f"arn:aws:kms:us-west-2:210987654321:key/{key}" for key in ("mrk-0123", "alias"))),
    *one(f"{W}.instance", "p5.84xlarge", "ml.p5.48xlarge", "ml.p5.49xlarge"),
    *one("image-mirror", "mirror/of.all", "mirror"),
    *one("registry", *({"repository": name} for name in ("a", "ML", "ml//a"))),
    # Capacity.
    *one(f"{W}.capacity", "reserved", "reservation", "resrvation", "SPOT", {}),
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
    *one(f"{W}.image", "custom", "Bottlerocket", {"custom": "x"}, {"custom": {"id": "ami-1", "family": "ubuntu"}}),
    *one(
        f"{W}.image", {"custom": {"id": "ami-0123456789abcdef0", "ssm": "/ml/image"}}, {"custom": {"ssm": "ml//image"}}
    ),
    *one(f"{W}.image", {"custom": {"family": "bottlerocket"}}),
    *one(f"{W}.session", "key-pair", "ssh"),
    *one(f"{W}.updates", {"at-once": 2, "percent-at-once": 10}),
    # Control planes and networks.
    *one("control-plane", "existing", [], DROP, "elsewhere"),
    *({**JOINED, "control-plane.existing.authentication": word} for word in ("both", "API_AND_CONFIG_MAP")),
    *({**JOINED, key: value} for key, value in (("name", "mine"), ("name", None), ("api", "private"), ("logs", {}))),
    {**JOINED, "secrets-key": "arn:aws:kms:us-west-2:000000000000:key/0a", "secrets-key-on-destroy": "keep"},
    {**JOINED, "network": CREATED},
    *one("api", "public", DROP, None, {"public": []}, {"public": ["x"]}),
    {"api": DROP, "apii": "private"},
    {"api": DROP, f"{W}.zone": "us-west-2"},
    *one("network", {}, {"create": {"zones": ZONES[:1] * 2}}, {"create": {"zones": [*ZONES[:1], *ZONES[1:] * 2]}}),
    *one("network", {"create": {"zones": [f"us-west-2{letter}" for letter in "abcdefgh"]}}),
    *(
        {"network": {"create": {"zones": ZONES, "cidr": cidr}}}
        for cidr in ("10.0.0.0", "10.0.0.0/23", "224.0.0.0/16", "10.0.0.1/16")
    ),
    {"tags": {"Team": "a", "team": "b"}},
    {"network": {"create": {"zones": ["us-west-2", "usw2-az1"]}}},
    {"network.create": {"zones": ZONES}},
    {"network.existing.public.us-west-2b": "subnet-0aaaaaaaaaaaaaaaa"},
    *one("network.existing.private.us-west-2a", [], {"id": SUBNET}, ["subnet-0bbbbbbbbbbbbbbbb"] * 2),
    *one(f"{W}.subnets", [SUBNET], "privat", []),
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
    *one("groups", {}, {"My Group": {}}, [1]),
    *one("groups.a", 1),
    {"access": [{"principal": ROLE, "policy": "view"}, {"principal": "me", "policy": "root"}]},
    {"access": [{"principal": ROLE, "policy": "edit", "namespaces": [name]} for name in "ab"]},
    *(
        {"suppress": [{"rule": "x", "at": W, "reason": "it is all right", "until": day}]}
        for day in ("2026-02-30", "tomorrow")
    ),
    {"suppress": [{"rule": "x", "at": W, "reason": "it is all right", "until": "2026-12-01T11:30:00Z"}]},
    *twice(f"{W}.security-groups", SG),
    *twice("addons-in", "organization/muster/more"),
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
    *one("groups.workers.taints", {"a..b/team": "NoSchedule"}, [{"key": "a"}]),
    {f"{W}.self-managed": True, f"{W}.labels": {f"{'x' * 74}.com/team": ""}},
    *({**KARPENTER, f"{W}.{key}": value} for key, value in NOT_KARPENTERS.items()),
    {**KARPENTER, "addons.karpenter": DROP},
    {**KARPENTER, "addons.karpenter": {"version": "0.37.0"}},
    *(
        {**KARPENTER, "addons.karpenter": version, "addons.nvidia-dra-driver": {}}
        for version in ({}, {"version": "1.14.1"}, {"version": "1.15.0"})
    ),
    *one(
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
    *one("addons.volcano.queues", {"default": {}, "root": {}}, {"a": {"parent": "default"}}, {"d": {"parent": "d"}}),
    *one("addons.volcano.queues", {"vision": {}, "faces": {"parent": "visoin"}, "alone": {"parent": "x"}}),
    *one("addons.volcano.queues", {"a": {"parent": "b"}, "b": {"parent": "a"}, "c": {"parent": "a"}, "d": {}}),
    {
        "addons.volcano.queues": {
            "all": {"capability": {"cpu": 2, "memory": "1Ti"}},
            "some": {"parent": "all", "capability": {"cpu": "2001m", "memory": "1024Gi", "nvidia.com/gpu": 8}},
        }
    },
    *one("addons.installed-by", "argocd", ["flux"]),
    *({"addons.fsx-csi-driver": {"installed-by": by}} for by in ("flux", ["flux"])),
    {**KARPENTER, "addons.karpenter": {"installed-by": "argo-cd"}},
    *({"addons.volcano.queues": {"test": {"capability": {"cpu": cpu}}}} for cpu in ("2x", -1, [1])),
    *(
        {"addons.volcano.queues": {"test": said}}
        for said in ({"capability": {"c p u": 1}}, {"weight": 0}, {"parent": "A"}, {"weigth": 1})
    ),
    *one("addons.kueue.queues", {}, {"a": {"share": 60}, "b": {"share": 50}, "c": {}}),
    *one("addons.kueue.queues", {"a": {"nodes": {"worker": 1}}, "b": {"nodes": {"workers": 2}}}),
    *(
        {"addons.kueue.queues": {"a": first, "b": {"nodes": {"workers": 1}}}}
        for first in ({"nodes": {"workers": 1}}, {"share": 10})
    ),
    *one("addons.kueue.queues", {"a": [], "b": {"share": "x"}, "c": {"nodes": {"workers": "x"}}}),
    {"addons.kueue": {"queues": {"a": {"nodes": {"x": 1}}}}, f"{W}.nodes": "x"},
    # Keys of other backends.
    *one("backend", DROP, "nomad", "slurm", "kubernetes", "SageMaker", "EKS", ["eks"], {"eks": {}}, True, 3),
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
    # Values of the wrong type.
    *(
        {**({"control-plane": {}} if at.startswith("control-plane.") else {}), at: value}
        for at in ANYWHERE
        for value in WRONG_KINDS
        if not (at.endswith("node-repair") and value is True)
    ),
)
