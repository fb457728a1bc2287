"""Labels and taints."""

from tests.factories.hyperpod_fleets import a_hyperpod_fleet, an_instance_group
from tests.policies.case import cases

cases(
    hyperpods_own_label=lambda: a_hyperpod_fleet(
        an_instance_group(labels=frozenset({("sagemaker.amazonaws.com/node-health-status", "Schedulable")}))
    ),
)
