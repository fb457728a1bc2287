"""Jobs on HyperPod's nodes: which of them are healthy, and what starts again there by itself.

HyperPod watches PyTorchJobs of the Kubeflow training operator that have its annotations, in the namespace `kubeflow` or
in one whose name begins with `hyperpod`; when a node fails it deletes their pods and starts them again on healthy nodes
(SageMaker AI developer guide, "Running jobs using kubectl" and "Running jobs using the SageMaker HyperPod CLI"; AWS
blog, "Introducing Amazon EKS support in Amazon SageMaker HyperPod"). Its taint keeps pods off a node that is checked;
that a worker asks for the label too is what the guide recommends.
"""

from collections.abc import Iterable, Mapping

from muster.fleet.blueprint import Blueprint
from muster.fleet.hyperpod.auto_resume import BEGINS, ENABLED, NAMESPACE, NEWEST, RETRIES
from muster.fleet.hyperpod.health import NODE_HEALTH, Health

MAX_RETRIES = 2
"""The blog's."""

AUTO_RESUME = {ENABLED: "true", RETRIES: str(MAX_RETRIES)}
"""Annotations of a job that HyperPod is to resume."""

HEALTHY = {NODE_HEALTH: Health.SCHEDULABLE.value}
"""The label of nodes that passed their health checks."""

KUBEFLOW_OPERATOR = "training-operator"
"""The add-on that runs PyTorchJobs, and writes into them what auto-resume reads."""

OWN_OPERATOR = "hyperpod-training-operator"
"""The add-on that runs HyperPodPyTorchJobs."""

_FORMS: Mapping[str, tuple[str, ...]] = {
    KUBEFLOW_OPERATOR: ("--format kubectl", "--format hyperpod-cli-2"),
    OWN_OPERATOR: ("--format hyperpod-cli",),
}
"""Operator -> the forms of a job that it runs."""


def runs(blueprint: Blueprint) -> bool:
    """Whether HyperPod runs a cluster's nodes."""
    return blueprint.hyperpod is not None


def not_resumed(namespace: str) -> str:
    """What to say of a job that HyperPod does not resume where it is."""
    return (
        f"HyperPod resumes jobs in the namespace '{NAMESPACE}' and in those that begin with '{BEGINS}'; this one "
        f"is in '{namespace}', where its queue or its claim is"
    )


def operator(name: str, chosen: Iterable[str]) -> str:
    """How to have an operator that a job needs: what to add and, where the cluster has the other operator, which forms
    of the job that one runs.

    Args:
        name: the add-on that is missing.
        chosen: the add-ons that are there.
    """
    said = f"{{version: {NEWEST}}}" if name == KUBEFLOW_OPERATOR else "{}"
    others = [(each, " or ".join(forms)) for each, forms in _FORMS.items() if name in _FORMS and each in chosen]
    return f"add `{name}: {said}` below addons:" + "".join(f", or take {forms} for '{each}'" for each, forms in others)
