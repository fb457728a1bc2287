"""What an add-on is. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from addons.context import AddonContext, GroupNodes, system_tolerations
from addons.workload import JobKind, Workload
from muster.config.description.addons import KnownOptions, Options
from muster.config.description.base import OnDestroy
from muster.versions import Image, Pin

Json = dict[str, Any]

Values = Callable[[AddonContext], Json]
"""The cluster -> chart values, or an EKS add-on's configuration."""

Workloads = Callable[[Mapping[str, Any]], tuple[Workload, ...]]
"""Values, ours with the user's over them -> what the add-on runs; for the rest the chart's defaults hold."""

Objects = Callable[[AddonContext], tuple[Json, ...]]
"""The cluster -> Kubernetes objects of our own."""


Brings = Callable[[Mapping[str, Any]], Mapping[str, tuple[JobKind, ...]]]
"""Values -> other add-ons of the catalogue whose work the chart does by itself, with the jobs that it runs so."""


def _nothing(_: AddonContext) -> Json:
    return {}


def system_taints_tolerated(site: AddonContext) -> Json:
    """What an operator without a chart is told: the taints of the nodes it is for."""
    tolerations = system_tolerations(site)
    return {"tolerations": tolerations} if tolerations else {}


def _nobody(_: Mapping[str, Any]) -> Mapping[str, tuple[JobKind, ...]]:
    return {}


def _no_objects(_: AddonContext) -> tuple[Json, ...]:
    return ()


def _no_images(_: AddonContext) -> tuple[Image, ...]:
    return ()


def _no_permissions(_: AddonContext) -> "tuple[Permissions, ...]":
    return ()


@dataclass(frozen=True, slots=True)
class Chart:
    """A Helm chart."""

    repository: str
    """The address of its index, or ``oci://`` and the registry's."""
    name: str
    values: Values
    mirrored: Callable[[str], Json] | None = None
    """A registry, with a path perhaps -> values by which all its images come from there. None where the chart has no
    values for that."""
    release: str | None = None
    """The release's name, where it is not the chart's."""
    pin: Pin | None = None
    """What is installed of it, where that is not what `muster.versions.ADDONS` says: of an add-on in two forms."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest that has no chart. `{version}` in the address stands for the version."""

    address: str
    images: Mapping[str, str] = field(default_factory=dict)
    """Deployment -> image (`{number}` is the version without its v), where the manifest itself names a moving tag."""
    values: Values = system_taints_tolerated
    """What Muster sets in it: its Deployments' `tolerations`."""

    def address_of(self, version: str) -> str:
        """Where that version is."""
        return self.address.format(version=version)

    def images_of(self, version: str) -> dict[str, str]:
        """Deployment -> image, of that version."""
        return {name: image.format(number=version.removeprefix("v")) for name, image in self.images.items()}


@dataclass(frozen=True, slots=True)
class Kustomization:
    """An overlay of our own over a base that is elsewhere and has no chart."""

    base: str
    """As kustomize names it, with `{version}`: ``https://github.com/OWNER/NAME//path?ref={version}``."""
    patches: Callable[[Json], tuple[Json, ...]]
    """Its values -> kustomize's own `patches`."""
    images: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Version -> Deployment -> image of it, of versions whose images are known. A base names its own, by a tag that
    does not move; whoever has a mirror needs to know it."""
    values: Values = system_taints_tolerated
    """What the patches are made of."""

    def base_of(self, version: str) -> str:
        """The base, of that version."""
        return self.base.format(version=version)

    def images_of(self, version: str) -> dict[str, str]:
        """Deployment -> image, of that version."""
        return dict(self.images.get(version, {}))


@dataclass(frozen=True, slots=True)
class EksAddon:
    """An add-on that EKS installs and keeps."""

    name: str
    """EKS's name for it."""
    values: Values = _nothing
    """Its `configurationValues`."""


@dataclass(frozen=True, slots=True)
class OwnObjects:
    """Nothing but objects of our own: there is neither chart nor manifest (`Addon.objects`)."""

    image: str
    """What they run, with `{version}`."""
    values: Values = system_taints_tolerated
    """What they are made with."""


Source = Chart | Manifest | Kustomization | EksAddon | OwnObjects


@dataclass(frozen=True, slots=True)
class Statement:
    """What a role may do, as IAM has it."""

    actions: tuple[str, ...]
    resources: tuple[str, ...] = ("*",)
    """ARNs; `{partition}` and `{region}` are filled in. The account may be `*`: a role acts in its own."""
    conditions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Permissions:
    """What the pods of one service account may do in AWS: a role of their own, by Pod Identity."""

    namespace: str
    service_account: str
    managed: tuple[str, ...] = ()
    """Names of AWS managed policies."""
    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Addon:
    """One add-on of the catalogue."""

    name: str
    namespace: str
    source: Source
    reason: str
    """Why a cluster has it."""
    workloads: Workloads
    serves: str | None = None
    """The resource it makes nodes offer; it runs on the nodes that have it. None for operators. Which of its workloads
    it is that serves it, that one says."""
    runs: tuple[JobKind, ...] = ()
    """The jobs an operator runs; what it brings may run more (`addons.values.runs_of`)."""
    brings: Brings = _nobody
    after: Mapping[str, str] = field(default_factory=dict)
    """Another add-on, or one of EKS's own -> why it comes first where both are there."""
    last: str | None = None
    """Why it comes after all others; None of one that need not."""
    before_nodes: str | None = None
    """Why it stands before HyperPod's nodes are made; None of one that waits for nodes. On other clusters it waits."""
    needs: Mapping[str, str] = field(default_factory=dict)
    """Another add-on, or one of EKS's own, without which this one does not work -> why. It comes first, too."""
    permissions: Callable[[AddonContext], tuple[Permissions, ...]] = _no_permissions
    """The cluster -> what its pods may do in AWS."""
    objects: Objects = _no_objects
    """Objects of our own that follow it: queues, volumes."""
    more_images: Callable[[AddonContext], tuple[Image, ...]] = _no_images
    """The cluster -> images that it runs there beside its pin's: of options, or one for each Kubernetes version."""
    loses: str | None = None
    """What goes with it when it is uninstalled, as in "every Queue and Job of Volcano": it is then kept unless the
    description says otherwise."""
    waits: bool = True
    """Whether its release waits until its pods run."""
    form: Callable[[Options], Source] | None = None
    """Of an add-on that comes in several forms: the one that was chosen. `source` is what it is without a word."""

    def as_chosen(self, options: Options) -> "Addon":
        """It, in the form that the description wants."""
        return replace(self, source=self.form(options)) if self.form and not isinstance(options, KnownOptions) else self

    def is_kept(self, options: Options) -> bool:
        """Whether it stays on the cluster when it is taken out of the description."""
        return self.loses is not None and getattr(options, "on_destroy", OnDestroy.KEEP) is OnDestroy.KEEP

    def served(self, site: AddonContext) -> tuple[GroupNodes, ...]:
        """The nodes it is there for."""
        return site.offering(self.serves) if self.serves else ()
