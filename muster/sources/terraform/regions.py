"""The Region of each resource, by its provider."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from muster.sources.terraform.configuration import Configuration
from muster.sources.terraform.document import Document, Instance, module_path

_REGION = re.compile(r"[a-z]{2}(?:-[a-z]+)+-\d")
_IN_ARN = re.compile(r"arn:aws[\w-]*:[\w-]+:([a-z]{2}(?:-[a-z]+)+-\d):")
_TOLD_BY = {"aws_region": ("region", "name", "id"), "aws_availability_zones": ("id",)}
"""Data sources whose attributes name the provider's Region."""
_GLOBAL = ("aws_iam_", "aws_cloudfront_", "aws_route53_")
"""Services whose ARNs have another Region than the provider, or none."""


class Regions:
    """The Regions of the providers of a plan or a state."""

    def __init__(self, document: Document, configuration: Configuration) -> None:
        self._document, self._configuration = document, configuration
        providers = document.configuration.get("provider_config")
        self._providers: Mapping[str, Any] = providers if isinstance(providers, Mapping) else {}
        self._known: dict[str, str | None] = {}

    def of(self, resource: Instance) -> str | None:
        """The Region of a resource; None if the file does not have it."""
        block = self._configuration.block(resource)
        arn = resource.values.get("arn")
        region = resource.values.get("region")
        if region not in (None, "") and resource.type.startswith("aws_"):
            return _text(region)  # version 6 of the provider
        if isinstance(arn, str) and not resource.type.startswith(_GLOBAL) and (found := _IN_ARN.match(arn)):
            return found[1]
        return self._of_provider(block.provider) if block else None

    def usual(self, resources: Iterable[Any]) -> str | None:
        """The Region of the most resources; without one, that of the default provider or of a data source."""
        counted = Counter(each for each in map(_text, resources) if each)
        if counted:
            return max(counted, key=lambda region: (counted[region], region))
        return self._of_provider("aws") or self._of_data()

    def _of_provider(self, key: str) -> str | None:
        if key not in self._known:
            about = self._providers.get(key)
            expressions = about.get("expressions") if isinstance(about, Mapping) else None
            region = expressions.get("region") if isinstance(expressions, Mapping) else None
            address = about.get("module_address") if isinstance(about, Mapping) else None
            self._known[key] = _text(self._configuration.constant(region, module_path(address)))
        return self._known[key]

    def _of_data(self) -> str | None:
        for each in self._document.read:
            for name in _TOLD_BY.get(each.type, ()):
                if found := _text(each.values.get(name)):
                    return found
        return None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and _REGION.fullmatch(value) else None
