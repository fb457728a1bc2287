"""The Slurm cluster: one CloudFormation stack with which AWS ParallelCluster creates all of it."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import ParallelClusterBlueprint
from muster.blueprint.logical_names import KEY_PAIR_REF
from muster.blueprint.parallelcluster import template as names
from muster.blueprint.parallelcluster.template import Template, template
from muster.config.description.base import OnDestroy
from muster.config.description.slurm_settings import OnFailure
from muster.fleet.resources import Reference
from muster.infra.bucket import Bucket
from muster.infra.capacity import reservation_group
from muster.infra.component import Component, stack_tags, tags
from muster.infra.file_system import FileSystem
from muster.infra.network import Foundation


class TemplateObject(Component):
    """A template in a private bucket. Its key has the hash of the text, so that CloudFormation detects a change.

    CloudFormation reads it with the deployer's permissions.
    """

    def __init__(
        self, body: str, blueprint: ParallelClusterBlueprint, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        name = "template"
        super().__init__(name, opts)
        bucket = Bucket(name, blueprint, prefix=f"{blueprint.cluster_name}-template-", keep=False, opts=self.below())
        made = aws.s3.BucketObjectv2(
            name,
            bucket=bucket.name,
            key=f"{sha256(body.encode()).hexdigest()}.json",
            content=body,
            content_type="application/json",
            tags=tags(blueprint, name),
            opts=self.below(depends_on=[bucket]),
        )
        self.bucket = bucket.name
        self.url: pulumi.Output[str] = pulumi.Output.format("https://{0}/{1}", bucket.domain_name, made.key)
        self.register_outputs({"url": self.url})


_CAPABILITIES = ("CAPABILITY_AUTO_EXPAND", "CAPABILITY_IAM", "CAPABILITY_NAMED_IAM")
"""The capabilities that the stack needs: the provider's template is an AWS SAM template, which is a transform, and it
creates roles and named policies."""

_GONE = "DELETE"
"""CloudFormation's action for a stack whose creation fails. Its default, a rollback, leaves an empty stack that can
only be deleted (ROLLBACK_COMPLETE); the engine has it in its state, and each later `up` would try to update it. After a
deletion, a refresh removes the stack from the state, and `up` creates another."""

_WAIT = "2h"
"""The timeout. The provider's stack takes minutes, and the cluster takes at most an hour, the limit of a custom
resource. If the creation fails, CloudFormation deletes both, one after the other."""


class ParallelCluster(Component):
    """One cluster with its head node and all of its queues, its key pair and its groups of reservations.

    The name of the CloudFormation stack contains the cluster's name and ParallelCluster's version. Neither can change:
    a cluster cannot be renamed, and only the version that created it can update it. If one of them changes, the cluster
    is replaced, and the old one is deleted first, because AWS allows each name only once. `on-destroy: keep` prevents
    that, as it prevents `destroy`.
    """

    def __init__(
        self,
        blueprint: ParallelClusterBlueprint,
        around: Foundation,
        storage: Mapping[str, FileSystem],
    ) -> None:
        """Registers it.

        Args:
            blueprint: of a cluster on ParallelCluster.
            around: the network, the security group of all nodes, and the Capacity Blocks that Muster buys.
            storage: the file systems that Muster creates, by name: nodes mount them when they start.
        """
        derived, described = blueprint.cluster, blueprint.described
        super().__init__(derived.ref.name)
        self._blueprint = blueprint
        self.key_pair: pulumi.Input[str] | None = self._key_pair()
        groups, reserved = self._reservation_groups()
        self.reservation_groups: Mapping[str, pulumi.Output[str]] = groups
        """The ARNs of the reservation groups, by the name of their compute resource."""
        made_here: dict[Reference, pulumi.Input[str]] = {
            **{each.file_system.ref: storage[each.name].mounted for each in blueprint.storage if each.name in storage},
            **{
                group.reservation_group.ref: groups[group.name] for group in blueprint.groups if group.reservation_group
            },
            **({KEY_PAIR_REF: self.key_pair} if self.key_pair else {}),
        }
        around = around.with_ids(made_here, [*storage.values(), *reserved])
        self.template_bucket: pulumi.Output[str] | None = None
        """The bucket of the template, if the template is too long for the request; else None."""
        written = template(blueprint)
        body, url = self._text(written)
        keep, look = described.on_destroy is OnDestroy.KEEP, described.on_failure is OnFailure.KEEP
        made = aws.cloudformation.Stack(
            derived.ref.name,
            name=f"muster-{blueprint.cluster_name}-{str(derived.version).replace('.', '-')}",
            template_body=body,
            template_url=url,
            parameters={name: around.id(reference) for name, reference in written.parameters.items()},
            capabilities=list(_CAPABILITIES),
            on_failure="DO_NOTHING" if look else _GONE,
            # The provider adds a stack's tags to the cluster, and so to each instance: no Muster name is among them.
            tags=stack_tags(blueprint),
            opts=self.below(
                depends_on=[*around.ready],
                protect=keep or None,
                delete_before_replace=True,
                # Set at creation; a later change would make the provider replace the stack.
                ignore_changes=["onFailure"],
                custom_timeouts=pulumi.CustomTimeouts(create=_WAIT, update=_WAIT, delete=_WAIT),
            ),
        )
        self.stack: pulumi.Output[str] = made.id
        self._outputs: pulumi.Output[Mapping[str, str] | None] = made.outputs
        self.register_outputs({"stack": self.stack})

    def output(self, name: str) -> pulumi.Output[str]:
        """An output of the template; empty if the stack does not have it. A failed stack has no outputs, and a preview
        must not fail because of that."""
        found: pulumi.Output[str] = self._outputs.apply(lambda outputs: (outputs or {}).get(name, ""))
        return found

    def _text(self, written: Template) -> tuple[str | None, pulumi.Output[str] | None]:
        """The template's text, or its URL; the other is None."""
        if len(written.body.encode()) <= names.MOST_BYTES:
            return written.body, None
        uploaded = TemplateObject(written.body, self._blueprint, self.below())
        self.template_bucket = uploaded.bucket
        return None, uploaded.url

    def _key_pair(self) -> pulumi.Input[str] | None:
        """The name of the existing key pair, or of the one created from a public key."""
        login = self._blueprint.described.head.login
        if login.public_key is None:
            return login.key_pair
        name = KEY_PAIR_REF.name
        made = aws.ec2.KeyPair(
            name,
            key_name_prefix=f"{self._blueprint.cluster_name}-{name}-",
            public_key=login.public_key,
            tags=tags(self._blueprint, name),
            opts=self.below(),
        )
        return made.key_name

    def _reservation_groups(self) -> tuple[dict[str, pulumi.Output[str]], Sequence[pulumi.Resource]]:
        """The ARNs of the reservation groups that Muster creates, by compute resource, and the reservations in them."""
        made = {
            group.name: reservation_group(group.reservation_group, group.name, self._blueprint, self.below())
            for group in self._blueprint.groups
            if group.reservation_group
        }
        members = [each for _, resources in made.values() for each in resources]
        return {name: group.arn for name, (group, _) in made.items()}, members
