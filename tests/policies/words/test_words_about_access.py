"""The words of the rules about access entries: what was found, what to do about this very thing."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "access.a_self_managed_group_where_entries_are_off",
        "access-entries-taken",
        "theirs takes no access entries (authentication: config-map), by which self-managed nodes join",
        (
            "switch it: `aws eks update-cluster-config --name theirs --region us-west-2 --access-config "
            "authenticationMode=API_AND_CONFIG_MAP` (takes minutes, has no way back; what aws-auth lists "
            "stays in), then say authentication: api-and-config-map; or make the group managed: EKS lists "
            "its role in aws-auth. For nodes that are not Muster's: `kubectl describe configmap -n "
            "kube-system aws-auth` shows who is let in, and `kubectl edit configmap -n kube-system "
            "aws-auth` adds under mapRoles: `- {rolearn: arn:aws:iam::ACCOUNT:role/NODE-ROLE, username: "
            "'system:node:{{EC2PrivateDNSName}}', groups: ['system:bootstrappers', 'system:nodes']}`"
        ),
    ),
    (
        "access.a_managed_group_where_entries_are_off",
        "aws-auth-kept",
        "EKS will list the roles of workers in aws-auth of theirs, where another owner may take them out again",
        (
            "ask who writes aws-auth, or run `aws eks update-cluster-config --name theirs --access-config "
            "authenticationMode=API_AND_CONFIG_MAP`"
        ),
    ),
    (
        "access.people_let_in_where_entries_are_off",
        "access-entries-taken",
        "theirs takes no access entries (authentication: config-map), and 2 principals would get one",
        (
            "switch it: `aws eks update-cluster-config --name theirs --region us-west-2 --access-config "
            "authenticationMode=API_AND_CONFIG_MAP` (takes minutes, has no way back; what aws-auth lists "
            "stays in), then say authentication: api-and-config-map; or remove it and list them in "
            "aws-auth (`kubectl edit configmap -n kube-system aws-auth`)"
        ),
    ),
    (
        "access.efa_attached_to_an_instance_that_runs",
        "efa-not-attached-later",
        "an efa interface is attached to an instance that runs",
        "remove the attachment and name the interface in the launch template's networkInterfaces",
    ),
    (
        "access.efa_only_attached_to_an_instance_that_runs",
        "efa-not-attached-later",
        "an efa-only interface is attached to an instance that runs",
        "remove the attachment and name the interface in the launch template's networkInterfaces",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "access.an_interface_of_a_type_not_yet_known_attached",
        "efa-not-attached-later",
        "the type of the network interface it attaches",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
