"""Installs add-ons on a cluster, given by its contract and not by its components."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from addons.addon import Addon, Chart, Manifest, Nodes
from addons.catalogue import CATALOGUE
from addons.images import with_image
from addons.values import values_of, version_of
from muster.fleet.description.cluster import AddonOptions, ManifestOptions


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
    version = version_of(addon, options)
    if isinstance(addon.source, Manifest):
        return _manifest(addon, addon.source, version, opts)
    return _release(addon, addon.source, version, values_of(addon, options, nodes), opts)


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
    images = manifest.images_of(version)
    set_images = pulumi.ResourceOptions(transforms=[_with_images(images)] if images else [])
    return kubernetes.yaml.v2.ConfigFile(
        addon.name,
        file=manifest.address_of(version),
        opts=pulumi.ResourceOptions.merge(opts, set_images),
    )


def _with_images(images: Mapping[str, str]) -> Callable[[pulumi.ResourceTransformArgs], Any]:
    """A transform that sets the image of Deployments by name."""

    def transform(resource: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult | None:
        if resource.type_ != "kubernetes:apps/v1:Deployment":
            return None
        props = with_image(resource.props, images)
        return pulumi.ResourceTransformResult(props, resource.opts) if props else None

    return transform
