"""What an add-on is. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from muster.addons.context import AddonContext, GroupNodes, system_tolerations
from muster.addons.manifest_patches import POD, added
from muster.addons.workload import JobKind, Workload
from muster.config.description.addons import Options
from muster.config.description.base import OnDestroy
from muster.plain_data import value_at

Json = dict[str, Any]

Values = Callable[[AddonContext], Json]
"""The cluster -> chart values, or an EKS add-on's configuration."""

Workloads = Callable[[Mapping[str, Any]], tuple[Workload, ...]]
"""Values, the user's merged over Muster's -> what the add-on runs; the chart's defaults fill the rest."""

Objects = Callable[[AddonContext], tuple[Json, ...]]
"""The cluster -> Kubernetes objects that Muster makes."""

Brings = Callable[[Mapping[str, Any]], Mapping[str, tuple[JobKind, ...]]]
"""Values -> other add-ons that the chart includes, with the kinds of jobs that they run."""


def system_taints_tolerated(context: AddonContext) -> Json:
    """Values of an operator: tolerations of the taints of the system groups, where they have any."""
    tolerations = system_tolerations(context)
    return {"tolerations": tolerations} if tolerations else {}


class Chart(NamedTuple):
    """A Helm chart."""

    repository: str
    """The address of its index, or ``oci://`` and the registry's; empty where the description has it."""
    name: str
    values: Values
    mirrored: Callable[[str, str], Json] | None = None
    """A registry, with or without a path, and a version -> values that take all images of the version from there. None
    where the chart has none such."""


def tolerations_added(values: Json) -> tuple[Json, ...]:
    """Patches of an operator's Deployments: the tolerations of its values. No pinned manifest has any itself."""
    listed = values.get("tolerations")
    return (added("Deployment", ".*", {f"{POD}/tolerations": listed}),) if listed else ()


@dataclass(frozen=True, slots=True)
class Patched:
    """Objects of a project without a chart, with Muster's changes."""

    address: str
    """With `{version}`."""
    images: Callable[[str], Mapping[str, str]] = lambda _: {}
    """A version -> Deployment -> image, as far as it is known: where the objects themselves name a moving tag, and
    because a mirror has to have it."""
    values: Values = system_taints_tolerated
    """Input of the patches."""
    patches: Callable[[Json], tuple[Json, ...]] = tolerations_added
    """Its values -> kustomize's own `patches`."""

    def address_of(self, version: str) -> str:
        """The address of a version."""
        return self.address.format(version=version)

    def patches_of(self, version: str, values: Json, mirrored: Callable[[str], str]) -> tuple[Json, ...]:
        """All patches.

        Args:
            version: of the objects.
            values: those of the add-on.
            mirrored: an image -> its name in the mirror.
        """
        images = self.images(version).items()
        of_images = (added("Deployment", name, {f"{POD}/containers/0/image": mirrored(each)}) for name, each in images)
        return (*self.patches(values), *of_images)


class Manifest(Patched):
    """A manifest."""


class Kustomization(Patched):
    """An overlay of Muster's over a base of the project, as kustomize names it:
    ``https://github.com/OWNER/NAME//path?ref={version}``."""


class EksAddon(NamedTuple):
    """An add-on that EKS installs (`aws.eks.Addon`)."""

    name: str
    """EKS's name for it."""
    values: Values = lambda _: {}
    """Its `configurationValues`."""
    annotated: str | None = None
    """The service account that EKS annotates with its role (`serviceAccountRoleArn`)."""


class ArnOf(str):
    """A value that only AWS knows: the ARN of a service account's role, or of the HyperPod cluster (empty)."""

    __slots__ = ()


class OwnObjects(NamedTuple):
    """Objects that Muster makes (`Addon.objects`): the project has neither chart nor manifest."""

    image: str
    """Of their pods, with `{version}`."""
    values: Values = system_taints_tolerated
    """Input of the objects."""


Source = Chart | Manifest | Kustomization | EksAddon | OwnObjects


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of an IAM policy that allows."""

    actions: tuple[str, ...]
    resources: tuple[str, ...] = ("*",)
    """ARNs; `{partition}` and `{region}` are filled in. The account may be `*`: a role acts in its own."""


@dataclass(frozen=True, slots=True)
class Permissions:
    """The IAM role of one service account: by EKS Pod Identity, or by the OIDC provider of the cluster."""

    namespace: str
    service_account: str
    managed: tuple[str, ...] = ()
    """Names of AWS managed policies."""
    statements: tuple[Statement, ...] = ()
    policies: tuple[str, ...] = ()
    """ARNs of policies of the account."""
    by_oidc: bool = False
    """Whether the pods get the role by the OIDC provider of the cluster (IAM roles for service accounts): EKS documents
    no Pod Identity for them."""
    services: tuple[str, ...] = ()
    """AWS services that also take a role `by_oidc`."""
    release: str = ""
    """The release of a chart of the description's own: service accounts of several charts may have one name."""

    @property
    def logical_name(self) -> str:
        """The name of the role's resources."""
        return f"{self.release}-{self.service_account}" if self.release else self.service_account


class SwitchedNeed(NamedTuple):
    """Another add-on that this one needs once a switch among its values is on."""

    switch: tuple[str, ...]
    """Its path."""
    addon: str
    why: str
    part: tuple[str, ...] = ()
    """The path of the switch of the sub-chart that contains the switch; empty if the chart itself contains it."""

    def is_on(self, values: Mapping[str, Any]) -> bool:
        """Whether these values have the switch on."""
        return value_at(values, *self.switch) is True and (not self.part or value_at(values, *self.part) is not False)


class Reliance(NamedTuple):
    """A derived value that the cluster relies on: the description's own values may not replace it."""

    at: str
    """Its path."""
    why: str
    """What happens without it."""
    fails: bool = True
    """Whether something then fails; otherwise it is only unwise."""
    switch: str = ""
    """The path of the switch without which it does not matter."""
    chart: str = ""
    """A chart that installs the same, so that it is not needed."""


@dataclass(frozen=True, slots=True)
class Addon:
    """One add-on of Muster."""

    name: str
    namespace: str
    source: Source
    reason: str
    """Why a cluster has it."""
    workloads: Workloads
    serves: str | None = None
    """The device that it offers, on the nodes that have it; None for operators. `Workload.serves` marks the workload
    that offers it."""
    exports: str | None = None
    """The device on whose nodes its DaemonSet must run to see them; None of other add-ons."""
    runs: tuple[JobKind, ...] = ()
    """The jobs that its operator runs; operators in its chart may run more (`muster.addons.values.runs_of`)."""
    brings: Brings = lambda _: {}
    after: Mapping[str, str] = field(default_factory=dict)
    """Another add-on, also one of EKS's -> why that one comes first where both are chosen."""
    last: str | None = None
    """Why it comes after all others; None where it need not."""
    before_nodes: str | None = None
    """Why it is installed before HyperPod's nodes are made; None where it waits for nodes. On other clusters it
    waits."""
    needs: Mapping[str, str] = field(default_factory=dict)
    """Another add-on, also one of EKS's, without which this one does not work -> why. That one comes first."""
    needs_if: tuple[SwitchedNeed, ...] = ()
    """What it needs only with some values. Those add-ons also come first."""
    relies_on: tuple[Reliance, ...] = ()
    permissions: Callable[[AddonContext], tuple[Permissions, ...]] = lambda _: ()
    """The cluster -> the roles of its pods."""
    objects: Objects = lambda _: ()
    """Objects that Muster makes after it: queues, volumes."""
    loses: str | None = None
    """What uninstalling it deletes, as in "every Queue and Job of Volcano": it then stays on the cluster unless the
    description has `on-destroy: delete`."""
    waits: bool = True
    """Whether its release waits until its pods run."""

    def is_kept(self, options: Options) -> bool:
        """Whether it stays on the cluster when it is removed from the description."""
        return self.loses is not None and getattr(options, "on_destroy", OnDestroy.KEEP) is OnDestroy.KEEP

    def served(self, context: AddonContext) -> tuple[GroupNodes, ...]:
        """The nodes whose device it offers."""
        return context.offering(self.serves) if self.serves else ()
