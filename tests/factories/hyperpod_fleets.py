"""Things of HyperPod with defaults, so that a test shows only what matters.

`a_hyperpod_fleet()` is a small legal cluster: EKS with access entries, HyperPod's chart, one group of one
ml.p5.48xlarge in us-west-2a whose script Muster uploads. What a test passes replaces what goes by the same name, or
comes beside it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.blueprint.logical_names import BUNDLE_REF, CLUSTER_REF, EFA_GROUP_REF, HYPERPOD_REF
from muster.config.description.capacity import Capacity
from muster.fleet.facts import Facts
from muster.fleet.resources import (
    Addon,
    ControlPlane,
    EksAddon,
    Fleet,
    HyperPodCluster,
    InstanceGroup,
    Lifecycle,
    LifecycleBundle,
    Place,
    Ref,
    Reference,
    StorageVolume,
    Subnet,
)
from muster.fleet.resources.hyperpod import INSTANCE_GROUP
from muster.fleet.resources.ref import HYPERPOD, KUBERNETES_ADDON
from muster.unknown import UNKNOWN
from tests.factories import AS_OF, REGION, SG, SUBNETS, A, B, a_control_plane, a_security_group, an_eks_addon, facts

PLAN = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/spring"


def a_hyperpod(key: str = "hyperpod", /, **more: Any) -> HyperPodCluster:
    """A HyperPod cluster on the EKS cluster."""
    defaults: dict[str, Any] = {
        "name": "ml-cluster",
        "orchestrator": CLUSTER_REF,
        "subnets": (A, B),
        "security_groups": (CLUSTER_REF, EFA_GROUP_REF),
        "place": Place("hyperpod"),
        "node_recovery": "Automatic",
    }
    return HyperPodCluster(Ref(HYPERPOD, key), **{**defaults, **more})


def a_lifecycle(source: Any = BUNDLE_REF, on_create: Any = "on_create.sh", **more: Any) -> Lifecycle:
    """A lifecycle with a script before HyperPod's set-up."""
    return Lifecycle(source, on_create, **more)


def an_instance_group(key: str = "workers", /, **more: Any) -> InstanceGroup:
    """An instance group of one ml.p5.48xlarge in us-west-2a."""
    defaults: dict[str, Any] = {
        "cluster": HYPERPOD_REF,
        "instance_type": "ml.p5.48xlarge",
        "nodes_start": 1,
        "minimum": None,
        "subnets": (A,),
        "security_groups": (CLUSTER_REF, EFA_GROUP_REF),
        "place": Place(f"groups.{key}"),
        "own_network": True,
        "threads_per_core": 1,
        "lifecycle": a_lifecycle(folder="workers"),
        "volumes": (StorageVolume(500),),
    }
    return InstanceGroup(Ref(INSTANCE_GROUP, key), **{**defaults, **more})


def a_bundle(**more: Any) -> LifecycleBundle:
    """Muster's bucket of lifecycle scripts."""
    defaults: dict[str, Any] = {
        "name": "sagemaker-ml-cluster-",
        "files": frozenset({"workers/on_create.sh"}),
        "place": Place("hyperpod.lifecycle"),
    }
    return LifecycleBundle(BUNDLE_REF, **{**defaults, **more})


def a_chart(ref: Ref | None = None, **more: Any) -> Addon:
    """HyperPod's chart, as Muster installs it."""
    said: dict[str, Any] = {"place": Place("addons.hyperpod"), "chart": "hyperpod-helm-chart", **more}
    return Addon(ref or Ref(KUBERNETES_ADDON, "hyperpod"), "0.1.0", **said)


def hyperpod_facts(quota: int | None = 4, **more: Any) -> Facts:
    """A quota for four ml.p5.48xlarge, and what else is known."""
    allowed = {} if quota is None else {"ml.p5.48xlarge for cluster usage": quota}
    return facts(hyperpodQuotas=allowed, **more)


def plan_facts(**more: Any) -> Facts:
    """Everything SageMaker says of the training plan: one ml.p5.48xlarge in us-west-2a, for HyperPod."""
    target = {"zone": "us-west-2a", "totalInstances": 1, "targets": ["hyperpod-cluster"]}
    known = {"state": "Active", "instanceType": "ml.p5.48xlarge", **target, **more}
    return hyperpod_facts(trainingPlans={PLAN: {key: value for key, value in known.items() if value is not None}})


DEFAULT = (
    a_control_plane(authentication="API", name="ml"),
    a_security_group(),
    an_eks_addon(),
    a_chart(),
    a_hyperpod(),
    an_instance_group(),
    a_bundle(),
)


def planned(**more: Any) -> InstanceGroup:
    """The workers on the training plan, which the description has in us-west-2a with one instance."""
    capacity = Capacity.model_validate({"training-plan": {"arn": PLAN, "zone": "us-west-2a", "count": 1}})
    return an_instance_group(**{"training_plan": PLAN, "capacity": capacity, "zone": "us-west-2a", **more})


def a_hyperpod_fleet(
    *things: Any, without: Iterable[type] = (), subnets: Iterable[Subnet] = (), known: Facts | None = None, **more: Any
) -> Fleet:
    """A fleet of the default things, replaced and extended by what is passed, without the types named."""
    by_ref: dict[Reference, Any] = {each.ref: each for each in DEFAULT if type(each) not in set(without)}
    by_ref |= {each.ref: each for each in things}
    around: Mapping[str, Subnet] = {each.id: each for each in (*SUBNETS, *subnets)}
    settings: dict[str, Any] = {"region": REGION, "as_of": AS_OF, **more}
    return Fleet(tuple(by_ref.values()), around, known or hyperpod_facts(), **settings)


# On an EKS cluster that exists.

EXISTING = a_control_plane(existing=True, authentication="API_AND_CONFIG_MAP", name="platform", security_groups=(SG,))


def joined(**more: Any) -> Facts:
    """What AWS says of the EKS cluster that exists, and of its security group; None takes a fact away."""
    known = {"eksAddons": {"vpc-cni": "v1.23.1-eksbuild.1"}, "hyperpodClusters": [], "hyperpodChart": True, **more}
    said = {key: value for key, value in known.items() if value is not None}
    return hyperpod_facts(clusters={"platform": said}, securityGroups={SG: {"selfIngress": True, "selfEgress": True}})


def on_existing(*things: Any, known: Facts | None = None) -> Fleet:
    """The HyperPod cluster on it."""
    carried = (SG, EFA_GROUP_REF)
    ours = (a_hyperpod(orchestrator=UNKNOWN, security_groups=carried), an_instance_group(security_groups=carried))
    without = (EksAddon, Addon, ControlPlane)
    return a_hyperpod_fleet(EXISTING, *ours, *things, without=without, known=known or joined())
