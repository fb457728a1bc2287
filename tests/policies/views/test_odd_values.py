"""Whatever stands where a block, a list, a number or a text belongs: no view crashes on it."""

import json
from copy import deepcopy
from dataclasses import replace
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources.ref import (
    AUTO_SCALING_GROUP,
    DATA_ASSOCIATION,
    HYPERPOD,
    LUSTRE,
    NODE_GROUP,
    SECURITY_GROUP,
)
from muster.policies.views import fleet_of
from muster.unknown import UNKNOWN
from tests.damage import at, places
from tests.policies.programs.program import programs
from tests.policies.programs.program import registered as registered_by
from tests.policies.views.parallelclusters import NATIVE
from tests.policies.views.registrations import registered

ODD: tuple[Any, ...] = (None, UNKNOWN, "text", 1.5, [], {}, [None], [UNKNOWN], {"x": UNKNOWN}, [["text"]])
_RULE = {"protocol": "tcp", "fromPort": 1, "toPort": 2, "securityGroups": ["sg"], "cidrBlocks": ["::/0"], "self": True}
_NODE = "k8s.io/cluster-autoscaler/node-template"
_RESERVED = {
    "capacityReservationPreference": "none",
    "capacityReservationTarget": {
        "capacityReservationIds": ["cr"],
        "capacityReservationResourceGroupArns": ["arn"],
    },
}
MORE = (
    registered(
        AUTO_SCALING_GROUP,
        "mixed",
        tags=[
            {"key": "kubernetes.io/cluster/a", "value": "owned"},
            {"key": f"{_NODE}/taint/a", "value": "b:NoSchedule"},
        ],
        capacityReservationSpecification=_RESERVED,
        mixedInstancesPolicy={
            "launchTemplate": {
                "launchTemplateSpecification": {"launchTemplateId": "lt"},
                "overrides": [{"instanceType": "a", "weightedCapacity": "1", "instanceRequirements": {}}],
            },
            "instancesDistribution": {"onDemandPercentageAboveBaseCapacity": 1},
        },
    ),
    registered(
        NODE_GROUP,
        "workers",
        labels={"a": "b"},
        instanceTypes=["a"],
        updateConfig={"maxUnavailable": 1},
        nodeRepairConfig={"enabled": True, "maxParallelNodesRepairedCount": 1},
    ),
    registered(SECURITY_GROUP, "a", ingress=[_RULE], egress=[_RULE]),
    registered(
        LUSTRE,
        "old",
        id="fs-1",
        importPath="s3://a",
        exportPath="s3://a",
        autoImportPolicy="NEW",
        storageType="HDD",
        driveCacheType="READ",
        kmsKeyId="key",
        automaticBackupRetentionDays=1,
        dataCompressionType="LZ4",
        backupId="backup",
    ),
    registered(
        DATA_ASSOCIATION,
        "a",
        fileSystemId="fs-1",
        fileSystemPath="/a",
        dataRepositoryPath="s3://a",
        s3={"autoImportPolicy": {"events": ["NEW"]}, "autoExportPolicy": {"events": ["NEW"]}},
    ),
    registered(
        HYPERPOD,
        "hyperpod",
        autoScaling={"mode": "Enable", "autoScalerType": "Karpenter"},
        tieredStorageConfig={"mode": "Enable", "instanceMemoryAllocationPercentage": 20},
        instanceGroups=[
            {
                "instanceRequirements": {"instanceTypes": ["a"]},
                "onStartDeepHealthChecks": ["InstanceStress"],
                "overrideVpcConfig": {"subnets": ["a"], "securityGroupIds": ["a"]},
                "kubernetesConfig": {"labels": {"a": "b"}, "taints": [{"key": "a", "value": "b", "effect": "c"}]},
                "capacityRequirements": {"spot": {}},
                "networkInterface": {"interfaceType": "efa"},
                "trainingPlanArn": "arn",
            }
        ],
    ),
)
"""What no program has."""


def opened(resource: Registration) -> Registration:
    """A stack whose template is text, as Pulumi's native provider takes it."""
    body = resource.inputs.get("templateBody")
    if body is None:
        return resource
    return replace(resource, type=NATIVE, inputs={**resource.inputs, "templateBody": json.loads(body)})


def names(one: Registration, other: Registration) -> bool:
    """Whether an input of one is made of the other."""
    return any(other.urn in urns for urns in one.property_dependencies.values())


def test_no_value_crashes_a_view() -> None:
    """Each odd one at each place of each type, beside the resources that belong to it."""
    tried = set()
    for registrations in (MORE, *map(registered_by, programs())):
        listed = [opened(each) for each in registrations]
        for each in listed:
            related = [other for other in listed if names(each, other) or names(other, each)]
            for path in places(dict(each.inputs)):
                shape = (each.type, tuple(step for step in path if isinstance(step, str)))
                if not path or shape in tried:
                    continue
                tried.add(shape)
                for value in ODD:
                    inputs = deepcopy(dict(each.inputs))
                    at(inputs, path[:-1])[path[-1]] = value
                    assert fleet_of([*related, replace(each, inputs=inputs)]).unreadable == {}, (shape, value)
