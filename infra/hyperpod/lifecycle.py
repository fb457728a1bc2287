"""The bucket of lifecycle scripts, which HyperPod runs on a new instance. This program uploads them."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import HyperPodGroup
from muster.blueprint.hyperpod.lifecycle_bundle import SCRIPTS, SETTINGS, settings
from muster.fleet.resources import LifecycleBundle, Ref
from muster.infra.bucket import Bucket
from muster.infra.component import Component

_FOLDER = Path(__file__).parent / "lifecycle_scripts"


def contents(blueprint: Blueprint) -> Mapping[str, str]:
    """Key in the bucket -> text: the scripts and their settings, for each group with Muster's scripts."""
    scripts = {name: (_FOLDER / name).read_text(encoding="utf-8") for name in SCRIPTS}
    return {
        f"{group.name}/{name}": text
        for group in blueprint.instance_groups
        if _has_ours(group)
        for name, text in {**scripts, SETTINGS: _settings(group)}.items()
    }


def _settings(group: HyperPodGroup) -> str:
    has_data_volume = any(not each.root for each in group.resource.volumes)
    return settings(group.name, group.node.huge_pages, data_volume=has_data_volume)


def _has_ours(group: HyperPodGroup) -> bool:
    lifecycle = group.resource.lifecycle
    return lifecycle is not None and isinstance(lifecycle.source, Ref)


class LifecycleScripts(Component):
    """A bucket with a folder for each instance group that has Muster's scripts.

    It has no user data: it is deleted with the stack, old versions included. Instances read it when they start, and
    so do replacements, so resources with nodes depend on all of it.
    """

    def __init__(
        self, bundle: LifecycleBundle, blueprint: Blueprint, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__(bundle.ref.name, opts)
        bucket = Bucket(bundle.ref.name, blueprint, prefix=str(bundle.name), keep=False, opts=self.below())
        scripts = [
            aws.s3.BucketObjectv2(
                key,
                bucket=bucket.name,
                key=key,
                content=text,
                # S3's hash of it: an object that was overwritten is put back.
                etag=hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
                content_type="text/plain; charset=utf-8",
                opts=self.below(depends_on=bucket.ready),
            )
            for key, text in contents(blueprint).items()
        ]
        self.bucket = bucket.name
        self.ready: tuple[pulumi.Resource, ...] = (*bucket.ready, *scripts)
        """The resources that must exist before an instance starts."""
        self.register_outputs({"bucket": self.bucket})

    def folder(self, group: str) -> pulumi.Output[str]:
        """The address of a group's scripts: ``s3://sagemaker-.../workers``."""
        return pulumi.Output.concat("s3://", self.bucket, "/", group)
