"""The registry of training images."""

import json
from typing import Self

import pulumi_aws as aws

from muster.blueprint.cluster import ClusterBlueprint
from muster.config.description.base import OnDestroy
from muster.config.description.storage import Registry as RegistryDescription
from muster.infra.component import Component, tags

_UNTAGGED_DAYS = 14


class Registry(Component):
    """An ECR repository. The nodes' role may pull from it without further permissions."""

    def __init__(
        self,
        described: RegistryDescription,
        blueprint: ClusterBlueprint,
    ) -> None:
        super().__init__("registry")
        keep = described.on_destroy is OnDestroy.KEEP
        repository = aws.ecr.Repository(
            "registry",
            name=described.repository or blueprint.name_stem,
            # As the training tutorials push: one tag, again and again. A job that must know its image names a digest.
            image_tag_mutability="MUTABLE",
            image_scanning_configuration=aws.ecr.RepositoryImageScanningConfigurationArgs(scan_on_push=True),
            force_delete=not keep,
            tags=tags(blueprint, "registry"),
            opts=self.below(protect=keep or None),
        )
        aws.ecr.LifecyclePolicy(
            "registry",
            repository=repository.name,
            policy=json.dumps({"rules": [_UNTAGGED]}),
            opts=self.below(),
        )
        self.url = repository.repository_url
        self.register_outputs({"url": self.url})

    @classmethod
    def of(cls, blueprint: ClusterBlueprint) -> Self | None:
        """The registry of a blueprint, if its description has one."""
        described = blueprint.described.registry
        return cls(described, blueprint) if described else None


_UNTAGGED = {
    "rulePriority": 1,
    "description": "Images that no tag names",
    "selection": {
        "tagStatus": "untagged",
        "countType": "sinceImagePushed",
        "countUnit": "days",
        "countNumber": _UNTAGGED_DAYS,
    },
    "action": {"type": "expire"},
}
