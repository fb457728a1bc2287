"""What rules say of accounts."""

from dataclasses import replace

from muster.fleet.silence import Silence
from tests.factories import a_fleet
from tests.policies.words.said import all_missed, all_said

VCPUS, RESOURCES, OF_CLUSTERS = "quota-covers-vcpus", "quota-covers-resources", "hyperpod-quota-covers-cluster"
OF_NODES = "hyperpod-quota-covers-nodes"
MAY, OF_ACCOUNT, FRESH = "identity-may-deploy", "facts-of-this-account", "facts-fresh"
REQUEST = "have it raised: aws service-quotas request-service-quota-increase --service-code"
AGAIN = "ask with a profile of the account that the stack goes to (`muster preflight --profile NAME --save`)"


test_what_is_found = all_said(
    [
        (
            "account_limits.addresses_that_others_have",
            RESOURCES,
            "2 Elastic IPs here; quota L-0263D0A3 (EC2-VPC Elastic IPs) allows 5, and others have 4 of them",
            f"{REQUEST} ec2 --quota-code L-0263D0A3 --desired-value 6; or free some that nothing uses",
        ),
        (
            "account_limits.nat_gateways_are_counted_by_zone",
            RESOURCES,
            "1 NAT gateway in one zone here; quota L-FE5A380F (NAT gateways per Availability Zone) allows 0",
            f"{REQUEST} vpc --quota-code L-FE5A380F --desired-value 1; or free some that nothing uses",
        ),
        (
            "account_limits.a_file_system_beside_others_beyond_the_quota",
            RESOURCES,
            (
                "4800 GiB of FSx for Lustre here; quota L-8F1B9C74 (Lustre Persistent_2 storage capacity) allows "
                "100800, and others have 96001 of them"
            ),
            f"{REQUEST} fsx --quota-code L-8F1B9C74 --desired-value 100801; or free some that nothing uses",
        ),
        (
            "account_limits.others_that_leave_too_little",
            VCPUS,
            (
                "workers may grow to 192 vCPUs; quota L-417A185B allows 384, and others use 193 of them (without this "
                "stack's own nodes and reservations)"
            ),
            (
                "have it raised: aws service-quotas request-service-quota-increase --service-code ec2 "
                "--quota-code L-417A185B --desired-value 385; or lower max"
            ),
        ),
        (
            "account_limits.a_head_node_counts_with_its_queue",
            VCPUS,
            "the head node and workers may grow to 64 vCPUs; quota L-1216C47A allows 63",
            (
                "have it raised: aws service-quotas request-service-quota-increase --service-code ec2 "
                "--quota-code L-1216C47A --desired-value 64; or lower max"
            ),
        ),
        (
            "account_limits.a_head_node_of_vcpus_that_nobody_knows",
            VCPUS,
            "workers may grow to 32 vCPUs; quota L-1216C47A allows 31",
            (
                "have it raised: aws service-quotas request-service-quota-increase --service-code ec2 "
                "--quota-code L-1216C47A --desired-value 32; or lower max"
            ),
        ),
        (
            "account_limits.a_reservation_counts_whole_beside_others",
            VCPUS,
            (
                "workers may grow to 192 vCPUs, and cr-0123456789abcdef0 holds 384 more, which count in use or not; "
                "quota L-417A185B allows 768, and others use 193 of them (without this stack's own nodes and "
                "reservations)"
            ),
            f"{REQUEST} ec2 --quota-code L-417A185B --desired-value 769; or lower max",
        ),
        (
            "account_limits.instances_that_other_clusters_have",
            OF_NODES,
            (
                "workers asks for 1 instance; quota 'ml.p5.48xlarge for cluster usage' allows 4, and other clusters "
                "have 4 of them"
            ),
            f"{REQUEST} sagemaker --quota-code L-8762A75F --desired-value 5; or ask for fewer",
        ),
        (
            "account_limits.all_instances_that_other_clusters_have",
            OF_CLUSTERS,
            (
                "the cluster asks for 1 instance; quota 'Total number of instances allowed across SageMaker HyperPod "
                "clusters' allows 10, and other clusters have 10 of them"
            ),
            f"{REQUEST} sagemaker --quota-code L-3308CCC7 --desired-value 11; or ask for less",
        ),
        (
            "account_limits.more_instances_than_one_cluster_may_have",
            OF_CLUSTERS,
            (
                "the cluster asks for 2 instances; quota 'Maximum number instances allowed per SageMaker HyperPod "
                "cluster' allows 1"
            ),
            f"{REQUEST} sagemaker --quota-code L-2CE978FC --desired-value 2; or ask for less",
        ),
        (
            "account_limits.spot_instances_where_none_may_be",
            OF_CLUSTERS,
            (
                "the cluster asks for 1 spot instance; quota 'Total number of Spot instances allowed across SageMaker "
                "HyperPod clusters' allows 0"
            ),
            f"{REQUEST} sagemaker --quota-code L-97A2C724 --desired-value 1; or ask for less",
        ),
        (
            "account_limits.a_volume_beyond_its_limit",
            OF_CLUSTERS,
            (
                "the cluster asks for a volume of 1025 GB; quota 'Maximum size of EBS volume in GB for a SageMaker "
                "HyperPod cluster instance' allows 1024"
            ),
            f"{REQUEST} sagemaker --quota-code L-E13DF72A --desired-value 1025; or ask for less",
        ),
        (
            "account_limits.an_identity_that_may_not_all",
            MAY,
            "IAM denies 1 action of 2 to who asked: ec2:RunInstances",
            (
                "give that identity a policy with them, or deploy with a profile that may (`muster preflight --profile "
                "NAME` asks as that one)"
            ),
        ),
        (
            "account_limits.facts_of_an_account_that_is_not_allowed",
            OF_ACCOUNT,
            "the facts are of account 222233334444, and aws:allowedAccountIds has 333344445555",
            AGAIN,
        ),
        (
            "account_limits.facts_of_another_region",
            OF_ACCOUNT,
            "the facts are of us-east-1, and the stack goes to us-west-2",
            "ask again (`muster preflight --save`), or write the Region that the facts are of",
        ),
        (
            "account_limits.facts_of_another_region_and_it_is_not_said_whose",
            OF_ACCOUNT,
            "the facts are of us-east-1, and the stack goes to us-west-2",
            "ask again (`muster preflight --save`), or write the Region that the facts are of",
        ),
        (
            "account_limits.facts_of_another_partition",
            OF_ACCOUNT,
            "the facts are of partition aws-cn, and us-west-2 is in aws",
            AGAIN,
        ),
        (
            "account_limits.a_training_plan_of_another_account",
            OF_ACCOUNT,
            (
                "the facts are of account 222233334444, and the stack names "
                "arn:aws:sagemaker:us-west-2:333344445555:training-plan/spring"
            ),
            f"{AGAIN}, or name what account 222233334444 has",
        ),
        (
            "account_limits.facts_of_more_than_a_week_ago",
            FRESH,
            "AWS was asked on 2026-11-13, 8 days ago",
            "ask AWS again, and write what it says",
        ),
        (
            "account_limits.an_answer_of_more_than_a_week_ago_that_was_kept",
            FRESH,
            ("asked on 2026-11-20, AWS did not answer what it last said on 2026-11-13, 8 days ago: quotas.L-417A185B"),
            (
                "have somebody ask who may (`muster preflight STACK --print-iam-policy`), or ask AWS again, and write "
                "what it says"
            ),
        ),
    ],
)


test_what_is_missing = all_missed(
    [
        (
            "account_limits.facts_that_aws_gave_of_it_does_not_say_whom",
            OF_ACCOUNT,
            "the account that the facts are of (`muster schema facts` shows the form)",
        ),
        (
            "account_limits.a_preflight_that_was_not_told_the_addresses",
            RESOURCES,
            "quota L-0263D0A3 (EC2-VPC Elastic IPs): 2 or more (`muster schema facts` shows the form)",
        ),
        (
            "account_limits.a_preflight_that_was_not_told_who_has_addresses",
            RESOURCES,
            (
                "how much of quota L-0263D0A3 (EC2-VPC Elastic IPs) others use: it allows 5, and 2 are wanted here "
                "(`muster schema facts` shows the form)"
            ),
        ),
        (
            "account_limits.vcpus_of_which_nobody_said_how_many_others_use",
            VCPUS,
            (
                "how much of quota L-417A185B others use: it allows 192, and 192 are wanted here (`muster schema "
                "facts` shows the form)"
            ),
        ),
        (
            "account_limits.a_preflight_that_was_not_told_what_other_clusters_have_of_a_type",
            OF_NODES,
            (
                "how much of quota 'ml.p5.48xlarge for cluster usage' others use: it allows 4, and 1 are wanted here "
                "(`muster schema facts` shows the form)"
            ),
        ),
        (
            "account_limits.an_identity_of_which_a_condition_decides",
            MAY,
            (
                "whether who asked may ec2:RunInstances and iam:PassRole: a policy's condition decides, or IAM did "
                "not answer (`muster schema facts` shows the form)"
            ),
        ),
        (
            "account_limits.a_preflight_that_was_not_told_the_rights",
            MAY,
            "what the identity that deploys may do (`muster schema facts` shows the form)",
        ),
    ],
)


def test_facts_of_a_stack_are_asked_for_by_the_command_that_asks() -> None:
    """Facts that a configuration names are another team's: no stack of that name is there to ask about."""
    fleet = replace(a_fleet(), facts_file="stacks/facts/p5.json")
    assert fleet.missing("quota X") == "quota X in stacks/facts/p5.json (`muster preflight p5 --save` asks AWS)"
    theirs = replace(fleet, facts_file="muster.yaml (muster.facts)")
    assert theirs.missing("quota X") == "quota X in muster.yaml (muster.facts) (`muster schema facts` shows the form)"


def test_whoever_asks_is_not_told_to_ask() -> None:
    """In the run that asks: what was not answered about what is missing, and why; without any, that nothing tells."""
    silences = (
        Silence("quota L-417A185B (Running On-Demand P instances) (denied)"),
        Silence("subnets (timed out)", "ec2 DescribeSubnets subnet-0123456789abcdef0"),
    )
    fleet = replace(a_fleet(), facts_file="stacks/facts/p5.json", silences=silences)
    quota, subnets = (each.words for each in silences)
    assert fleet.missing("quota L-417A185B: 192 vCPUs or more") == (
        f"quota L-417A185B: 192 vCPUs or more (AWS did not answer: {quota})"
    )
    assert fleet.missing("the zone of subnet-0123456789abcdef0") == (
        f"the zone of subnet-0123456789abcdef0 (AWS did not answer: {subnets})"
    )
    assert (
        fleet.missing("what may be done")
        == f"what may be done (AWS's answers do not say; not answered: {quota}, {subnets})"
    )
    assert replace(fleet, silences=()).missing("a chart") == (
        "a chart (AWS was asked for nothing that says; `muster schema facts` shows the form)"
    )


def test_what_is_to_be_filled_in_is_not_asked_for() -> None:
    """AWS knows no placeholder, whoever asks it."""
    fleet = replace(a_fleet(), facts_file="stacks/facts/p5.json")
    wanted = "the zones of subnets subnet-fill-me-in-a and subnet-fill-me-in-b"
    open_ = f"{wanted} (subnet-fill-me-in-a and subnet-fill-me-in-b are still to be filled in"
    assert fleet.missing(wanted) == f"{open_}; then `muster preflight p5 --save` asks AWS)"
    assert replace(fleet, silences=()).missing(wanted) == f"{open_})"
    assert fleet.missing("the image ami-fill-me-in") == (
        "the image ami-fill-me-in (ami-fill-me-in is still to be filled in; then `muster preflight p5 --save` asks AWS)"
    )
