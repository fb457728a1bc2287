"""What an add-on runs on the nodes: its workloads, where each may be, and what it takes there. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self

from muster.blueprint.labels import GROUP, INSTANCE_TYPE
from muster.kubernetes_quantity import Quantity, base_units
from muster.unknown import UNKNOWN
from muster.whole_number import whole_number

_LONGEST_NAME = 63


@dataclass(frozen=True)
class Placement:
    """The fields of a pod's spec that decide on which nodes it may run."""

    tolerations: list[dict[str, Any]] = field(default_factory=list)
    affinity: Mapping[str, Any] = field(default_factory=dict)
    node_selector: Mapping[str, str] = field(default_factory=dict)
    priority_class: str | None = None

    @classmethod
    def of(
        cls,
        values: Mapping[str, Any],
        priority_class: str | None = None,
        node_selector: Mapping[str, str] | None = None,
    ) -> Self:
        """Of values with the names of Helm's scaffold (`tolerations`, `affinity`, `nodeSelector`); a null is nothing.

        Args:
            values: of the chart, or of a part of it.
            priority_class: the chart's own, or the values'.
            node_selector: the chart's own; the values' is added to it.
        """
        return cls(
            values.get("tolerations") or [],
            values.get("affinity") or {},
            {**(node_selector or {}), **(values.get("nodeSelector") or {})},
            priority_class or None,
        )

    @cached_property
    def pod_spec(self) -> dict[str, Any]:
        """The fields of a pod's spec; empty ones are left out, as charts do. It is one object, because what is known of
        a spec is cached by identity."""
        fields = {
            "priorityClassName": self.priority_class,
            "nodeSelector": self.node_selector,
            "affinity": self.affinity,
            "tolerations": self.tolerations,
        }
        return {key: value for key, value in fields.items() if value}


@dataclass(frozen=True, slots=True)
class Workload:
    """A DaemonSet or a Deployment."""

    kind: Literal["DaemonSet", "Deployment"]
    name: str
    namespace: str
    placement: Placement = field(default_factory=Placement)
    resources: Mapping[str, Any] = field(default_factory=dict)
    """``{"requests": {"cpu": "10m"}}``: of its first container; empty where it requests nothing."""
    beside: tuple[Mapping[str, Any], ...] = ()
    """Those of its other containers."""
    replicas: int = 1
    """Of a Deployment."""
    serves: str | None = None
    """The resource that a node offers while this DaemonSet's pod runs on it."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Of its pods, where others select them."""

    def __post_init__(self) -> None:
        """Reads the number of replicas as Kubernetes does: charts write text of digits without quotes.

        Raises:
            TypeError: it is no whole number from 0 on.
        """
        given: object = self.replicas  # from a chart's values
        if isinstance(given, str) and (number := whole_number(given, 0)) is not None:
            object.__setattr__(self, "replicas", number)
        elif given is not UNKNOWN and (type(given) is not int or given < 0):
            raise TypeError(f"{given!r} replicas of {self.name}")

    @property
    def requests(self) -> dict[str, int]:
        """What the containers of one pod request together: resource -> amount, in its base unit
        (`muster.kubernetes_quantity`). A limit counts as the request that is missing; the pod itself is not counted.

        Raises:
            ValueError: an amount is none.
        """
        exact: Counter[str] = Counter()  # parts are added up before they are rounded
        for each in (self.resources, *self.beside):
            requests = {**(each.get("limits") or {}), **(each.get("requests") or {})}
            exact.update({resource: Quantity.parse(amount).nano for resource, amount in requests.items()})
        return {resource: base_units(resource, Quantity(nano)) for resource, nano in exact.items()}

    @property
    def takes(self) -> dict[str, int]:
        """What all its pods take, those of a DaemonSet of one node: ``pods``, and what they request."""
        return {resource: self.replicas * amount for resource, amount in {"pods": 1, **self.requests}.items()}

    @property
    def manifest(self) -> dict[str, Any]:
        """Its object, for use where its chart is not available: with its placement, requests and names. Roles and
        configuration are left out, because nothing in its pods runs; its images are never pulled."""
        labels = {"app.kubernetes.io/name": self.name, **self.labels}
        resources = (self.resources, *self.beside)
        pod = {
            **self.placement.pod_spec,
            "automountServiceAccountToken": False,
            "containers": [_container(self.name, number, each) for number, each in enumerate(resources)],
        }
        spec: dict[str, Any] = {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        }
        if self.kind == "Deployment":
            spec["replicas"] = self.replicas
        return {
            "apiVersion": "apps/v1",
            "kind": self.kind,
            "metadata": {"name": self.name, "namespace": self.namespace, "labels": labels},
            "spec": spec,
        }


def _container(name: str, number: int, resources: Mapping[str, Any]) -> dict[str, Any]:
    own = shortened(f"{number}-{name}") if number else name
    container: dict[str, Any] = {"name": own, "image": name}
    return {**container, "resources": resources} if resources else container


class JobKind(NamedTuple):
    """A kind of job that an operator runs."""

    api_version: str
    kind: str


def full_name(release: str, values: Mapping[str, Any]) -> str:
    """The name that charts made from Helm's scaffold give: the release's, where that has the chart's name in it.

    Args:
        release: the release's name; ours is the chart's.
        values: with `fullnameOverride` and `nameOverride`, where they are set.
    """
    if whole := values.get("fullnameOverride"):
        return shortened(str(whole))
    name = str(values.get("nameOverride") or release)
    return shortened(release if name in release else f"{release}-{name}")


def shortened(name: str) -> str:
    """Cut to the length of a label's value, as charts do."""
    return name[:_LONGEST_NAME].removesuffix("-")


Json = dict[str, Any]


def among(key: str, values: Iterable[str]) -> Json:
    """An expression: the label has one of these values."""
    return {"key": key, "operator": "In", "values": list(values)}


def on_nodes(*expressions: Json) -> Json:
    """An affinity to nodes that meet all of these expressions."""
    terms = [{"matchExpressions": list(expressions)}]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


def on_groups(instances: Iterable[str], groups: Iterable[str]) -> Json:
    """An affinity to nodes of these types that are in these groups."""
    return on_nodes(among(INSTANCE_TYPE, instances), among(GROUP, groups))
