"""The words of the rules about Slurm's settings and its accounting."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "parallelcluster.a_database_with_a_scheme",
        "parallelcluster-accounting-legal",
        "'mysql://slurm.example.com' is no address of a database server",
        "write HOST or HOST:PORT alone",
    ),
    (
        "parallelcluster.a_database_at_a_path",
        "parallelcluster-accounting-legal",
        "'/slurm.example.com' is no address of a database server",
        "write HOST or HOST:PORT alone",
    ),
    (
        "parallelcluster.a_password_in_a_parameter",
        "parallelcluster-accounting-legal",
        "'arn:aws:ssm:us-west-2:111122223333:parameter/slurm' is no secret of Secrets Manager",
        "write its ARN, arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME",
    ),
    (
        "parallelcluster.a_password_in_another_region",
        "parallelcluster-accounting-legal",
        "the password's secret is in us-east-1, and the cluster in us-west-2",
        "replicate the secret to us-west-2, and write that ARN",
    ),
    (
        "parallelcluster.two_ways_of_accounting",
        "parallelcluster-accounting-legal",
        "both a database and a slurmdbd from elsewhere (ExternalSlurmdbd) are named for accounting",
        "leave Database or ExternalSlurmdbd out",
    ),
    (
        "parallelcluster.a_slurmdbd_from_elsewhere_without_its_key",
        "parallelcluster-accounting-legal",
        "a slurmdbd from elsewhere (ExternalSlurmdbd) without the munge key that it shares with the cluster",
        "write MungeKeySecretArn",
    ),
    (
        "parallelcluster.a_setting_that_is_parallelclusters",
        "parallelcluster-slurm-settings-allowed",
        "the Slurm setting SuspendTime is ParallelCluster's own",
        "leave SuspendTime out",
    ),
    (
        "parallelcluster.accounting_by_settings_beside_a_database",
        "parallelcluster-slurm-settings-allowed",
        "the Slurm setting JobAcctGatherType is ParallelCluster's own",
        "leave JobAcctGatherType out",
    ),
    (
        "parallelcluster.nodes_called_like_parallelclusters",
        "parallelcluster-slurm-settings-allowed",
        "nodes of your own are called train-st-own-[1-4]",
        "call them without -st- and -dy-",
    ),
    (
        "parallelcluster.settings_and_a_file_of_them",
        "parallelcluster-slurm-settings-allowed",
        "both CustomSlurmSettings and CustomSlurmSettingsIncludeFile are given",
        "put all settings in one of them",
    ),
    (
        "parallelcluster.a_setting_refused_with_and_without_accounting",
        "parallelcluster-slurm-settings-allowed",
        "the Slurm setting SuspendTime is ParallelCluster's own",
        "leave SuspendTime out",
    ),
]


MISSING = [
    (
        "parallelcluster.a_database_not_yet_known",
        "parallelcluster-accounting-legal",
        "the database or the secret of accounting, not known before creation",
    ),
    (
        "parallelcluster.a_setting_of_accounting_that_there_may_be",
        "parallelcluster-slurm-settings-allowed",
        "whether there is accounting, not known before creation: with it JobAcctGatherType is ParallelCluster's own",
    ),
    (
        "parallelcluster.settings_not_yet_known",
        "parallelcluster-slurm-settings-allowed",
        "the Slurm settings of ml, not known before creation",
    ),
]


test_words = all_said(WORDS)
test_what_was_missing = all_missed(MISSING)
