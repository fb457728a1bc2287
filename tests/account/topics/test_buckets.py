"""Buckets, of answers."""

from muster.account.topics.storage import BUCKETS
from tests.account.aws import Refused
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.sound_services import answers

SCRIPTS = "sagemaker-ml-scripts"
OWN = {"own": {"at": f"s3://{SCRIPTS}/p5/", "on-create": "on_create.sh"}}


def test_only_the_folders_of_scripts_are_listed() -> None:
    """Not what is below them: such buckets may hold everything else there is."""
    other = {"own": {"at": f"s3://{SCRIPTS}/system", "on-create": "start.sh"}}
    wanted = needs("hyperpod-training-plan", {"hyperpod.lifecycle": OWN, "groups.system.hyperpod.lifecycle": other})
    result, asked = run_topic(BUCKETS, wanted, answers(wanted))
    assert result.facts.buckets[SCRIPTS].files == ("p5/on_create.sh", "system/start.sh")
    assert {each.operation for each in asked.queries} == {"ListObjectsV2"}
    folder = {"Bucket": SCRIPTS, "Delimiter": "/"}
    assert [each.parameters for each in asked.queries] == [
        {**folder, "Prefix": "p5/"},
        {**folder, "Prefix": "system/"},
    ]
    result, _ = run_topic(BUCKETS, wanted, {"s3.ListObjectsV2": {"KeyCount": 0}})
    assert result.facts.buckets[SCRIPTS].files == (), "none is not unknown"


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
