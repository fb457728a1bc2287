"""The keys of a request, or of the HyperPod CLI's configuration, for the properties that findings name."""

from collections.abc import Mapping
from dataclasses import replace

from muster.edits import Terms
from muster.sources.cloudformation.converted import camel
from muster.sources.keys import table_of

_KEYS: Mapping[str, str] = {camel(name): name for name in table_of("hyperpod").names if "_" not in name}
_CLI = {
    "clusterName": "hyperpod_cluster_name",
    "dataCompressionType": "data_compression_type",
    "fileSystemTypeVersion": "file_system_type_version",
    "instanceGroups": "instance_group_settings",
    "nodeProvisioningMode": "node_provisioning_mode",
    "nodeRecovery": "node_recovery",
    "perUnitStorageThroughput": "per_unit_storage_throughput",
    "storageCapacity": "storage_capacity",
    "tags": "tags",
    "version": "kubernetes_version",
    "vpcConfig.securityGroupIds": "security_group_ids",
    "vpcConfig.subnets": "private_subnet_ids",
}
"""The property of a cluster, of its EKS cluster or of its file system -> the key of the HyperPod CLI's configuration,
whose instance groups have the API's keys."""


def _key_of_request(name: str) -> str:
    return ".".join(_KEYS.get(each, each) for each in name.split("."))


def _key_of_cli(name: str) -> str:
    return _CLI.get(name) or _key_of_request(name)


OF_REQUEST = Terms(key=_key_of_request, document="file", deploy="the deployment", later="not in the file")
OF_CLI = replace(OF_REQUEST, key=_key_of_cli)
