"""The words of the rules about lifecycle scripts: what was found, what to do about this very thing."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "lifecycles.both_scripts",
        "lifecycle-entry-single",
        "workers names both an onCreate and an onInitComplete script",
        "leave out onCreate to have HyperPod's own set-up first",
    ),
    (
        "lifecycles.no_script",
        "lifecycle-entry-single",
        "workers has a lifecycle with no script",
        "name onCreate or onInitComplete, and sourceS3Uri, or leave lifeCycleConfig out",
    ),
    (
        "lifecycles.a_script_of_nowhere",
        "lifecycle-entry-single",
        "workers has a lifecycle with a script and not where it is",
        "name onCreate or onInitComplete, and sourceS3Uri, or leave lifeCycleConfig out",
    ),
    (
        "lifecycles.a_script_with_a_long_name",
        "lifecycle-entry-single",
        "the onCreate script of workers has a name of 129 characters; the API takes 128",
        "rename it, to 128 characters at most",
    ),
    (
        "lifecycles.a_script_that_nobody_uploads",
        "lifecycle-script-in-bundle",
        "workers runs start.sh, which is not in lifecycle: the bucket holds workers/on_create.sh",
        "upload start.sh there before the cluster is made, or name a script that is there",
    ),
    (
        "lifecycles.a_script_in_the_folder_of_another_group",
        "lifecycle-script-in-bundle",
        "workers runs on_create.sh, which is not in lifecycle/others: the bucket holds workers/on_create.sh",
        "upload on_create.sh there before the cluster is made, or name a script that is there",
    ),
    (
        "lifecycles.scripts_that_are_elsewhere_in_the_bucket",
        "lifecycle-script-in-bundle",
        "workers runs on_create.sh, which is not in sagemaker-ml-scripts/p5: the bucket holds on_create.sh",
        "upload on_create.sh there before the cluster is made, or name a script that is there",
    ),
    (
        "lifecycles.scripts_in_an_empty_bucket",
        "lifecycle-script-in-bundle",
        "workers runs on_create.sh, which is not in sagemaker-ml-scripts: no file is there",
        "upload on_create.sh there before the cluster is made, or name a script that is there",
    ),
    (
        "lifecycles.scripts_that_instances_may_not_read",
        "lifecycle-source-prefix",
        "the scripts of workers are in s3://ml-scripts/p5; its instances may read s3://sagemaker-... only",
        ("put them into a bucket whose name begins with sagemaker-, at an address that begins with s3://sagemaker-"),
    ),
    (
        "lifecycles.scripts_by_an_address_of_the_web",
        "lifecycle-source-prefix",
        (
            "the scripts of workers are in https://sagemaker-ml-scripts.s3.amazonaws.com/p5; its instances "
            "may read s3://sagemaker-... only"
        ),
        ("put them into a bucket whose name begins with sagemaker-, at an address that begins with s3://sagemaker-"),
    ),
    (
        "lifecycles.a_bucket_of_another_name",
        "lifecycle-source-prefix",
        "the scripts of workers are in the bucket ml-scripts; its instances may read s3://sagemaker-... only",
        ("put them into a bucket whose name begins with sagemaker-, at an address that begins with s3://sagemaker-"),
    ),
    (
        "lifecycles.a_bucket_that_is_not_private",
        "lifecycle-bundle-private",
        "the bucket lifecycle does not block all public access, and its scripts run as root",
        "set blockPublicAcls, blockPublicPolicy, ignorePublicAcls and restrictPublicBuckets to true",
    ),
    (
        "lifecycles.a_bucket_without_versions",
        "lifecycle-bundle-versioned",
        "the bucket lifecycle keeps no versions of its scripts",
        "set versioningConfiguration.status to Enabled",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "lifecycles.a_lifecycle_not_yet_known",
        "lifecycle-entry-single",
        "the lifecycle of workers, not known before creation",
    ),
    (
        "lifecycles.a_lifecycle_not_yet_known",
        "lifecycle-script-in-bundle",
        "the lifecycle of workers, not known before creation",
    ),
    (
        "lifecycles.a_lifecycle_not_yet_known",
        "lifecycle-source-prefix",
        "the bucket of workers's lifecycle, not known before creation",
    ),
    (
        "lifecycles.a_script_with_a_long_name",
        "lifecycle-script-in-bundle",
        "the files of the bucket sagemaker-ml-scripts (`muster schema facts` shows the form)",
    ),
    (
        "lifecycles.a_script_not_yet_known",
        "lifecycle-script-in-bundle",
        "the lifecycle script of workers, not known before creation",
    ),
    (
        "lifecycles.a_bucket_that_the_program_leaves_empty",
        "lifecycle-script-in-bundle",
        "whether on_create.sh is put into the bucket lifecycle",
    ),
    (
        "lifecycles.a_bucket_of_the_program_that_is_not_read",
        "lifecycle-source-prefix",
        "the name of the bucket lifecycle",
    ),
    (
        "lifecycles.a_bucket_that_may_be_public",
        "lifecycle-bundle-private",
        "the public access block of lifecycle, not known before creation",
    ),
    (
        "lifecycles.a_bucket_that_may_have_versions",
        "lifecycle-bundle-versioned",
        "the versioning of lifecycle, not known before creation",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
