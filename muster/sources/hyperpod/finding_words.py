"""Texts of findings in the words of a request, or of the HyperPod CLI's configuration."""

import re
from collections.abc import Callable, Mapping

from muster.edits import Terms
from muster.sources.cloudformation.converted import camel
from muster.sources.keys import table_of

_PROPERTIES = re.compile(r"(?<![\w./-])[a-z][a-zA-Z0-9]*(?:\.[a-z][a-zA-Z0-9]*)*(?![\w/-])")
_VERSION = re.compile(r"\b(set|raise) version to ")
"""Of the EKS cluster."""
_KEYS: Mapping[str, str] = {camel(name): name for name in table_of("hyperpod").names if "_" not in name}
_CLI = {
    "ClusterName": "hyperpod_cluster_name",
    "NodeRecovery": "node_recovery",
    "NodeProvisioningMode": "node_provisioning_mode",
    "InstanceGroups": "instance_group_settings",
    "VpcConfig.Subnets": "private_subnet_ids",
    "VpcConfig.SecurityGroupIds": "security_group_ids",
    "Tags": "tags",
    "storageCapacity": "storage_capacity",
    "perUnitStorageThroughput": "per_unit_storage_throughput",
    "dataCompressionType": "data_compression_type",
    "fileSystemTypeVersion": "file_system_type_version",
}
"""The API's key, or FSx's property -> the key of the HyperPod CLI's configuration."""


def of_request(text: str) -> str:
    """A text with the API's keys: ``vpcConfig.subnets`` becomes ``VpcConfig.Subnets``."""
    return _PROPERTIES.sub(_in_api, text)


def _in_api(found: re.Match[str]) -> str:
    parts = found[0].split(".")
    # A lower-case word alone is a word of English: tags, subnets.
    if len(parts) == 1 and parts[0].islower():
        return found[0]
    return ".".join(_KEYS[each] for each in parts) if all(each in _KEYS for each in parts) else found[0]


def of_cli(text: str) -> str:
    """A text with the keys of the HyperPod CLI's configuration, whose instance groups have the API's keys."""
    text = _VERSION.sub(r"\1 kubernetes_version to ", of_request(text))
    return _NAMES_OF_CLI(text)


def _replacing(known: Mapping[str, str]) -> Callable[[str], str]:
    pattern = re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, sorted(known, key=len, reverse=True)))})(?![\w.])")
    return lambda text: pattern.sub(lambda found: known[found[0]], text)


_NAMES_OF_CLI = _replacing(_CLI)


def _key_of_request(name: str) -> str:
    return ".".join(_KEYS.get(each, each) for each in name.split("."))


def _key_of_cli(name: str) -> str:
    key = "kubernetes_version" if name == "version" else _key_of_request(name)
    return _CLI.get(key, _CLI.get(name, key))


OF_REQUEST = Terms(key=_key_of_request, document="file", deploy="the deployment", later="not in the file")
OF_CLI = Terms(key=_key_of_cli, document="file", deploy="the deployment", later="not in the file")
