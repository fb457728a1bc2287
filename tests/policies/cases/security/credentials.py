"""Credentials in outputs and in the clear."""

import json
from base64 import b64encode

from muster.fleet.resources import Fleet, Script
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, a_template
from tests.policies.case import case, cases
from tests.policies.security import output, pods
from tests.slurms import a_head, a_slurm_fleet

# credentials-not-exported

CONFIG = {"apiVersion": "v1", "clusters": [], "users": [{"name": "ml", "user": {"exec": {}}}]}


@case
def a_kubeconfig_in_plain_text() -> Fleet:
    return a_fleet(output("kubeconfig", json.dumps(CONFIG)))


cases(
    a_kubeconfig_by_another_name=lambda: a_fleet(output("access", CONFIG)),
)


@case
def a_kubeconfig_as_yaml() -> Fleet:
    return a_fleet(output("access", "apiVersion: v1\nclusters:\n- name: ml\nusers:\n- name: ml\n"))


@case
def a_kubeconfig_with_a_token() -> Fleet:
    return a_fleet(output("kubeconfig", {**CONFIG, "users": [{"name": "ml", "user": {"token": "k8s"}}]}))


cases(
    a_kubeconfig_of_which_a_part_is_not_yet_known=lambda: a_fleet(
        output("kubeconfig", {**CONFIG, "clusters": [{"name": "ml", "cluster": {"server": UNKNOWN}}]})
    ),
)


@case
def a_password_by_its_name() -> Fleet:
    return a_fleet(output("db-password", "correct horse"))


@case
def a_kubeconfig_not_yet_known() -> Fleet:
    return a_fleet(output("kubeConfig", UNKNOWN))


cases(
    a_token_not_yet_known=lambda: a_fleet(output("registryToken", UNKNOWN)),
    a_key_of_aws_in_an_output=lambda: a_fleet(
        output("uploader", {"key": "AKIA" + "ABCDEFGHIJKLMNOP", "bucket": "data"})
    ),
)


@case
def outputs_that_are_secret_or_let_nobody_in() -> Fleet:
    plain_ones = {
        "vpcId": "vpc-0123",
        "kubeconfigPath": None,
        "passwordSecretArn": "arn:aws:secretsmanager:...",
        "tokens": 3,
        "wandb-token": "arn:aws:secretsmanager:us-west-2:111122223333:secret:wandb",
        "db-password": "/training/db/password",
    }
    shown = [output(name, value) for name, value in plain_ones.items()]
    return a_fleet(output("kubeconfig", CONFIG, secret=True), *shown)


cases(
    an_output_not_yet_known=lambda: a_fleet(output("endpoint", UNKNOWN)),
)


# credentials-not-in-the-clear

CLEAR = "credentials-not-in-the-clear"
KEYS = "export AWS_SECRET_ACCESS_KEY=" + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"


cases(
    keys_in_user_data=lambda: a_fleet(a_template(user_data=b64encode(f"#!/bin/bash\n{KEYS}\n".encode()).decode())),
    keys_in_user_data_that_is_no_base64=lambda: a_fleet(a_template(user_data=f"#!/bin/bash\n{KEYS}\n")),
    a_token_as_a_scripts_argument=lambda: a_slurm_fleet(
        a_head(scripts=(Script("s3://scripts/setup.sh", ("--token", "ghp_" + "a" * 36)),))
    ),
    a_token_in_a_pods_environment=lambda: a_fleet(
        pods(container={"env": [{"name": "HF_TOKEN", "value": "hf_" + "b" * 34}]})
    ),
    a_trackers_key_told_by_its_name=lambda: a_fleet(
        pods(container={"env": [{"name": "WANDB_API_KEY", "value": "c" * 40}]})
    ),
    a_token_from_a_secret=lambda: a_fleet(
        pods(container={"env": [{"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"name": "hub", "key": "token"}}}]})
    ),
)
