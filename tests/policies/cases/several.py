"""Several things that one rule judges: what is fine, or unknown, about the first hides nothing about the next."""

from base64 import b64encode
from dataclasses import replace
from typing import Any

from muster.blueprint.logical_names import CLUSTER_REF, EFA_GROUP_REF
from muster.fleet.resources import (
    Fleet,
    LaunchTemplate,
    Mount,
    NodeGroup,
    PodOwner,
    PodTemplate,
    Ref,
)
from muster.policies.lookups.pods import PLUGINS
from muster.unknown import UNKNOWN
from tests.factories import (
    LUSTRE_GROUP_REF,
    a_fleet,
    a_group,
    a_lustre_group,
    a_stored_fleet,
    a_template,
    an_interface,
    described,
)
from tests.hyperpods import a_hyperpod_fleet, an_instance_group
from tests.policies.addons import HYPERPOD, an_addon, loose
from tests.policies.case import cases
from tests.policies.cases.pods import EFA, GPU, NCCL, NEURON, PAGES
from tests.policies.pods import a_pod, asking
from tests.policies.security import ROOT, mount, pods
from tests.slurms import APPS, FSX, a_pcluster, a_queue, a_resource, a_slurm_fleet

# pods


def of_specs(owner: PodOwner, *specs: Any) -> Fleet:
    """An object with a pod template for each of some specs, beside nodes with 8 huge pages."""
    pages = b64encode(b"sysctl -w vm.nr_hugepages=8\n").decode()
    templates = tuple(PodTemplate(f"spec[{index}]", spec) for index, spec in enumerate(specs))
    return a_fleet(a_template(user_data=pages), replace(owner, templates=templates))


def after(first: Any) -> Fleet:
    """Pods that request too many huge pages, after other pods of the same object."""
    return of_specs(a_pod(), first, {"containers": [asking({PAGES: "18Mi"})]})


def privileged_after(first: Any) -> Fleet:
    return of_specs(pods("DaemonSet", "ours"), first, {"containers": [{"name": "root", **ROOT}]})


cases(
    "huge-pages-within-node",
    huge_pages_after_pods_without=lambda: after({"containers": [asking({})]}),
    huge_pages_after_pods_with_enough=lambda: after({"containers": [asking({PAGES: "2Mi"})]}),
    huge_pages_after_pods_of_unknown_nodes=lambda: after(
        {"containers": [asking({PAGES: "2Mi"})], "nodeSelector": {"team": "x"}}
    ),
)
cases(
    "pods-not-privileged",
    a_privileged_pod_after_an_unknown_one=lambda: privileged_after(UNKNOWN),
    a_privileged_pod_after_a_device_plugin=lambda: privileged_after(
        {"containers": [{"name": "plugin", **ROOT}], "volumes": mount(str(PLUGINS))}
    ),
    a_privileged_pod_after_unknown_containers=lambda: privileged_after({"containers": UNKNOWN}),
    a_privileged_pod_after_a_plain_one=lambda: privileged_after({"containers": [{"name": "fine"}]}),
)

UNSEEN = {"name": "unseen", "image": "train", "resources": {"limits": UNKNOWN}}

cases(
    "devices-asked-as-limits",
    containers_between_unknown_ones=lambda: a_fleet(
        a_pod(UNSEEN, asking({GPU: 8}, {EFA: 32}), UNSEEN, asking({GPU: 8}, {GPU: 4}))
    ),
)
cases(
    "infiniband-not-from-host",
    device_files_after_unknown_volumes=lambda: of_specs(
        a_pod(),
        {"containers": [{"name": "fine"}], "volumes": UNKNOWN},
        {"containers": [{"name": "fine"}], "volumes": mount("/dev/infiniband")},
    ),
)
cases(
    "p5-image-new-enough",
    an_old_image_after_an_unknown_one=lambda: a_fleet(
        a_pod(asking({GPU: 4}, image=UNKNOWN), asking({GPU: 4}, image=f"{NCCL}:cuda11.8.0"), kind="Pod")
    ),
)


def on_nodes(requests: dict[str, Any], *nodes: tuple[str, str, int | None]) -> Fleet:
    """A pod beside groups by name, type and the huge pages that they set aside."""
    things: list[Any] = []
    for name, instance, pages in nodes:
        data = None if pages is None else b64encode(f"sysctl -w vm.nr_hugepages={pages}\n".encode()).decode()
        things += [a_template(name, instance, user_data=data), a_group(name)]
    return a_fleet(a_pod(asking(requests), kind="Pod"), *things, without=[NodeGroup, LaunchTemplate])


SETTING_ASIDE = (("few", "p5.48xlarge", 4), ("many", "p5.48xlarge", 8), ("none", "p5.48xlarge", 0))
OF_TYPES = tuple((name, name, None) for name in ("m5.8xlarge", "g5.12xlarge", "p5.48xlarge"))
OF_TRAINIUM = (("few", "trn1.2xlarge", None), ("many", "trn1.32xlarge", None), ("none", "p5.48xlarge", None))

cases(
    "huge-pages-within-node",
    the_nodes_with_most_pages_between_others=lambda: on_nodes({PAGES: "18Mi"}, *SETTING_ASIDE),
    the_nodes_with_most_pages_before_others=lambda: on_nodes({PAGES: "18Mi"}, *SETTING_ASIDE[1:], SETTING_ASIDE[0]),
)
cases(
    "devices-within-instance",
    the_nodes_with_most_devices_between_others=lambda: on_nodes({NEURON: 17}, *OF_TRAINIUM),
    the_nodes_with_most_devices_before_others=lambda: on_nodes({NEURON: 17}, *OF_TRAINIUM[1:], OF_TRAINIUM[0]),
    the_nodes_with_most_gpus_behind_others=lambda: on_nodes({GPU: 9}, *OF_TYPES),
    the_nodes_with_most_gpus_before_others=lambda: on_nodes({GPU: 9}, *OF_TYPES[::-1]),
)
cases(
    "pod-fits-node",
    the_nodes_with_most_cpus_behind_others=lambda: on_nodes({"cpu": "10000"}, *OF_TYPES),
    the_nodes_with_most_memory_before_others=lambda: on_nodes({"memory": "10000Gi"}, *OF_TYPES[::-1]),
)


def sharing(instance: str, **requests: int) -> Fleet:
    """A pod with part of a node."""
    named = {"gpu": GPU, "neuron": NEURON, "efa": EFA}
    pod = asking({named[key]: value for key, value in requests.items()})
    selector = {"node.kubernetes.io/instance-type": instance}
    return a_fleet(a_pod(pod, kind="Pod", nodeSelector=selector), without=[NodeGroup, LaunchTemplate])


cases(
    "part-of-node-asks-part-of-efa",
    half_of_the_gpus_and_all_efa=lambda: sharing("p5.48xlarge", gpu=4, efa=32),
    all_gpus_but_one_and_all_efa=lambda: sharing("p5.48xlarge", gpu=7, efa=32),
    half_of_the_gpus_and_all_efa_but_one=lambda: sharing("p5.48xlarge", gpu=4, efa=31),
    all_gpus_and_all_efa=lambda: sharing("p5.48xlarge", gpu=8, efa=32),
    a_quarter_of_the_gpus_and_all_efa=lambda: sharing("p4d.24xlarge", gpu=2, efa=4),
    # The share of one GPU is half an interface, and one interface at least is left.
    an_eighth_of_the_gpus_and_all_efa=lambda: sharing("p4d.24xlarge", gpu=1, efa=4),
    an_eighth_of_the_gpus_and_one_efa=lambda: sharing("p4d.24xlarge", gpu=1, efa=1),
    # One interface cannot be shared.
    one_gpu_and_the_only_efa=lambda: sharing("g5.12xlarge", gpu=1, efa=1),
    a_quarter_of_the_neuron_devices_and_all_efa=lambda: sharing("trn1.32xlarge", neuron=4, efa=8),
    # No node has both.
    gpus_neuron_devices_and_efa=lambda: sharing("p5.48xlarge", gpu=4, neuron=4, efa=32),
    all_efa_alone=lambda: sharing("p5.48xlarge", efa=32),
)


# add-ons


def two_nvidia_plugins(**plugin: Any) -> Fleet:
    """HyperPod's chart with its NVIDIA plugin and the one of the GPU operator."""
    return loose(an_addon(HYPERPOD, values={"nvidia-device-plugin": plugin, "gpu-operator": {"enabled": True}}))


cases(
    "nvidia-plugin-spares-efa",
    a_second_plugin_after_one_of_another_release=two_nvidia_plugins,
    a_second_plugin_after_one_that_spares_efa=lambda: two_nvidia_plugins(image={"tag": "v0.19.1"}, mofedEnabled=False),
    a_second_plugin_after_one_of_unknown_release=lambda: two_nvidia_plugins(image={"tag": "ours"}),
)
cases(
    "group-has-its-device-plugin",
    two_devices_that_an_unreadable_stack_may_offer=lambda: replace(
        described({"addons": {}}), absent=("stack platform: its outputs cannot be read",)
    ),
)


# instance types


def in_queues(*types: str) -> Fleet:
    """A queue for each instance type."""
    things: list[Any] = []
    for index, name in enumerate(types):
        things += [a_queue(f"q{index}"), a_resource(f"r{index}", f"q{index}", instances=(name,))]
    return a_slurm_fleet(*things)


def on_hyperpod(*types: str) -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type=None, requirements=types))


def on_a_block(*types: str) -> Fleet:
    return a_slurm_fleet(a_resource(capacity_type="CAPACITY_BLOCK", instances=types))


cases(
    "parallelcluster-mount-dirs-apart",
    an_uncatalogued_type_before_another=lambda: in_queues("p9.huge", "p5.48xlarge"),
    an_uncatalogued_type_behind_another=lambda: in_queues("p5.48xlarge", "p9.huge"),
)
cases(
    "hyperpod-security-groups-allow-themselves",
    an_uncatalogued_type_before_one_without_efa=lambda: on_hyperpod("ml.p9.48xlarge", "ml.c5.2xlarge"),
    an_uncatalogued_type_behind_one_without_efa=lambda: on_hyperpod("ml.c5.2xlarge", "ml.p9.48xlarge"),
)
cases(
    "capacity-block-instance-type",
    types_of_a_block_in_one_order=lambda: on_a_block("a9.huge", "g5.12xlarge", "p5.48xlarge", "z9.huge"),
    types_of_a_block_in_the_other_order=lambda: on_a_block("z9.huge", "p5.48xlarge", "g5.12xlarge", "a9.huge"),
)


# storage


def mounting(*mounts: Mount) -> Fleet:
    return a_slurm_fleet(a_pcluster(mounts=mounts))


KIND_UNKNOWN, SCRATCH = Mount("unseen", "/unseen", UNKNOWN), Mount("scratch", "/scratch", "FsxLustre")

cases(
    "parallelcluster-storage-within-limits",
    # A cluster makes one Lustre file system, and mounts several that exist.
    a_storage_of_unknown_kind_beside_others=lambda: mounting(APPS, FSX, KIND_UNKNOWN),
    a_storage_of_unknown_kind_that_may_be_one_too_many=lambda: mounting(SCRATCH, KIND_UNKNOWN),
    two_storages_of_unknown_kind=lambda: mounting(KIND_UNKNOWN, KIND_UNKNOWN),
)


def open_to(*peers: Ref) -> Fleet:
    """A file system beside nodes whose interfaces carry one of two security groups, not yet known which."""
    unknown = an_interface(groups=UNKNOWN)
    template = a_template(interfaces=(unknown,), depends_on=frozenset({CLUSTER_REF, EFA_GROUP_REF}))
    return a_stored_fleet(a_lustre_group(LUSTRE_GROUP_REF, *peers), template)


cases(
    "lustre-ports-open",
    a_file_system_open_to_all_groups_that_nodes_may_carry=lambda: open_to(CLUSTER_REF, EFA_GROUP_REF),
    a_file_system_open_to_one_group_that_nodes_may_carry=lambda: open_to(CLUSTER_REF),
    a_file_system_closed_to_groups_that_nodes_may_carry=open_to,
)
