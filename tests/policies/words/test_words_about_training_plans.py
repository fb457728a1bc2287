"""The words of the rules about training plans: what was found, what to do about this very thing."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "training_plans.a_plan_of_another_type",
        "training-plan-type",
        "workers asks for ml.p5.48xlarge, and its training plan holds ml.p5e.48xlarge",
        "take ml.p5e.48xlarge, or another plan",
    ),
    (
        "training_plans.a_type_that_no_plan_holds",
        "training-plan-type",
        "workers asks for ml.g5.48xlarge on a training plan, and no plan holds that",
        "take ml.p5.48xlarge, or no plan",
    ),
    (
        "training_plans.a_plan_whose_instances_others_have",
        "training-plan-covers-nodes",
        (
            "workers asks for 1 instance, and of training plan spring 0 are free (SageMaker says so; what this stack's "
            "cluster has of it counts as free)"
        ),
        "ask for 0 until others leave it, or put others into a group without the plan",
    ),
    (
        "training_plans.a_plan_that_begins_later",
        "training-plan-usable",
        "training plan spring has not begun (Scheduled; it begins on 2026-12-01), and workers asks for instances now",
        "ask for 0 instances (nodes: 0) until it is Active",
    ),
    (
        "training_plans.a_plan_in_another_zone_than_declared",
        "training-plan-zone",
        "training plan spring is declared in us-west-2a; SageMaker says us-west-2b",
        "write zone: us-west-2b",
    ),
    (
        "training_plans.a_plan_of_another_region",
        "training-plan-zone",
        "training plan spring is in us-east-1, the stack in us-west-2",
        "name a plan in us-west-2, or set aws:region: us-east-1",
    ),
    (
        "training_plans.a_plan_in_another_zone_than_declared_where_there_is_no_subnet",
        "training-plan-zone",
        "training plan spring is declared in us-west-2c; SageMaker says us-west-2a",
        "write zone: us-west-2a",
    ),
    (
        "training_plans.a_plan_in_another_zone_than_declared_and_than_the_group",
        "training-plan-zone",
        "training plan spring is declared in us-west-2a; SageMaker says us-west-2c",
        "write zone: us-west-2c",
    ),
    (
        "training_plans.a_plan_in_another_zone_than_declared_and_than_the_group",
        "training-plan-zone",
        "workers is in us-west-2b, and its training plan in us-west-2c",
        "give it only a subnet of us-west-2c",
    ),
    (
        "training_plans.a_plan_where_there_is_no_subnet",
        "group-has-subnet",
        (
            "the network lists no subnet of the group's kind in us-west-2c (subnets there are in us-west-2a and "
            "us-west-2b)"
        ),
        (
            "list its subnet in us-west-2c in the network, or name another zone "
            "(capacity.training-plan.zone says this one)"
        ),
    ),
    (
        "training_plans.a_plan_in_another_zone_than_the_group",
        "training-plan-zone",
        "workers is in us-west-2b, and its training plan in us-west-2a",
        "give it only a subnet of us-west-2a",
    ),
    (
        "training_plans.a_plan_and_a_group_in_two_zones",
        "training-plan-zone",
        "workers is in us-west-2a and us-west-2b, and its training plan in us-west-2a",
        "give it only a subnet of us-west-2a",
    ),
    (
        "training_plans.a_plan_of_another_count_than_declared",
        "training-plan-covers-nodes",
        "training plan spring is declared with 1 instance; SageMaker says 2",
        "write count: 2",
    ),
    (
        "training_plans.more_than_the_plan_holds",
        "training-plan-covers-nodes",
        "workers asks for 2 instances, and training plan spring holds 1",
        "ask for 1, or put others into a group without the plan",
    ),
    (
        "training_plans.two_groups_on_a_plan_of_one",
        "training-plan-covers-nodes",
        "more and workers ask for 2 instances, and training plan spring holds 1",
        "ask for 1, or put others into a group without the plan",
    ),
    (
        "training_plans.a_plan_for_training_jobs",
        "training-plan-usable",
        "training plan spring is for training-job",
        "take a plan whose target is hyperpod-cluster",
    ),
    (
        "training_plans.a_plan_that_ended",
        "training-plan-usable",
        "training plan spring ended on 2026-11-20",
        "take a plan that runs, or another kind of capacity",
    ),
    (
        "training_plans.a_plan_that_failed",
        "training-plan-usable",
        "training plan spring is Failed",
        "take a plan that runs, or another kind of capacity",
    ),
    (
        "training_plans.a_plan_that_has_not_begun",
        "training-plan-usable",
        "training plan spring has not begun (Scheduled), and workers asks for instances now",
        "ask for 0 instances (nodes: 0) until it is Active",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "training_plans.a_plan_of_which_nobody_was_asked",
        "training-plan-covers-nodes",
        "the instances of training plan spring (`muster schema facts` shows the form)",
    ),
    (
        "training_plans.a_plan_of_which_nobody_was_asked",
        "training-plan-zone",
        "the zone of training plan spring (`muster schema facts` shows the form)",
    ),
    (
        "training_plans.a_plan_by_its_name_alone",
        "training-plan-covers-nodes",
        "the instances of training plan spring (`muster schema facts` shows the form)",
    ),
    (
        "training_plans.a_plan_by_its_name_alone",
        "training-plan-usable",
        "the state of training plan spring (`muster schema facts` shows the form)",
    ),
    (
        "training_plans.a_plan_by_its_name_alone",
        "training-plan-usable",
        "the target of training plan spring (`muster schema facts` shows the form)",
    ),
    (
        "training_plans.a_plan_by_its_name_alone",
        "training-plan-zone",
        "the zone of training plan spring (`muster schema facts` shows the form)",
    ),
    (
        "training_plans.a_plan_not_yet_known",
        "training-plan-covers-nodes",
        "the training plan of workers, not known before creation",
    ),
    (
        "training_plans.a_plan_not_yet_known",
        "training-plan-usable",
        "the training plan of workers, not known before creation",
    ),
    (
        "training_plans.a_plan_not_yet_known",
        "training-plan-zone",
        "the training plan, not known before creation",
    ),
    (
        "training_plans.a_type_on_a_plan_not_yet_known",
        "training-plan-type",
        "the instance type of workers, not known before creation",
    ),
    (
        "training_plans.a_plan_and_subnets_not_yet_known",
        "training-plan-zone",
        "the subnets of workers, not known before creation",
    ),
    (
        "training_plans.a_plan_and_subnets_nobody_knows",
        "hyperpod-private-subnets",
        "whether subnet-0eeeeeeeeeeeeeeee gives public IP addresses (`muster schema facts` shows the form)",
    ),
    (
        "training_plans.a_plan_and_subnets_nobody_knows",
        "training-plan-zone",
        "the zones of subnets subnet-0eeeeeeeeeeeeeeee (`muster schema facts` shows the form)",
    ),
    (
        "training_plans.a_count_on_a_plan_not_yet_known",
        "training-plan-covers-nodes",
        "the numbers of instances of workers, not known before creation",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
