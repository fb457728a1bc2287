"""Lifecycle scripts of HyperPod's instances, and the bucket they are in."""

from muster.fleet.facts import Facts
from muster.fleet.resources import (
    Fleet,
    LifecycleBundle,
)
from muster.fleet.resources.iam import Statement
from muster.unknown import UNKNOWN
from tests.hyperpods import (
    SCRIPTS,
    a_bundle,
    a_hyperpod_fleet,
    a_lifecycle,
    an_instance_group,
    hyperpod_facts,
)
from tests.policies.case import case, cases
from tests.policies.security import role


def there(*files: str) -> Facts:
    """What S3 says of a bucket that exists."""
    return hyperpod_facts(buckets={SCRIPTS: {"files": list(files)}})


# lifecycles


cases(
    # HyperPod sets up its instances alone.
    no_lifecycle=lambda: a_hyperpod_fleet(an_instance_group(lifecycle=None)),
    a_lifecycle_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(lifecycle=UNKNOWN)),
    both_scripts=lambda: a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(on_init_complete="on_create.sh"))),
    a_script_after_hyperpods_own_set_up=lambda: a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle(on_create=None, on_init_complete="on_create.sh"))
    ),
    no_script=lambda: a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(on_create=None))),
    a_script_of_nowhere=lambda: a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(None))),
    a_script_with_a_long_name=lambda: a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle("s3://sagemaker-ml-scripts", on_create="a" * 129))
    ),
    a_script_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(on_create=UNKNOWN))),
    a_bucket_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(UNKNOWN))),
    a_script_that_nobody_uploads=lambda: a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle(on_create="start.sh"))
    ),
    a_script_in_the_folder_of_another_group=lambda: a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle(folder="others"))
    ),
    a_script_in_a_folder_not_yet_known=lambda: a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle(folder=UNKNOWN))
    ),
    a_script_that_is_in_no_folder_not_yet_known=lambda: a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle(on_create="start.sh", folder=UNKNOWN))
    ),
    a_bucket_that_the_program_leaves_empty=lambda: a_hyperpod_fleet(a_bundle(files=frozenset())),
    files_not_yet_known=lambda: a_hyperpod_fleet(a_bundle(files=UNKNOWN)),
    a_bucket_of_the_program_that_is_not_read=lambda: a_hyperpod_fleet(without=(LifecycleBundle,)),
    scripts_that_are_there=lambda: a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle(f"s3://{SCRIPTS}/p5")), known=there("p5/on_create.sh")
    ),
    scripts_that_are_elsewhere_in_the_bucket=lambda: a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle(f"s3://{SCRIPTS}/p5/")), known=there("on_create.sh")
    ),
    scripts_in_an_empty_bucket=lambda: a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle(f"s3://{SCRIPTS}")), known=there()
    ),
    scripts_of_which_nobody_said_so=lambda: a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle(f"s3://{SCRIPTS}"))
    ),
)


@case
def scripts_that_instances_may_not_read() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle("s3://ml-scripts/p5")),
        known=hyperpod_facts(buckets={"ml-scripts": {"files": ["p5/on_create.sh"]}}),
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
    scripts_in_a_bucket_that_the_role_grants=lambda: granted("arn:aws:s3:::ml-scripts/*"),
    scripts_in_another_bucket_than_the_role_grants=lambda: granted("arn:aws:s3:::ml-data/*"),
    # The resource is one of the program's, and its ARN is not known yet.
    scripts_in_a_bucket_that_the_role_may_grant=lambda: granted(""),
    scripts_by_an_address_of_the_web=lambda: a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle("https://sagemaker-ml-scripts.s3.amazonaws.com/p5"))
    ),
)


# bundles


cases(
    a_bucket_of_another_name=lambda: a_hyperpod_fleet(a_bundle(name="ml-scripts")),
    a_buckets_name_not_yet_known=lambda: a_hyperpod_fleet(a_bundle(name=UNKNOWN)),
    a_bucket_that_is_not_private=lambda: a_hyperpod_fleet(a_bundle(private=False)),
    a_bucket_that_may_be_public=lambda: a_hyperpod_fleet(a_bundle(private=UNKNOWN)),
    a_bucket_without_versions=lambda: a_hyperpod_fleet(a_bundle(versioned=False)),
    a_bucket_that_may_have_versions=lambda: a_hyperpod_fleet(a_bundle(versioned=UNKNOWN)),
)


# buckets that exist


def beside_others(**said: object) -> Fleet:
    """Two groups with scripts in a bucket that exists; None takes an answer away."""
    whole = {"exists": True, "files": ["p5/on_create.sh"], "private": True, "versioned": True, **said}
    known = hyperpod_facts(
        buckets={SCRIPTS: {key: value for key, value in whole.items() if value is not None}},
    )
    lifecycle = a_lifecycle(f"s3://{SCRIPTS}/p5")
    others = an_instance_group("others", lifecycle=lifecycle)
    return a_hyperpod_fleet(an_instance_group(lifecycle=lifecycle), others, known=known)


cases(
    a_bucket_that_is_whole=lambda: beside_others(),
    # Once, however many groups have scripts in it.
    an_existing_bucket_that_is_not_private=lambda: beside_others(private=False),
    an_existing_bucket_without_versions=lambda: beside_others(versioned=False),
    # That is one finding, of the rule about what a description names.
    a_bucket_that_does_not_exist=lambda: beside_others(exists=False, files=None, private=None, versioned=None),
)
