"""Credentials in outputs and in the clear."""

from muster.fleet.resources import Script
from tests.policies.case import cases
from tests.slurms import a_head, a_slurm_fleet

# credentials-not-exported

CONFIG = {"apiVersion": "v1", "clusters": [], "users": [{"name": "ml", "user": {"exec": {}}}]}


# credentials-not-in-the-clear

CLEAR = "credentials-not-in-the-clear"
KEYS = "export AWS_SECRET_ACCESS_KEY=" + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"


cases(
    a_token_as_a_scripts_argument=lambda: a_slurm_fleet(
        a_head(scripts=(Script("s3://scripts/setup.sh", ("--token", "ghp_" + "a" * 36)),))
    ),
)
