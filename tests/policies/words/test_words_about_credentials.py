"""The words of the rules about rights, credentials and buckets: what was found, what to do about this very thing."""

import pytest

from tests.factories import a_fleet, a_template
from tests.policies.case import got_by
from tests.policies.cases.security.credentials import CLEAR, KEYS
from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "security.a_bucket_with_a_policy_for_all",
        "buckets-private",
        "the policy of the bucket data allows everybody something",
        "name accounts and roles as its Principal, or say in a Condition who asks or from where",
    ),
    (
        "security.a_bucket_with_a_public_list",
        "buckets-private",
        "the bucket data has the access list public-read",
        "leave the access list out, and name who reads it in a policy",
    ),
    (
        "security.a_bucket_without_its_block",
        "buckets-private",
        "the bucket data does not block all public access",
        "set blockPublicAcls, blockPublicPolicy, ignorePublicAcls and restrictPublicBuckets to true",
    ),
    (
        "security.an_accounts_root_is_administrator",
        "cluster-admin-named",
        "arn:aws:iam::111122223333:root would be administrator of the cluster (AmazonEKSClusterAdminPolicy)",
        "name the role or the group that administers it, and nobody else",
    ),
    (
        "security.everybody_who_is_logged_in_is_administrator",
        "cluster-admin-named",
        "system:authenticated would be administrator of the cluster (cluster-admin)",
        "name the role or the group that administers it, and nobody else",
    ),
    (
        "security.a_key_of_aws_in_an_output",
        "credentials-not-exported",
        "output uploader: exports an AWS access key in plain text",
        'export it as a secret: pulumi.export("uploader", pulumi.Output.secret(...))',
    ),
    (
        "security.a_kubeconfig_by_another_name",
        "credentials-not-exported",
        (
            "output access: exports a kubeconfig in plain text: it lets nobody in by itself, and tells where the "
            "cluster is"
        ),
        'export it as a secret: pulumi.export("access", pulumi.Output.secret(...))',
    ),
    (
        "security.a_kubeconfig_of_which_a_part_is_not_yet_known",
        "credentials-not-exported",
        "output kubeconfig: exports a kubeconfig in plain text",
        'export it as a secret: pulumi.export("kubeconfig", pulumi.Output.secret(...))',
    ),
    (
        "security.a_kubeconfig_in_plain_text",
        "credentials-not-exported",
        (
            "output kubeconfig: exports a kubeconfig in plain text: it lets nobody in by itself, and tells where the "
            "cluster is"
        ),
        'export it as a secret: pulumi.export("kubeconfig", pulumi.Output.secret(...))',
    ),
    (
        "security.a_kubeconfig_not_yet_known",
        "credentials-not-exported",
        "output kubeConfig: exports a kubeconfig in plain text",
        'export it as a secret: pulumi.export("kubeConfig", pulumi.Output.secret(...))',
    ),
    (
        "security.a_kubeconfig_with_a_token",
        "credentials-not-exported",
        "output kubeconfig: exports a kubeconfig in plain text",
        'export it as a secret: pulumi.export("kubeconfig", pulumi.Output.secret(...))',
    ),
    (
        "security.a_password_by_its_name",
        "credentials-not-exported",
        "output db-password: exports a credential, by its name, in plain text",
        'export it as a secret: pulumi.export("db-password", pulumi.Output.secret(...))',
    ),
    (
        "security.all_pods_of_a_namespace_are_administrators",
        "cluster-admin-named",
        (
            "system:serviceaccount:ml:default and system:serviceaccounts:ml would be administrator of the cluster "
            "(cluster-admin)"
        ),
        "name the role or the group that administers it, and nobody else",
    ),
    (
        "security.a_token_as_a_scripts_argument",
        "credentials-not-in-the-clear",
        "a token of GitHub in the arguments of s3://scripts/setup.sh",
        (
            "withdraw it, as others may have read it, and read the next one from Secrets Manager or a Secret; for "
            "AWS itself give a role"
        ),
    ),
    (
        "security.a_token_in_a_pods_environment",
        "credentials-not-in-the-clear",
        "a token of Hugging Face in spec.template.spec.containers, train",
        (
            "withdraw it, as others may have read it, and read the next one from Secrets Manager or a Secret; for "
            "AWS itself give a role"
        ),
    ),
    (
        "security.a_trackers_key_told_by_its_name",
        "credentials-not-in-the-clear",
        "a token of Weights & Biases in spec.template.spec.containers, train",
        (
            "withdraw it, as others may have read it, and read the next one from Secrets Manager or a Secret; for "
            "AWS itself give a role"
        ),
    ),
    (
        "security.keys_in_user_data",
        "credentials-not-in-the-clear",
        "an AWS secret key in user data",
        (
            "withdraw it, as others may have read it, and read the next one from Secrets Manager or a Secret; for "
            "AWS itself give a role"
        ),
    ),
    (
        "security.nodes_allowed_everything_by_a_policy_of_their_own",
        "node-role-narrow",
        "a policy of its own allows nodes * on every resource",
        "name the actions and resources that nodes need",
    ),
    (
        "security.nodes_allowed_all_of_iam_in_capitals_beside_what_is_not_yet_known",
        "node-role-narrow",
        "a policy of its own allows nodes IAM:* on every resource",
        "name the actions and resources that nodes need",
    ),
    (
        "security.nodes_allowed_all_of_s3_by_a_policy_of_their_own",
        "node-role-narrow",
        "a policy of its own allows nodes s3:* on every resource",
        "name the actions and resources that nodes need",
    ),
    (
        "security.nodes_that_administer_the_account_and_have_a_policy_not_yet_known",
        "node-role-narrow",
        "nodes have AdministratorAccess",
        "attach a policy with the actions and resources that nodes need",
    ),
    (
        "security.nodes_that_administer_the_account",
        "node-role-narrow",
        "nodes have AdministratorAccess",
        "attach a policy with the actions and resources that nodes need",
    ),
    (
        "security.nodes_with_all_of_s3",
        "node-role-narrow",
        "nodes have AmazonS3FullAccess",
        "attach a policy with the actions and resources that nodes need",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSED = [
    (
        "security.a_bucket_of_which_nothing_is_known_yet",
        "buckets-private",
        "the access list of data, not known before creation",
    ),
    (
        "security.a_bucket_of_which_nothing_is_known_yet",
        "buckets-private",
        "the public access block of data, not known before creation",
    ),
    (
        "security.a_bucket_of_which_nothing_is_known_yet",
        "buckets-private",
        "the policy of data, not known before creation",
    ),
    (
        "security.administrators_not_yet_known",
        "cluster-admin-named",
        "who is made administrator of the cluster, not known before creation",
    ),
    (
        "security.rights_of_everybody_not_yet_known",
        "cluster-admin-named",
        "the rights of system:unauthenticated, not known before creation",
    ),
    (
        "security.an_output_not_yet_known",
        "credentials-not-exported",
        "output endpoint: its value, not known before creation",
    ),
    (
        "security.a_role_of_which_nothing_is_known_yet",
        "node-role-narrow",
        "a policy of its role, not known before creation",
    ),
    (
        "security.a_role_of_which_nothing_is_known_yet",
        "node-role-narrow",
        "the managed policies of its role, not known before creation",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_what_is_missing = all_missed(MISSED)


@pytest.mark.parametrize("more", range(4))
def test_user_data_that_is_no_base64_is_read_as_it_stands(more: int) -> None:
    """However long it is: base64 comes in fours, and a lenient decoder takes every fourth text for some."""
    fleet = a_fleet(a_template(user_data=f"#!/bin/bash\n{KEYS}\n# {'a' * more}\n"))
    assert len(got_by(CLEAR, fleet)) == 1
