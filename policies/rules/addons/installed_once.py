"""Drivers, controllers and CRDs of which a cluster can have only one."""

from collections.abc import Iterator

from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Addon, EksAddon, Fleet
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.chart_contents import AddonPart, PartKind
from muster.policies.lookups.installed_addons import (
    Installed,
    by_eks,
    comes_before,
    conflicting_part,
    earlier_parts,
    first_named,
    first_parts,
    name_of,
    parts_of,
    source_kind,
)


@rule(
    "one-fsx-csi-driver",
    title="The FSx CSI driver is installed once: by its chart, by EKS, or with HyperPod's chart",
    judges=Addon | EksAddon,
    backends=ON_KUBERNETES,
    why="All of them create the CSIDriver fsx.csi.aws.com and the same service accounts in kube-system. The second one "
    "is rejected (EKS: ConfigurationConflict), or takes over the objects of the first and breaks it.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/userguide/fsx-csi.html",
        "https://github.com/kubernetes-sigs/aws-fsx-csi-driver/blob/helm-chart-aws-fsx-csi-driver-1.17.0/charts/aws-fsx-csi-driver/values.yaml",
        "https://github.com/aws/sagemaker-hyperpod-cli/blob/011ca927123e/helm_chart/HyperPodHelmChart/charts/inference-operator/values.yaml",
    ),
    remedy="Remove all but one.",
    facts=("addons.md#conflicts", "pains.md#14"),
)
def one_fsx_csi_driver(addon: Installed, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is PartKind.FSX_CSI):
        if other := conflicting_part(part, fleet):
            got = (
                f"{part.name} ({source_kind(part.addon)}) and {other.name} ({source_kind(other.addon)}) both install "
                f"{part.what}"
            )
            yield rule.finding(addon.place, at=part.at, got=got, remedy=_either(part, other))


def _either(part: AddonPart, other: AddonPart) -> str:
    if part.bundled or other.bundled:
        return f"{part.without}, or {other.without}"
    return f"remove {part.name} ({source_kind(part.addon)}) or {other.name} ({source_kind(other.addon)})"


@rule(
    "one-jobset",
    title="JobSet is installed once: Kubeflow Trainer installs it only if no other add-on does",
    judges=Addon,
    backends=ON_KUBERNETES,
    why="The chart of Kubeflow Trainer installs JobSet by default. With a second JobSet, from Trainer or from its own "
    "chart, two controllers create pods for the same JobSets, and Helm rejects what the other release owns.",
    source=("https://github.com/kubeflow/trainer/blob/v2.2.0/charts/kubeflow-trainer/values.yaml",),
    remedy="Remove one of them. To remove Trainer's, set jobset.install: false in its values.",
    facts=("addons.md#conflicts",),
)
def one_jobset(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is PartKind.JOBSET):
        if not part.bundled:
            for other in [each for each in earlier_parts(part, fleet) if not each.bundled][:1]:
                got = f"{part.name} and {other.name} both install JobSet"
                yield rule.finding(addon.place, got=got, remedy=f"{part.without}, or {other.without}")
            continue
        others = [each.name for each in first_parts(fleet, PartKind.JOBSET) if not each.bundled]
        if others:
            got = f"{addon.ref.name} (jobset.install) and {others[0]} both install JobSet"
            yield rule.finding(addon.place, at=part.at, got=got, remedy=f"{part.without}, or remove {others[0]}")


@rule(
    "one-kueue",
    title="Kueue is installed once: by its chart, by its manifest, or with HyperPod's task governance",
    judges=Addon | EksAddon,
    backends=ON_KUBERNETES,
    why="Task governance installs its own Kueue in kueue-system, and requires that there is no other: two controllers "
    "would admit the same jobs, with two sets of webhooks for every pod.",
    source=(
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-operate-console-ui-governance-setup.html",
        "https://github.com/aws-samples/awsome-distributed-training/blob/7217859f67bc/1.architectures/7.sagemaker-hyperpod-eks/task-governance/README.md",
    ),
    remedy="Remove one of them.",
    facts=("addons.md#surprises-9", "addons.md#conflicts"),
)
def one_kueue(addon: Addon | EksAddon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is PartKind.KUEUE):
        if other := conflicting_part(part, fleet):
            got = f"{part.name} and {other.name} both install Kueue"
            yield rule.finding(addon.place, got=got, remedy=f"{part.without}, or {other.without}")


@rule(
    "one-owner-of-mpijobs",
    title="Only one add-on defines mpijobs.kubeflow.org",
    judges=Addon,
    backends=ON_KUBERNETES,
    why="The training operator defines it as v1, the MPI operator as v2beta1. The API server rejects the second "
    "definition (storedVersions), or both operators start launchers for the same job.",
    source=(
        "https://github.com/kubeflow/trainer/issues/1930",
        "https://github.com/aws/sagemaker-hyperpod-cli/blob/011ca927123e/helm_chart/HyperPodHelmChart/charts/mpi-operator/values.yaml",
    ),
    remedy="Let only one of them define MPIJob.",
    facts=("rules.md#48", "addons.md#conflicts", "pains.md#13"),
)
def one_owner_of_mpijobs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    owned = [part for part in mine if part.what is PartKind.MPI_JOBS]
    for index, part in enumerate(owned):
        for other in (*earlier_parts(part, fleet), *owned[:index]):
            got = f"{part.name} and {other.name} both define {PartKind.MPI_JOBS}"
            if other.addon.ref == addon.ref:
                got = f"{part.name} has both the MPI operator and a training operator that runs MPIJobs"
            yield rule.finding(addon.place, at=part.at, got=got, remedy=f"{part.without}, or {other.without}")
            return


@rule(
    "one-training-operator",
    title="Only one training operator runs PyTorchJobs",
    judges=Addon,
    backends=ON_KUBERNETES,
    why="Two operators watch the same jobs and create pods for them, and install the same CRDs, from two releases.",
    source=(
        "https://github.com/aws/sagemaker-hyperpod-cli/blob/011ca927123e/helm_chart/HyperPodHelmChart/charts/training-operators/values.yaml",
        "https://github.com/kubeflow/trainer/blob/v1.9.0/manifests/overlays/standalone/kustomization.yaml",
    ),
    remedy="Remove one of them.",
    facts=("rules.md#48", "pains.md#13", "addons.md#conflicts"),
)
def one_training_operator(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is PartKind.TRAINING_OPERATOR):
        for other in earlier_parts(part, fleet)[:1]:
            got = f"{part.name} and {other.name} both install {part.what}"
            yield rule.finding(addon.place, at=part.at, got=got, remedy=f"{part.without}, or {other.without}")


_ONCE = frozenset(
    {
        "cert-manager",
        "gpu-operator",
        "hyperpod-helm-chart",
        "kubeflow-trainer",
        "kuberay-operator",
        "metrics-server",
        "volcano",
    }
)
"""Charts and EKS add-ons with cluster-wide objects under fixed names: CRDs, webhooks, an APIService. Those that other
charts include have separate rules (one-kueue, one-jobset, one-fsx-csi-driver). Several releases of a device plugin may
run on different nodes: one-plugin-per-device judges those."""


@rule(
    "operator-installed-once",
    title="An operator is installed once, by its chart or by EKS",
    judges=Addon | EksAddon,
    backends=ON_KUBERNETES,
    why="The second release conflicts with the CRDs, webhooks and cluster roles of the first: Helm rejects it, or two "
    "operators manage the same objects. EKS also rejects what a release owns.",
    source=("https://helm.sh/docs/helm/helm_install/",),
    remedy="Keep one release, with the values of both.",
    facts=("addons.md#conflicts",),
)
def operator_installed_once(addon: Installed, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = name_of(addon)
    if name not in _ONCE:
        return
    # EKS installs an add-on once on a cluster: two of EKS's add-ons are on two clusters.
    first = [first_named(fleet).get((name, eks)) for eks in ((False,) if by_eks(addon) else (False, True))]
    earlier = [each for each in first if each and comes_before(each, addon, fleet)]
    for other in earlier[:1]:
        if source_kind(addon) == source_kind(other):
            got = f"{addon.ref.name} and {other.ref.name} both install the {source_kind(addon)}"
            remedy = f"remove {addon.ref.name}, and move its values to {other.ref.name}"
        else:
            one, two = f"{addon.ref.name} ({source_kind(addon)})", f"{other.ref.name} ({source_kind(other)})"
            got = f"{one} and {two} both install {name}"
            remedy = f"remove {one} or {two}"
        yield rule.finding(addon.place, got=got, remedy=remedy)
