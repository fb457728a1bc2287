"""Drivers, controllers and CRDs that a cluster has once."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, EksAddon, Fleet
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.chart_contents import AddonPart, PartKind
from policies.lookups.installed_addons import (
    Installed,
    by_eks,
    conflicting_parts,
    earlier_parts,
    name_of,
    ordered_addons,
    parts_of,
    source_kind,
)


@rule(
    "one-fsx-csi-driver",
    title="The FSx CSI driver comes once: by its chart, by EKS, or with HyperPod's chart",
    judges=Addon | EksAddon,
    backends=("eks", "hyperpod"),
    why="All of them make the CSIDriver fsx.csi.aws.com and the same service accounts in kube-system: the second is "
    "refused (EKS: ConfigurationConflict), or takes the objects of the first and leaves it broken.",
    source="EKS user guide, fsx-csi; kubernetes-sigs/aws-fsx-csi-driver charts; HyperPodHelmChart inference-operator",
    remedy="Leave all but one out.",
    facts=("addons.md#conflicts", "pains.md#14"),
)
def one_fsx_csi_driver(addon: Installed, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is PartKind.FSX_CSI):
        for other in conflicting_parts(part, fleet):
            got = (
                f"{part.what} comes with {part.name} ({source_kind(part.addon)}) and "
                f"{other.name} ({source_kind(other.addon)})"
            )
            yield rule.finding(addon.place, at=part.at, got=got, remedy=_either(part, other))


def _either(part: AddonPart, other: AddonPart) -> str:
    if part.bundled or other.bundled:
        return f"{part.without}, or {other.without}"
    return f"remove {part.name}, the {source_kind(part.addon)}, or {other.name}, the {source_kind(other.addon)}"


@rule(
    "one-jobset",
    title="JobSet comes once: Trainer brings its own only where there is no other",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="The chart of Kubeflow Trainer installs JobSet unless told not to. Beside another one two controllers make "
    "pods of the same JobSets, and Helm refuses what the other release owns. So it is with two of JobSet's own.",
    source="kubeflow/trainer charts/kubeflow-trainer/values.yaml, jobset.install",
    remedy="Leave one of them out: jobset.install is false among Trainer's values, then.",
    facts=("addons.md#conflicts",),
)
def one_jobset(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is PartKind.JOBSET):
        if not part.bundled:
            for other in (each for each in earlier_parts(part, fleet) if not each.bundled):
                got = f"{part.name} and {other.name} are both JobSet"
                yield rule.finding(addon.place, got=got, remedy=f"{part.without}, or {other.without}")
            continue
        others = [
            each.name
            for other in ordered_addons(fleet)
            if isinstance(other, Addon | EksAddon) and other.ref != addon.ref
            for each in parts_of(other)[0]
            if each.what is PartKind.JOBSET and not each.bundled
        ]
        if others:
            got = f"{addon.ref.name} installs JobSet (jobset.install), and {others[0]} is JobSet"
            yield rule.finding(addon.place, at=part.at, got=got, remedy=f"{part.without}, or remove {others[0]}")


@rule(
    "one-kueue",
    title="Kueue comes once: by its chart, by its manifest, or with HyperPod's task governance",
    judges=Addon | EksAddon,
    backends=("eks", "hyperpod"),
    why="Task governance brings its own Kueue into kueue-system, and wants none before it: two controllers admit the "
    "same jobs, with two sets of webhooks in front of every pod.",
    source="SageMaker AI developer guide, HyperPod task governance setup; awsome-distributed-training, task-governance",
    remedy="Leave one of them out.",
    facts=("addons.md#surprises-9", "addons.md#conflicts"),
)
def one_kueue(addon: Addon | EksAddon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is PartKind.KUEUE):
        for other in conflicting_parts(part, fleet):
            got = f"{part.name} and {other.name} both bring Kueue"
            yield rule.finding(addon.place, got=got, remedy=f"{part.without}, or {other.without}")


@rule(
    "one-owner-of-mpijobs",
    title="One add-on defines mpijobs.kubeflow.org",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="The training operator has it as v1, the MPI operator as v2beta1: the API server refuses the second definition "
    "(storedVersions), or both operators start launchers for the same job.",
    source="kubeflow/trainer#1930, #1777, #1972; aws/sagemaker-hyperpod-cli charts/mpi-operator",
    remedy="Leave MPIJob to one of them.",
    facts=("rules.md#48", "addons.md#conflicts", "pains.md#13"),
)
def one_owner_of_mpijobs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    owned = [part for part in mine if part.what is PartKind.MPI_JOBS]
    for index, part in enumerate(owned):
        for other in (*earlier_parts(part, fleet), *owned[:index]):
            got = f"{PartKind.MPI_JOBS} is defined by {part.name} and by {other.name}"
            if other.addon.ref == addon.ref:
                got = f"{part.name} has both the MPI operator and a training operator that runs MPIJobs"
            yield rule.finding(addon.place, at=part.at, got=got, remedy=f"{part.without}, or {other.without}")
            return


@rule(
    "one-training-operator",
    title="One training operator runs PyTorchJobs",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="Both watch the same jobs and make pods for them, and both bring the same CRDs, of two releases.",
    source="aws/sagemaker-hyperpod-cli charts/training-operators; kubeflow/trainer manifests/overlays/standalone",
    remedy="Leave one of them out.",
    facts=("rules.md#48", "pains.md#13", "addons.md#conflicts"),
)
def one_training_operator(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is PartKind.TRAINING_OPERATOR):
        for other in earlier_parts(part, fleet):
            got = f"{part.what} comes with {part.name} and with {other.name}"
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
"""Charts and EKS add-ons with objects of the whole cluster under fixed names: CRDs, webhooks, an APIService. Those
that other charts include have separate rules (one-kueue, one-jobset, one-fsx-csi-driver). Several releases of a device
plugin may be on different nodes: one-plugin-per-device judges those."""


@rule(
    "operator-installed-once",
    title="An operator is installed once, by its chart or by EKS",
    judges=Addon | EksAddon,
    backends=("eks", "hyperpod"),
    why="The second release meets the CRDs, webhooks and cluster roles of the first: Helm refuses it, or two operators "
    "work on the same objects. EKS refuses what a release owns, too.",
    source="the charts' templates; Helm, ownership of resources (meta.helm.sh/release-name)",
    remedy="Keep one release, with the values of both.",
    facts=("addons.md#conflicts",),
)
def operator_installed_once(addon: Installed, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = name_of(addon)
    if name not in _ONCE:
        return
    for other in ordered_addons(fleet):
        if other.ref == addon.ref:
            return
        if name_of(other) != name or (by_eks(addon) and by_eks(other)):
            continue
        if source_kind(addon) == source_kind(other):
            got = f"{addon.ref.name} and {other.ref.name} are both the {source_kind(addon)}"
            remedy = f"remove {addon.ref.name}, and write its values under {other.ref.name}"
        else:
            got = f"{addon.ref.name} ({source_kind(addon)}) and {other.ref.name} ({source_kind(other)}) are both {name}"
            remedy = f"remove {addon.ref.name}, the {source_kind(addon)}, or {other.ref.name}, the {source_kind(other)}"
        yield rule.finding(addon.place, got=got, remedy=remedy)
        return
