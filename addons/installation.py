"""Installs add-ons on a cluster, given by its contract and not by its components."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from addons.addon import Addon, Chart, Manifest, Nodes
from addons.catalogue import CATALOGUE
from muster.fleet.description.cluster import AddonOptions, ManifestOptions
from muster.versions import ADDONS


@dataclass(frozen=True, slots=True)
class ClusterHandle:
    """What an add-on needs to know of a cluster, wherever that was deployed."""

    kubeconfig: pulumi.Input[str]
    arn: pulumi.Input[str]
    nodes: tuple[Nodes, ...]
    ready: tuple[pulumi.Resource, ...] = ()
    """What must stand before any pod can run: access entries, CNI, CoreDNS, the groups."""


class Addons(pulumi.ComponentResource):
    """The chosen add-ons, each with the values its nodes call for."""

    def __init__(
        self,
        cluster: ClusterHandle,
        chosen: Mapping[str, AddonOptions | ManifestOptions],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("muster:addons:Addons", "addons", None, opts)
        provider = kubernetes.Provider(
            "cluster",
            kubeconfig=cluster.kubeconfig,
            # The ARN, not the endpoint: a new endpoint is no other cluster.
            cluster_identifier=cluster.arn,
            # A cluster that is gone took its objects along.
            delete_unreachable=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        below = pulumi.ResourceOptions(parent=self, provider=provider, depends_on=list(cluster.ready))
        for name, addon in CATALOGUE.items():
            if name in chosen:
                install(addon, chosen[name], cluster.nodes, below)
        self.register_outputs({})


def install(
    addon: Addon, options: AddonOptions | ManifestOptions, nodes: tuple[Nodes, ...], opts: pulumi.ResourceOptions
) -> pulumi.Resource:
    """Registers one add-on."""
    version = options.version or ADDONS[addon.name]
    if isinstance(addon.source, Manifest):
        return _manifest(addon, addon.source, version, opts)
    values = addon.source.values(addon.served(nodes))
    return _release(addon, addon.source, version, merged(values, getattr(options, "values", {})), opts)


def _release(
    addon: Addon, chart: Chart, version: str, values: dict[str, Any], opts: pulumi.ResourceOptions
) -> kubernetes.helm.v3.Release:
    index = None if chart.in_registry else kubernetes.helm.v3.RepositoryOptsArgs(repo=chart.repository)
    return kubernetes.helm.v3.Release(
        addon.name,
        # The release's name is the chart's: another one lengthens every object's name.
        name=chart.name,
        namespace=addon.namespace,
        chart=f"{chart.repository}/{chart.name}" if chart.in_registry else chart.name,
        version=version,
        repository_opts=index,
        values=values,
        atomic=True,
        opts=opts,
    )


def _manifest(addon: Addon, manifest: Manifest, version: str, opts: pulumi.ResourceOptions) -> pulumi.Resource:
    images = {name: image.format(number=version.removeprefix("v")) for name, image in manifest.images.items()}
    set_images = pulumi.ResourceOptions(transforms=[_with_images(images)] if images else [])
    return kubernetes.yaml.v2.ConfigFile(
        addon.name,
        file=manifest.address.format(version=version),
        opts=pulumi.ResourceOptions.merge(opts, set_images),
    )


def _with_images(images: Mapping[str, str]) -> Callable[[pulumi.ResourceTransformArgs], Any]:
    """A transform that sets the image of Deployments by name."""

    def transform(resource: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult | None:
        if resource.type_ != "kubernetes:apps/v1:Deployment":
            return None
        props: dict[str, Any] = deepcopy(dict(resource.props))
        image = images.get(props.get("metadata", {}).get("name", ""))
        if image is None:
            return None
        props["spec"]["template"]["spec"]["containers"][0]["image"] = image
        return pulumi.ResourceTransformResult(props, resource.opts)

    return transform


def merged(derived: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The user's values laid over the derived ones, as Helm does it: maps are merged, lists replaced."""
    result = dict(derived)
    for key, value in own.items():
        below = result.get(key)
        result[key] = merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return result
