"""Namespaces that Muster makes for claims, queues and service accounts. Pure."""

from collections.abc import Iterable

from muster.addons.addon import Json
from muster.addons.context import AddonContext
from muster.config.description.addons import CsiDriverOptions, KueueOptions

OF_EVERY_CLUSTER = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})


def of_claims(context: AddonContext) -> dict[str, str]:
    """Each namespace that is made for claims on file systems -> the CSI driver that makes it: the first that has claims
    there."""
    made: dict[str, str] = {}
    for driver in context.chosen:
        for name in claimed(driver, context):
            made.setdefault(name, driver)
    return {name: driver for name, driver in made.items() if name not in OF_EVERY_CLUSTER}


def claimed(driver: str, context: AddonContext) -> tuple[str, ...]:
    """The namespaces in which a CSI driver has claims."""
    options, mounts = context.chosen[driver], any(each.kind.driver == driver for each in context.volumes)
    return (options.namespace, *options.more_namespaces) if mounts and isinstance(options, CsiDriverOptions) else ()


def of_queues(context: AddonContext) -> frozenset[str]:
    """The namespaces that are made for Kueue's queues. That of claims exists by then: Kueue comes last."""
    options = context.chosen.get("kueue")
    used = {queue.namespace for queue in options.queues.values()} if isinstance(options, KueueOptions) else set()
    return frozenset(used - OF_EVERY_CLUSTER - of_claims(context).keys())


def is_made_for_accounts(context: AddonContext, name: str, brought: Iterable[str]) -> bool:
    """Whether a namespace is made for the service accounts of no add-on: nothing else makes it.

    Args:
        context: the cluster.
        name: the namespace.
        brought: those that add-ons make.
    """
    charts = {chart.namespace for chart in context.charts.values()}
    return name not in OF_EVERY_CLUSTER | of_queues(context) | of_claims(context).keys() | charts | set(brought)


def namespace(name: str) -> Json:
    """The Kubernetes object."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
