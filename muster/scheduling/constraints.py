"""What a pod's spec requires of its node's labels, name and taints."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from muster.scheduling.requirements import NODE_NAME, Requirements, Term, requirements_of
from muster.scheduling.taints import Toleration, daemon_tolerations

PodSpec = Mapping[str, Any]


class MalformedConstraints(ValueError):
    """A spec whose selector, affinity or tolerations the API server refuses."""


@dataclass(frozen=True, slots=True)
class PodConstraints:
    """The parts of a pod's spec that restrict its nodes, besides resources (Kubernetes, "Assigning Pods to Nodes")."""

    selector: Requirements = ()
    terms: tuple[Term, ...] | None = None
    """The alternatives of its required node affinity, one of which a node must meet; None if it requires none."""
    tolerations: tuple[Toleration, ...] = ()
    host_network: bool = False

    @classmethod
    def of(cls, pod_spec: PodSpec) -> Self:
        """The constraints of a pod that no DaemonSet creates.

        Raises:
            MalformedConstraints: the format of the spec is one that Kubernetes does not accept.
        """
        try:
            return cls(
                requirements_of(pod_spec.get("nodeSelector") or {}),
                _terms(pod_spec),
                tuple(map(Toleration.of, pod_spec.get("tolerations") or ())),
                bool(pod_spec.get("hostNetwork")),
            )
        except (AttributeError, KeyError, TypeError) as fault:
            raise MalformedConstraints("its placement is not valid in Kubernetes") from fault

    @classmethod
    def of_daemon_set(cls, pod_spec: PodSpec) -> Self:
        """The constraints of the pods that the DaemonSet controller creates from this template's `spec`.

        Raises:
            MalformedConstraints: the format of the spec is one that Kubernetes does not accept.
        """
        own = cls.of(pod_spec)
        return own.tolerating(daemon_tolerations(host_network=own.host_network))

    @property
    def requirements(self) -> Requirements:
        """All requirements on labels: those of the selector and of every term."""
        return (*self.selector, *(each for term in self.terms or () for each in term.labels))

    @property
    def keys(self) -> frozenset[str]:
        """The labels that it has requirements on."""
        return frozenset(each.key for each in self.requirements)

    @property
    def node_name(self) -> str:
        """The node that its affinity names, as in every pod of a DaemonSet; empty if it names none."""
        fields = (field for term in self.terms or () for field in term.fields if field.key == NODE_NAME)
        return next((field.values[0] for field in fields if field.values), "")

    def tolerating(self, more: Iterable[Toleration]) -> Self:
        """The same constraints with more tolerations."""
        return replace(self, tolerations=(*self.tolerations, *more))


def _terms(pod_spec: PodSpec) -> tuple[Term, ...] | None:
    affinity = (pod_spec.get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    return None if required is None else tuple(map(Term.of, required.get("nodeSelectorTerms") or ()))
