"""What AWS's own package says of a cluster, and an image without a driver, which it refuses, too."""

from typing import Any

from muster.fleet.resources import AuthorityReport, Fleet, Place, Ref, ValidatorMessage
from muster.fleet.unknown import UNKNOWN
from tests.policies.case import case
from tests.slurms import IMAGE, a_head, a_pcluster, a_queue, a_resource, a_slurm_fleet, image_facts

AT = "queues.train.groups.workers.nodes"
KEY = "Scheduling.SlurmQueues[0].ComputeResources[0].MinCount"


def _says(*said: ValidatorMessage, **more: Any) -> Fleet:
    return a_slurm_fleet(AuthorityReport(Ref("muster:parallelcluster:Authority", "slurm"), Place(""), said, **more))


@case()
def aws_says_nothing() -> Fleet:
    return _says()


@case(f"parallelcluster-schema @ {AT}")
def the_schema_refuses() -> Fleet:
    return _says(ValidatorMessage("schema", "ERROR", "Not a valid integer.", KEY, AT))


@case(f"parallelcluster-validator @ {AT}")
def a_validator_refuses() -> Fleet:
    return _says(ValidatorMessage("ComputeResourceSizeValidator", "ERROR", "Min count must\nbe lower.", KEY, AT))


@case("parallelcluster-validator @ ")
def a_validator_refuses_the_whole() -> Fleet:
    return _says(ValidatorMessage("RegionValidator", "ERROR", "Region 'x' is not yet officially supported", "", ""))


@case(f"parallelcluster-warning @ {AT}")
def a_validator_warns() -> Fleet:
    return _says(ValidatorMessage("ComputeResourceSizeValidator", "WARNING", "Few nodes.", KEY, AT))


@case(unjudged=("parallelcluster-validator @ ",))
def a_validator_fails() -> Fleet:
    return _says(ValidatorMessage("EfaValidator", "ERROR", "KeyError: 'x'", KEY, AT, failed=True))


@case(unjudged=("parallelcluster-schema @ ",))
def aws_cannot_be_asked() -> Fleet:
    return _says(missing="AWS's own package, aws-parallelcluster 3.16.1, is not installed; run `make setup`")


@case("parallelcluster-image-drives-type @ queues.train.groups.workers.instance")
def volta_on_parallelclusters_own_image() -> Fleet:
    return a_slurm_fleet(a_resource(instances=("p3dn.24xlarge",)))


@case("parallelcluster-image-drives-type @ head.instance")
def volta_in_the_head_node() -> Fleet:
    return a_slurm_fleet(a_head(instance="p3dn.24xlarge"))


@case()
def volta_on_an_image_of_ones_own() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), a_resource(instances=("p3dn.24xlarge",)), known=image_facts())


@case()
def volta_on_an_image_of_its_queues_own() -> Fleet:
    return a_slurm_fleet(a_queue(image=IMAGE), a_resource(instances=("p3dn.24xlarge",)), known=image_facts())


@case()
def volta_in_a_head_node_on_an_image_of_its_own() -> Fleet:
    return a_slurm_fleet(a_head(instance="p3dn.24xlarge", image=IMAGE), known=image_facts())


def _of_image_unknown(place: str) -> tuple[str, ...]:
    rules = ("image-drives-type", "image-of-version", "root-volume-holds-image")
    return tuple(f"parallelcluster-{rule} @ {place}" for rule in rules)


@case(
    unjudged=(
        "parallelcluster-image-drives-type @ queues.train.groups.workers",
        *_of_image_unknown("queues.train")[1:],
    )
)
def volta_on_an_image_of_its_queues_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_queue(image=UNKNOWN), a_resource(instances=("p3dn.24xlarge",)))


@case(unjudged=_of_image_unknown("head"))
def volta_in_a_head_node_on_an_image_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_head(instance="p3dn.24xlarge", image=UNKNOWN))


@case(
    unjudged=(
        "parallelcluster-image-drives-type @ queues.train.groups.workers",
        "parallelcluster-image-of-version @ ",
        "parallelcluster-root-volume-holds-image @ head",
        "parallelcluster-root-volume-holds-image @ queues.train",
    )
)
def volta_on_nobody_knows_what() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=UNKNOWN), a_resource(instances=("p3dn.24xlarge",)))
