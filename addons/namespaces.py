"""Namespaces that come with objects of our own. Pure."""

from addons.addon import Json
from addons.site import Site
from muster.fleet.description.addons import FsxCsiDriverOptions

OF_EVERY_CLUSTER = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})


def of_claims(site: Site) -> str | None:
    """The namespace that is made for the claims on file systems; None where it is there, or there is no claim."""
    options = site.chosen.get("fsx-csi-driver")
    if not isinstance(options, FsxCsiDriverOptions) or not site.volumes:
        return None
    return None if options.namespace in OF_EVERY_CLUSTER else options.namespace


def namespace(name: str) -> Json:
    """One, as Kubernetes has it."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
