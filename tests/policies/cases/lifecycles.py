"""Lifecycle scripts of HyperPod's instances, and the bucket they are in."""

from muster.fleet.facts import Facts
from muster.fleet.resources import (
    Fleet,
    LifecycleBundle,
)
from muster.fleet.resources.iam import Statement
from muster.fleet.unknown import UNKNOWN
from tests.hyperpods import (
    SCRIPTS,
    a_bundle,
    a_hyperpod_fleet,
    a_lifecycle,
    an_instance_group,
    hyperpod_facts,
)
from tests.policies.case import case
from tests.policies.security import role


def there(*files: str) -> Facts:
    """What S3 says of a bucket that exists."""
    return hyperpod_facts(buckets={SCRIPTS: {"files": list(files)}})


# lifecycles


@case()
def no_lifecycle() -> Fleet:
    """HyperPod sets up its instances alone."""
    return a_hyperpod_fleet(an_instance_group(lifecycle=None))


@case(
    unjudged=(
        "lifecycle-entry-single @ groups.workers",
        "lifecycle-script-in-bundle @ groups.workers",
        "lifecycle-source-prefix @ groups.workers",
    )
)
def a_lifecycle_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(lifecycle=UNKNOWN))


@case("lifecycle-entry-single @ groups.workers.hyperpod.lifecycle")
def both_scripts() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(on_init_complete="on_create.sh")))


@case()
def a_script_after_hyperpods_own_set_up() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(on_create=None, on_init_complete="on_create.sh")))


@case("lifecycle-entry-single @ groups.workers.hyperpod.lifecycle")
def no_script() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(on_create=None)))


@case("lifecycle-entry-single @ groups.workers.hyperpod.lifecycle")
def a_script_of_nowhere() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(None)))


@case(
    "lifecycle-entry-single @ groups.workers.hyperpod.lifecycle",
    unjudged=("lifecycle-script-in-bundle @ groups.workers",),
)
def a_script_with_a_long_name() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle("s3://sagemaker-ml-scripts", on_create="a" * 129)))


@case(unjudged=("lifecycle-script-in-bundle @ groups.workers",))
def a_script_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(on_create=UNKNOWN)))


@case(unjudged=("lifecycle-script-in-bundle @ groups.workers", "lifecycle-source-prefix @ groups.workers"))
def a_bucket_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(UNKNOWN)))


@case("lifecycle-script-in-bundle @ groups.workers.hyperpod.lifecycle")
def a_script_that_nobody_uploads() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(on_create="start.sh")))


@case("lifecycle-script-in-bundle @ groups.workers.hyperpod.lifecycle")
def a_script_in_the_folder_of_another_group() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(folder="others")))


@case()
def a_script_in_a_folder_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(folder=UNKNOWN)))


@case("lifecycle-script-in-bundle @ groups.workers.hyperpod.lifecycle")
def a_script_that_is_in_no_folder_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(on_create="start.sh", folder=UNKNOWN)))


@case(unjudged=("lifecycle-script-in-bundle @ groups.workers",))
def a_bucket_that_the_program_leaves_empty() -> Fleet:
    return a_hyperpod_fleet(a_bundle(files=frozenset()))


@case(unjudged=("lifecycle-script-in-bundle @ groups.workers",))
def files_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(a_bundle(files=UNKNOWN))


@case(unjudged=("lifecycle-script-in-bundle @ groups.workers", "lifecycle-source-prefix @ groups.workers"))
def a_bucket_of_the_program_that_is_not_read() -> Fleet:
    return a_hyperpod_fleet(without=(LifecycleBundle,))


@case()
def scripts_that_are_there() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle(f"s3://{SCRIPTS}/p5")), known=there("p5/on_create.sh")
    )


@case("lifecycle-script-in-bundle @ groups.workers.hyperpod.lifecycle")
def scripts_that_are_elsewhere_in_the_bucket() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle(f"s3://{SCRIPTS}/p5/")), known=there("on_create.sh")
    )


@case("lifecycle-script-in-bundle @ groups.workers.hyperpod.lifecycle")
def scripts_in_an_empty_bucket() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(f"s3://{SCRIPTS}")), known=there())


@case(unjudged=("lifecycle-script-in-bundle @ groups.workers",))
def scripts_of_which_nobody_said_so() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(f"s3://{SCRIPTS}")))


@case("lifecycle-source-prefix @ groups.workers.hyperpod.lifecycle")
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


@case()
def scripts_in_a_bucket_that_the_role_grants() -> Fleet:
    return granted("arn:aws:s3:::ml-scripts/*")


@case("lifecycle-source-prefix @ groups.workers.hyperpod.lifecycle")
def scripts_in_another_bucket_than_the_role_grants() -> Fleet:
    return granted("arn:aws:s3:::ml-data/*")


@case(unjudged=("lifecycle-source-prefix @ groups.workers",))
def scripts_in_a_bucket_that_the_role_may_grant() -> Fleet:
    """The resource is one of the program's, and its ARN is not known yet."""
    return granted("")


@case("lifecycle-source-prefix @ groups.workers.hyperpod.lifecycle")
def scripts_by_an_address_of_the_web() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(lifecycle=a_lifecycle("https://sagemaker-ml-scripts.s3.amazonaws.com/p5"))
    )


# bundles


@case("lifecycle-source-prefix @ hyperpod.lifecycle")
def a_bucket_of_another_name() -> Fleet:
    return a_hyperpod_fleet(a_bundle(name="ml-scripts"))


@case(unjudged=("lifecycle-source-prefix @ groups.workers",))
def a_buckets_name_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(a_bundle(name=UNKNOWN))


@case("lifecycle-bundle-private @ hyperpod.lifecycle")
def a_bucket_that_is_not_private() -> Fleet:
    return a_hyperpod_fleet(a_bundle(private=False))


@case(unjudged=("lifecycle-bundle-private @ hyperpod.lifecycle",))
def a_bucket_that_may_be_public() -> Fleet:
    return a_hyperpod_fleet(a_bundle(private=UNKNOWN))


@case("lifecycle-bundle-versioned @ hyperpod.lifecycle")
def a_bucket_without_versions() -> Fleet:
    return a_hyperpod_fleet(a_bundle(versioned=False))


@case(unjudged=("lifecycle-bundle-versioned @ hyperpod.lifecycle",))
def a_bucket_that_may_have_versions() -> Fleet:
    return a_hyperpod_fleet(a_bundle(versioned=UNKNOWN))


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


@case()
def a_bucket_that_is_whole() -> Fleet:
    return beside_others()


@case("lifecycle-bundle-private @ hyperpod.lifecycle")
def an_existing_bucket_that_is_not_private() -> Fleet:
    """Once, however many groups have scripts in it."""
    return beside_others(private=False)


@case("lifecycle-bundle-versioned @ hyperpod.lifecycle")
def an_existing_bucket_without_versions() -> Fleet:
    return beside_others(versioned=False)


@case(unjudged=("lifecycle-script-in-bundle @ groups.others", "lifecycle-script-in-bundle @ groups.workers"))
def a_bucket_that_does_not_exist() -> Fleet:
    """That is one finding, of the rule about what a description names."""
    return beside_others(exists=False, files=None, private=None, versioned=None)
