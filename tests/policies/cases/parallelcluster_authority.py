"""What AWS's own package says of a cluster, and an image without a driver, which it refuses, too."""

from typing import Any

from muster.fleet.resources import AuthorityReport, Fleet, Place, Ref, ValidatorMessage
from muster.unknown import UNKNOWN
from tests.policies.case import case, cases
from tests.slurms import IMAGE, a_head, a_pcluster, a_queue, a_resource, a_slurm_fleet, image_facts

AT = "queues.train.groups.workers.nodes"
KEY = "Scheduling.SlurmQueues[0].ComputeResources[0].MinCount"


def _report(*said: ValidatorMessage, **more: Any) -> AuthorityReport:
    return AuthorityReport(Ref("muster:parallelcluster:Authority", "slurm"), Place(""), said, **more)


def _says(*said: ValidatorMessage, **more: Any) -> Fleet:
    return a_slurm_fleet(_report(*said, **more))


def _beside(thing: Any, *said: ValidatorMessage) -> Fleet:
    return a_slurm_fleet(thing, _report(*said))


cases(
    aws_says_nothing=lambda: _says(),
    the_schema_refuses=lambda: _says(ValidatorMessage("schema", "ERROR", "Not a valid integer.", KEY, AT)),
    a_validator_refuses=lambda: _says(
        ValidatorMessage("ComputeResourceSizeValidator", "ERROR", "Min count must\nbe lower.", KEY, AT)
    ),
    a_validator_refuses_the_whole=lambda: _says(
        ValidatorMessage("RegionValidator", "ERROR", "Region 'x' is not yet officially supported", "", "")
    ),
)


@case
def a_validator_warns() -> Fleet:
    return _says(ValidatorMessage("ComputeResourceSizeValidator", "WARNING", "Few nodes.", KEY, AT))


NO_EFA = "Instance type 'm5.8xlarge' does not support EFA"
TYPE, TYPE_KEY = "queues.train.groups.workers.instance", "Scheduling.SlurmQueues[0].ComputeResources[0].InstanceType"
OTHERS = "queues.train.groups.others"
ARCHITECTURES = "The specified compute instance type ({}) supports the architectures ['arm64']"


cases(
    # What a rule finds is not repeated, and what it does not find is reported.
    a_validator_repeats_a_rule=lambda: _beside(
        a_resource(instances=("m5.8xlarge",)), ValidatorMessage("EfaValidator", "ERROR", NO_EFA, TYPE_KEY, TYPE)
    ),
    a_validator_speaks_of_another_group=lambda: _beside(
        a_resource(instances=("m5.8xlarge",)),
        ValidatorMessage("EfaValidator", "ERROR", NO_EFA, TYPE_KEY, f"{OTHERS}.instance"),
    ),
    a_validator_speaks_of_the_queue_around_it=lambda: _beside(
        a_resource(capacity_type="CAPACITY_BLOCK", nodes_min=1),
        ValidatorMessage("ComputeResourceSizeValidator", "ERROR", "Max count must be min count", "", "queues.train"),
    ),
    a_validator_without_a_place_names_the_type=lambda: _beside(
        a_resource(instances=("g5g.16xlarge",), efa=False),
        ValidatorMessage(
            "InstanceArchitectureCompatibilityValidator", "ERROR", ARCHITECTURES.format("g5g.16xlarge"), "", ""
        ),
    ),
    a_validator_without_a_place_names_another_type=lambda: a_slurm_fleet(
        a_resource(instances=("g5g.16xlarge",), efa=False),
        a_resource("others", instances=("c7g.4xlarge", "c5.2xlarge"), flexible=True, efa=False),
        _report(
            ValidatorMessage(
                "InstanceArchitectureCompatibilityValidator", "ERROR", ARCHITECTURES.format("c5.2xlarge"), "", ""
            )
        ),
    ),
    a_validator_crashes_beside_a_rule=lambda: _beside(
        a_resource(instances=("m5.8xlarge",)),
        ValidatorMessage("EfaValidator", "ERROR", "KeyError: 'x'", TYPE_KEY, TYPE, failed=True),
    ),
    the_schema_refuses_a_tag_that_a_rule_finds=lambda: _beside(
        a_pcluster(tags=frozenset({"parallelcluster:team"})),
        ValidatorMessage("schema", "ERROR", "The tag key prefix is reserved", "Tags", "tags"),
        ValidatorMessage("schema", "ERROR", "Not a valid integer.", KEY, AT),
    ),
    a_validator_fails=lambda: _says(ValidatorMessage("EfaValidator", "ERROR", "KeyError: 'x'", KEY, AT, failed=True)),
    aws_cannot_be_asked=lambda: _says(
        missing="AWS's own package, aws-parallelcluster 3.16.1, is not installed; run `muster pcluster install`"
    ),
    volta_on_parallelclusters_own_image=lambda: a_slurm_fleet(a_resource(instances=("p3dn.24xlarge",))),
    volta_in_the_head_node=lambda: a_slurm_fleet(a_head(instance="p3dn.24xlarge")),
    volta_on_an_image_of_ones_own=lambda: a_slurm_fleet(
        a_pcluster(image=IMAGE), a_resource(instances=("p3dn.24xlarge",)), known=image_facts()
    ),
    volta_on_an_image_of_its_queues_own=lambda: a_slurm_fleet(
        a_queue(image=IMAGE), a_resource(instances=("p3dn.24xlarge",)), known=image_facts()
    ),
    volta_in_a_head_node_on_an_image_of_its_own=lambda: a_slurm_fleet(
        a_head(instance="p3dn.24xlarge", image=IMAGE), known=image_facts()
    ),
    volta_on_an_image_of_its_queues_not_yet_known=lambda: a_slurm_fleet(
        a_queue(image=UNKNOWN), a_resource(instances=("p3dn.24xlarge",))
    ),
    volta_in_a_head_node_on_an_image_not_yet_known=lambda: a_slurm_fleet(
        a_head(instance="p3dn.24xlarge", image=UNKNOWN)
    ),
    volta_on_nobody_knows_what=lambda: a_slurm_fleet(
        a_pcluster(image=UNKNOWN), a_resource(instances=("p3dn.24xlarge",))
    ),
)
