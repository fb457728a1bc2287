"""What edits of a small description change of what is registered: `tests/golden/edits/`, by `make goldens`.

An edit shows a key that no stack of ours sets, or sets in one way only. Its part of the golden has all that becomes
different: inputs, and options of resources. Whoever changes how something is derived reads
there whom it concerns. The law holds of each: what is registered is what was derived.
"""

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from muster.blueprint.derive.cluster import derive
from muster.config.description.root import model_of
from muster.config.validation import validate
from muster.fleet.registration import Registration
from muster.offline.plan import existing_clusters
from muster.offline.recording import record
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.views.fleet import described_by, differences, fleet_of
from tests.corpus.planned import Flat, difference, flat
from tests.factories import AS_OF, CR, DROP, REGION, SG, a_document
from tests.factories.hyperpod import a_hyperpod_document
from tests.factories.parallelcluster import TRAIN, a_slurm_document
from tests.factories.parallelcluster import WORKERS as SLURM_WORKERS

Edits = Mapping[str, Any]

FOLDER = Path("tests/golden/edits")

W, H = "groups.workers", "groups.workers.hyperpod"
KEY = "arn:aws:kms:us-west-2:111122223333:key/11111111-2222-3333-4444-555555555555"
HELD = {"zone": "us-west-2a", "count": 2}
DATES = {"starts": "2026-12-01", "ends": "2026-12-15"}
OFFERING = "cb-0123456789abcdef0"
MEMBER = "arn:aws:ec2:us-west-2:210987654321:capacity-reservation/cr-0000000000000000"
MADE_GROUP = {"reservation-group": {**HELD, "create": [f"{MEMBER}1", f"{MEMBER}2"], "provided-by": "aws"}}
BOUGHT = {
    "capacity-block": {**HELD, "buy": {"offering": OFFERING, "approved": {"offering": OFFERING, "by": "ada"}}, **DATES}
}
BLOCK = {"capacity-block": {**HELD, "id": CR, **DATES}}
RUNS = {"capacity-block": {**HELD, "id": CR, **DATES, "active": True}}
OURS = {"reservation": {**HELD, "id": CR, "provided-by": "you"}}
AMI = "ami-0123456789abcdef0"
LUSTRE = {"size": "4800GiB", "throughput": 250}
OF_GPUS = {"for": "inference", "instance": "g5.12xlarge", "nodes": 2}
GROUPED = {"groups.one": OF_GPUS, "storage.scratch.lustre": LUSTRE}
OWN = {**GROUPED, f"{W}.self-managed": True}
RANGE = {"min": 0, "start": 1, "max": 2, "scaled-by": "you"}
ONE, SCRATCH = "groups.one", "storage.scratch.lustre"

EKS: Mapping[str, Edits] = {
    "its own name and tags": {"name": "ml", "tags": {"team": "research", "Name": "ours"}},
    "logs and the key of secrets are kept": {"logs": {"on-destroy": "keep"}, "secrets-key-on-destroy": "keep"},
    "a registry whose images are kept": {"registry": {}},
    "a registry that goes with its images": {"registry": {"repository": "ml/training", "on-destroy": "delete"}},
    "a range, and who scales it": {f"{W}.nodes": RANGE, f"{W}.capacity": DROP},
    "nothing is held": {f"{W}.capacity": DROP},
    "a group of reservations": {f"{W}.capacity": MADE_GROUP},
    "a reservation of ours, and a placement group for it": {f"{W}.capacity": OURS},
    "a reservation of ours in its own placement group": {
        f"{W}.capacity": {"reservation": {**OURS["reservation"], "placement-group": "ours"}}
    },
    "a reservation of ours outside any placement group": {
        f"{W}.capacity": {"reservation": {**OURS["reservation"], "placement-group": "none"}}
    },
    "a block that is bought": {f"{W}.capacity": BOUGHT, f"{W}.nodes": 2},
    "plain interfaces": {f"{W}.interfaces": "plain"},
    "Bottlerocket's second disk is the volume": {
        f"{W}.image": "bottlerocket",
        f"{W}.volume": {"size": "300GiB", "throughput": 500},
    },
    "an image by its id": {f"{W}.image": {"custom": {"id": AMI}}},
    "a Bottlerocket by its id": {f"{W}.image": {"custom": {"id": AMI, "family": "bottlerocket"}}},
    "without accelerators": {f"{ONE}.instance": "m5.8xlarge"},
    "without accelerators, but repaired": {f"{ONE}.instance": "m5.8xlarge", f"{ONE}.node-repair": True},
    "updates of three at once, no repair": {f"{ONE}.updates": {"at-once": 3}, f"{ONE}.node-repair": False},
    "updates of a share at once": {f"{ONE}.updates": {"percent-at-once": 40}},
    "a reservation without EFA": {f"{ONE}.capacity": OURS},
    "spot": {f"{ONE}.capacity": "spot"},
    "huge pages alone": {f"{ONE}.huge-pages": "2GiB"},
    "a key pair and security groups": {f"{ONE}.session": {"key-pair": "ours"}, f"{ONE}.security-groups": [SG]},
    "security groups beside EFA": {f"{W}.security-groups": [SG]},
    "a file system with EFA": {SCRATCH: {**LUSTRE, "size": "19200GiB", "efa": True}},
    "a file system that goes, in another zone": {f"{SCRATCH}.on-destroy": "delete", f"{SCRATCH}.zone": "us-west-2b"},
    "a file system without backups": {SCRATCH: {"type": "scratch-2", "size": "4800GiB"}},
    "a file system with links to S3": {
        f"{SCRATCH}.data": {
            "/imagenet": {"s3": "s3://data/imagenet"},
            "/out": {"s3": "s3://data/out", "import": [], "export": ["changed", "new"]},
        }
    },
}

EKS_OWN: Mapping[str, Edits] = {
    "a range": {f"{W}.nodes": RANGE, f"{W}.capacity": DROP},
    "nothing is held": {f"{W}.capacity": DROP},
    "a group of reservations": {f"{W}.capacity": MADE_GROUP},
    "a block that is bought": {f"{W}.capacity": BOUGHT, f"{W}.nodes": 2},
    "a block that runs, and no nodes an hour before its end": {f"{W}.capacity": RUNS, f"{W}.nodes": 2},
    "a block that does not run yet": {f"{W}.capacity": BLOCK, f"{W}.nodes": 2},
    "plain interfaces": {f"{W}.interfaces": "plain"},
    "labels, taints and local disks are told": {
        f"{W}.labels": {"team": "research"},
        f"{W}.taints": {"team": "NoExecute"},
        f"{W}.local-storage": "raid0",
    },
    "Bottlerocket is told the same": {
        f"{W}.image": "bottlerocket",
        f"{W}.labels": {"team": "research"},
        f"{W}.taints": {"team": "NoExecute"},
        f"{W}.local-storage": "raid0",
    },
    "an image by a parameter": {f"{W}.image": {"custom": {"ssm": "/teams/ml/image"}}},
}

SCRIPTS = {"own": {"at": "s3://sagemaker-ours/x", "on-create": "a.sh"}}
PLAN = "arn:aws:sagemaker:us-west-2:210987654321:training-plan/p"

HYPERPOD: Mapping[str, Edits] = {
    "a name of its own": {"hyperpod.name": "Pod-1"},
    "no recovery": {"hyperpod.node-recovery": "none"},
    "continuous provisioning": {"hyperpod.provisioning": "continuous"},
    "an autoscaler": {"hyperpod": {"provisioning": "continuous", "autoscaling": "karpenter"}},
    "tiered storage": {"hyperpod.tiered-storage": {"memory-percent": 40}},
    "scripts of one's own": {"hyperpod.lifecycle": SCRIPTS},
    "no scripts but one group's own": {"hyperpod.lifecycle": "none", f"{H}.lifecycle": SCRIPTS},
    "one group's own script, after HyperPod's": {
        f"{H}.lifecycle": {"own": {"at": "s3://sagemaker-ours/x", "on-init-complete": "b.sh"}}
    },
    "fewer checks": {f"{H}.deep-health-checks": ["instance-stress"]},
    "no checks": {f"{H}.deep-health-checks": DROP},
    "two threads a core": {f"{H}.threads-per-core": 2},
    "interfaces of EFA that carry IP": {f"{H}.interface": "efa"},
    "interfaces of EFA alone": {f"{H}.interface": "efa-only"},
    "a volume": {f"{H}.volume": {"size": "300GiB"}},
    "keys of volumes": {f"{H}.volume": {"key": KEY}, f"{H}.root-volume-key": KEY},
    "an image, and when nodes are patched": {
        f"{H}.image": {"release": "1.3.0"},
        f"{H}.updates": {"schedule": "cron(0 3 ? * SUN *)", "at-once": {"count": 1}, "wait-seconds": 60},
    },
    "an image of one's own, a tenth of the nodes at once": {
        f"{H}.image": {"id": AMI},
        f"{H}.updates": {"schedule": "cron(0 3 ? * SUN *)", "at-once": {"percent": 10}},
    },
    "nodes are patched when they are idle": {f"{H}.updates": {"patching": "when-idle"}},
    "nodes are patched when all are idle": {f"{H}.updates": {"patching": "when-all-idle"}},
    "fewer nodes than are wanted": {
        "hyperpod.provisioning": "continuous",
        f"{W}.nodes": {"count": 5, "minimum": 2},
    },
    "another type": {f"{W}.instance": "p5e.48xlarge"},
    "labels and taints": {f"{W}.labels": {"a": "b"}, f"{W}.taints": {"a": "NoSchedule"}},
    "other huge pages": {f"{W}.huge-pages": "10GiB"},
    "for inference": {f"{W}.for": "inference"},
    "spot": {f"{W}.for": "inference", f"{W}.capacity": "spot"},
    "another zone": {f"{W}.zone": "us-west-2b"},
    "no zone": {f"{W}.zone": DROP},
    "a training plan, in its zone": {
        f"{W}.capacity": {"training-plan": {"arn": PLAN, "zone": "us-west-2b", "count": 4}},
        f"{W}.zone": DROP,
    },
    "groups stand by their names": {"groups.before": {"for": "system", "instance": "m5.2xlarge", "nodes": 1}},
    "security groups": {f"{W}.security-groups": [SG]},
    "a file system, before any node": {"storage.scratch.lustre": LUSTRE},
    "quotas of a team": {
        "addons": {
            "hyperpod": {"repository": "oci://registry.example.com/charts"},
            "hyperpod-task-governance": {},
            "mpi-operator": {},
        },
        "hyperpod.task-governance": {"teams": {"a": {"quota": {"p5.48xlarge": {"instances": 2}}}}},
    },
    "a tracking server that goes": {
        "hyperpod.mlflow": {"name": "Team-A", "size": "large", "maintenance": "Sun:23:59", "on-destroy": "delete"}
    },
}

INSTALL = {"scripts": [{"at": "s3://a-bucket/i.sh"}]}
OTHER = {"queues.other": {"groups": {"cpus": {"for": "system", "instance": "c5.2xlarge", "nodes": 1}}}}
FROM = {"head.ssh-from": "198.51.100.0/24"}
FOUR = {"zone": "us-west-2a", "count": 4}

SLURM: Mapping[str, Edits] = {
    "a name and tags": {"name": "ours", "tags": {"team": "ml", "cost": "7"}},
    "another system": {"os": "ubuntu2204"},
    "a cluster that is kept": {"on-destroy": "keep"},
    "a cluster that stays when it fails": {"on-failure": "keep"},
    "an image": {"image": AMI},
    "software on all nodes": {"post-install": {**INSTALL, "timeout-minutes": 40}},
    "software on the head node": {"head.post-install": {**INSTALL, "timeout-minutes": 40}},
    "software of a queue, with less time": {f"{TRAIN}.post-install": {**INSTALL, "timeout-minutes": 5}},
    "software of one of two queues, with less time": {
        **OTHER,
        "slurm.default-queue": "train",
        f"{TRAIN}.post-install": {**INSTALL, "timeout-minutes": 5},
    },
    "software of two queues, with the longer time": {
        **OTHER,
        "slurm.default-queue": "train",
        f"{TRAIN}.post-install": {**INSTALL, "timeout-minutes": 10},
        "queues.other.post-install": {**INSTALL, "timeout-minutes": 60},
    },
    "another head node": {"head.instance": "m5.2xlarge", "head.security-groups": [SG], "head.zone": "us-west-2b"},
    "people come with a key pair": {"head.login": {"key-pair": "ours"}, **FROM},
    "people come with a key that is registered": {
        "head.login": {"public-key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB"},
        **FROM,
    },
    "another zone": {f"{TRAIN}.zones": ["us-west-2b"]},
    "two zones": {f"{TRAIN}.zones": ["us-west-2b", "us-west-2a"], f"{SLURM_WORKERS}.for": "inference"},
    "security groups of a queue": {f"{TRAIN}.security-groups": [SG]},
    "a range": {f"{SLURM_WORKERS}.nodes": {"min": 1, "max": 9}},
    "no EFA": {f"{SLURM_WORKERS}.efa": False},
    "one thread a core": {f"{SLURM_WORKERS}.threads-per-core": 1},
    "another type": {f"{SLURM_WORKERS}.instance": "p5e.48xlarge"},
    "for inference": {f"{SLURM_WORKERS}.for": "inference"},
    "spot": {f"{SLURM_WORKERS}.for": "inference", f"{SLURM_WORKERS}.capacity": "spot"},
    "a reservation": {f"{SLURM_WORKERS}.capacity": {"reservation": {**FOUR, "id": CR, "provided-by": "aws"}}},
    "a reservation of ours": {f"{SLURM_WORKERS}.capacity": {"reservation": {**FOUR, "id": CR, "provided-by": "you"}}},
    "a reservation of ours in its placement group": {
        f"{SLURM_WORKERS}.capacity": {
            "reservation": {**FOUR, "id": CR, "provided-by": "you", "placement-group": "ours"}
        }
    },
    "a group of reservations": {
        f"{SLURM_WORKERS}.capacity": {"reservation-group": {**MADE_GROUP["reservation-group"], "count": 4}}
    },
    "a block that is bought": {
        f"{SLURM_WORKERS}.capacity": {"capacity-block": {**BOUGHT["capacity-block"], "count": 4}}
    },
    "a block that is bought for Red Hat's system": {
        f"{SLURM_WORKERS}.capacity": {"capacity-block": {**BOUGHT["capacity-block"], "count": 4}},
        "os": "rhel9",
    },
    "what nodes may do in S3": {"s3": {"s3://data": "read", "s3://results/runs/": "write"}},
    "a file system, before any node": {"storage.fsx.lustre": LUSTRE},
    "what is said of Slurm": {
        "slurm": {
            "idle-minutes": 7,
            "memory-scheduling": True,
            "settings": {"MaxJobCount": 2, "JobRequeue": 0},
            "on-update": "drain",
        },
        "accounting": {
            "server": "a.example.com:3306",
            "user": "ada",
            "password-secret": "arn:aws:secretsmanager:us-west-2:111122223333:secret:slurm",
            "database": "jobs",
        },
    },
}


@dataclass(frozen=True)
class Page:
    """Edits of one description."""

    document: Callable[[Edits], dict[str, Any]]
    edits: Mapping[str, Edits]
    first: Edits = field(default_factory=dict)
    """What all of them are made beside."""


PAGES: Mapping[str, Page] = {
    "eks": Page(a_document, EKS, GROUPED),
    "eks-self-managed": Page(a_document, EKS_OWN, OWN),
    "hyperpod": Page(a_hyperpod_document, HYPERPOD),
    "parallelcluster": Page(a_slurm_document, SLURM),
}


def pages() -> Iterator[tuple[Path, str]]:
    """Each page's file, below the root, and its text."""
    for name in PAGES:
        yield FOLDER / f"{name}.txt", text_of(PAGES[name])


def text_of(page: Page) -> str:
    """Options of what the description registers as it is; then what each edit changes."""
    plain = registered(page.document(page.first))
    parts = [f"==== as it is: options{difference({}, _options(plain))}"]
    for title, edits in page.edits.items():
        parts.append(f"==== {title}{difference(plain, registered(page.document({**page.first, **edits})))}")
    return "\n\n".join(parts) + "\n"


def registered(document: Mapping[str, Any]) -> Flat:
    """What a description registers, by resource and place. The law holds of it."""
    from muster.deploy import deploy

    made, faults = validate(model_of(document), document)
    assert made is not None, faults
    blueprint = derive(made, "test", REGION)
    there = existing_clusters(blueprint)
    found = record(lambda: deploy(blueprint), stack="test", region=REGION, existing_clusters=there).registrations
    derived = described_fleet(blueprint, AS_OF)
    assert differences(described_by(fleet_of(found), derived), derived) == ()
    return {name: _shown(of) for name, of in flat(found, _more).items()}


_OF_PROVIDERS = frozenset({"version", "provider", "aliases"})
"""Options of every resource, which other tests look at."""

_OFTEN = re.compile(r"tagSpecifications|tags\.(Name|muster:stack)$|userData$|networkInterfaces\[(?!0)")
"""Places that many resources have, and that the plans of the stacks show."""


def _shown(of: Mapping[str, str]) -> dict[str, str]:
    return {place: said for place, said in of.items() if not _OFTEN.match(place)}


def _more(each: Registration) -> Iterator[tuple[str, Any]]:
    """The options of a resource, and what its nodes are told."""
    yield from ((f"option {name}", said) for name, said in each.options.items() if name not in _OF_PROVIDERS)
    if data := each.inputs.get("userData"):
        yield "userData, decoded", b64decode(data).decode()
    if nics := each.inputs.get("networkInterfaces"):
        yield "interfaces", Counter(f"{nic['interfaceType']} of {len(nic['securityGroups'])} groups" for nic in nics)


def _options(made: Flat) -> Flat:
    found = {
        name: {place: said for place, said in of.items() if place.startswith("option ")} for name, of in made.items()
    }
    return {name: of for name, of in found.items() if of}
