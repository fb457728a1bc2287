"""Namespaces that come with objects of our own. Pure."""

from collections.abc import Iterable

from addons.addon import Json
from addons.context import AddonContext
from muster.config.description.addons import FsxCsiDriverOptions, KueueOptions

OF_EVERY_CLUSTER = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})


def of_claims(site: AddonContext) -> str | None:
    """The namespace that is made for the claims on file systems; None where it is there, or there is no claim."""
    options = site.chosen.get("fsx-csi-driver")
    if not isinstance(options, FsxCsiDriverOptions) or not site.volumes:
        return None
    return None if options.namespace in OF_EVERY_CLUSTER else options.namespace


def of_queues(site: AddonContext) -> frozenset[str]:
    """The namespaces that are made for Kueue's queues; that of claims is there by then, for Kueue comes last."""
    options = site.chosen.get("kueue")
    said = {queue.namespace for queue in options.queues.values()} if isinstance(options, KueueOptions) else set()
    return frozenset(said - OF_EVERY_CLUSTER - {of_claims(site)})


def of_account(site: AddonContext, name: str, brought: Iterable[str]) -> str | None:
    """The namespace that is made for a service account of no add-on's; None where it is there, or comes with another.

    Args:
        site: the cluster.
        name: the account's namespace.
        brought: those that add-ons make.
    """
    charts = {chart.namespace for chart in site.charts.values()}
    there = OF_EVERY_CLUSTER | of_queues(site) | {of_claims(site)} | charts | set(brought)
    return None if name in there else name


def namespace(name: str) -> Json:
    """One, as Kubernetes has it."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
