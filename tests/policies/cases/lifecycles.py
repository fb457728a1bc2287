"""Lifecycle scripts of HyperPod's instances, and the bucket they are in."""

from muster.fleet.resources import (
    Fleet,
)
from muster.fleet.resources.ec2 import Statement
from tests.factories.hyperpod_fleets import (
    a_hyperpod_fleet,
    a_lifecycle,
    an_instance_group,
    hyperpod_facts,
)
from tests.policies.case import cases
from tests.policies.security import role

# lifecycles


cases(
    # HyperPod sets up its instances alone.
    a_script_that_nobody_uploads=lambda: a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle(on_create="start.sh"))
    ),
)


MANAGED = "arn:aws:iam::aws:policy/AmazonSageMakerClusterInstanceRolePolicy"


def granted(*resources: str) -> Fleet:
    """Scripts in a bucket that is not called sagemaker-..., and a role that may get objects of these resources."""
    statement = Statement(frozenset({"s3:GetObject"}), frozenset(resources))
    return a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle("s3://ml-scripts/p5")),
        role(MANAGED, statements=(statement,)),
        known=hyperpod_facts(buckets={"ml-scripts": {"files": ["p5/on_create.sh"]}}),
    )


cases(
    # The resource is one of the program's, and its ARN is not known yet.
    scripts_in_a_bucket_that_the_role_may_grant=lambda: granted(""),
)
