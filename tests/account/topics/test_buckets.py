"""Buckets, of answers."""

from muster.account.topics.storage import BUCKETS
from muster.fleet.facts import BucketFacts
from tests.account.aws import Refused
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.sound_services import answers

SCRIPTS = "sagemaker-ml-scripts"
OWN = {"own": {"at": f"s3://{SCRIPTS}/p5/", "on-create": "on_create.sh"}}
WANTED = needs("hyperpod-training-plan", {"hyperpod.lifecycle": OWN})


def known(**said) -> BucketFacts:
    """What is known of the bucket of scripts where some answers are others than a sound account's."""
    result, _ = run_topic(
        BUCKETS, WANTED, {**answers(WANTED), **{key.replace("_", "."): each for key, each in said.items()}}
    )
    return result.facts.buckets.get(SCRIPTS, BucketFacts())


def test_only_the_folder_of_scripts_is_listed() -> None:
    """Not what is below it: such buckets may hold everything else there is."""
    _, result = run_topic(BUCKETS, WANTED, answers(WANTED))
    (listing,) = [each for each in result.queries if each.operation == "ListObjectsV2"]
    assert dict(listing.parameters) == {"Bucket": SCRIPTS, "Prefix": "p5/", "Delimiter": "/"}


def test_two_folders_of_one_bucket() -> None:
    """Each is listed."""
    other = {"own": {"at": f"s3://{SCRIPTS}/system", "on-create": "start.sh"}}
    wanted = needs("hyperpod-training-plan", {"hyperpod.lifecycle": OWN, "groups.system.hyperpod.lifecycle": other})
    result, asked = run_topic(BUCKETS, wanted, answers(wanted))
    assert result.facts.buckets[SCRIPTS].files == ("p5/on_create.sh", "system/start.sh")
    assert asked.operations == ["s3.ListObjectsV2", "s3.ListObjectsV2"]


def test_a_bucket_that_does_not_exist() -> None:
    """That is all that is known of it."""
    none = Refused("NoSuchBucket", "The specified bucket does not exist")
    assert known(s3_ListObjectsV2=none) == BucketFacts(exists=False)


def test_a_folder_without_files() -> None:
    """It is known to be empty: none is not unknown."""
    assert known(s3_ListObjectsV2={"KeyCount": 0}).files == ()


def test_a_bucket_of_which_nothing_is_answered_is_not_in_the_facts() -> None:
    """Neither there nor not."""
    result, _ = run_topic(BUCKETS, WANTED, {})
    assert (result.facts.buckets, len(result.unanswered)) == ({}, 1)


def test_buckets_of_data_are_there_or_not() -> None:
    """Those that a file system is linked to, that nodes may read, and that they have scripts from; no placeholders."""
    change = {
        "s3": {"s3://ml-data/imagenet": "read", "s3://fill-me-in": "write"},
        "post-install.scripts": [{"at": "s3://ml-scripts/setup.sh"}, {"at": "https://example.org/setup.sh"}],
        "storage.fsx.lustre.data": {"/datasets": {"s3": "s3://ml-datasets"}},
    }
    wanted = needs("pcluster-p4de-postinstall", change)

    def say(asked):
        return Refused("NoSuchBucket") if asked["Bucket"] == "ml-data" else {}

    result, asked = run_topic(BUCKETS, wanted, {"s3.GetBucketLocation": say})
    assert {name: each.exists for name, each in result.facts.buckets.items()} == {
        "ml-data": False,
        "ml-datasets": True,
        "ml-scripts": True,
    }
    assert set(asked.operations) == {"s3.GetBucketLocation"}
