"""The words of the rules about nodes, ports and pods that are open: what was found, what to do about it."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "control_plane.a_foreign_api_left_to_eks",
        "api-networks-stated",
        "the Kubernetes API is public, and nothing says from where: EKS opens it to every address",
        (
            "name the networks you deploy from (publicAccessCidrs), or make it private (endpointPublicAccess: "
            "false); to open it to all, say 0.0.0.0/0"
        ),
    ),
    (
        "security.a_hop_limit_of_two",
        "imds-out-of-pods",
        "a hop limit of 2: pods reach the node's credentials",
        "say httpPutResponseHopLimit: 1, and give such pods a role",
    ),
    (
        "security.no_hop_limit_at_all",
        "imds-out-of-pods",
        "says no hop limit: the image decides, and Amazon Linux 2023 says 2",
        "say httpPutResponseHopLimit: 1",
    ),
    (
        "security.a_template_that_says_nothing_of_the_metadata_service",
        "imds-v2-required",
        "says nothing of httpTokens",
        "say httpTokens: required under its metadataOptions",
    ),
    (
        "security.a_template_that_takes_imds_v1",
        "imds-v2-required",
        "takes IMDSv1, too (httpTokens optional)",
        "say httpTokens: required under its metadataOptions",
    ),
    (
        "network.a_public_address_on_the_only_interface",
        "nodes-without-public-address",
        "asks for a public address (associatePublicIpAddress: true)",
        "say associatePublicIpAddress: false, or leave it out",
    ),
    (
        "parallelcluster_shared.a_public_ip_on_one_interface",
        "nodes-without-public-address",
        "asks for a public address (AssignPublicIp: true)",
        "say AssignPublicIp: false, or leave it out",
    ),
    (
        "security.a_file_system_of_efs_of_which_nothing_is_said",
        "parallelcluster-storage-encrypted",
        "the shared storage shared is not encrypted",
        "say Encrypted: true; it cannot be said later",
    ),
    (
        "security.a_root_volume_in_the_clear",
        "parallelcluster-storage-encrypted",
        "its root volume is not encrypted",
        "say Encrypted: true; it cannot be said later",
    ),
    (
        "security.a_shared_volume_in_the_clear",
        "parallelcluster-storage-encrypted",
        "the shared storage apps is not encrypted",
        "say Encrypted: true; it cannot be said later",
    ),
    (
        "security.a_container_with_every_capability",
        "pods-not-privileged",
        "the container train of spec.template.spec is as good as privileged (capability SYS_ADMIN)",
        "remove it, and ask for devices under resources.limits",
    ),
    (
        "security.a_privileged_container",
        "pods-not-privileged",
        "the container train of spec.template.spec is privileged (securityContext.privileged)",
        "remove it, and ask for devices under resources.limits",
    ),
    (
        "security.a_privileged_init_container",
        "pods-not-privileged",
        "the container tune of spec.template.spec is privileged (securityContext.privileged)",
        "remove it, and ask for devices under resources.limits",
    ),
    (
        "security.a_pod_that_mounts_its_nodes_root",
        "pods-off-host-files",
        "spec.template.spec mounts / of its node (volume host)",
        "mount the folder that is needed alone, or an emptyDir, or a volume claim",
    ),
    (
        "security.a_pod_that_mounts_the_container_runtime",
        "pods-off-host-files",
        "spec.template.spec mounts /run/containerd/containerd.sock of its node (volume host)",
        "mount the folder that is needed alone, or an emptyDir, or a volume claim",
    ),
    (
        "security.a_pod_on_its_nodes_network",
        "pods-off-host-namespaces",
        "spec.template.spec asks for its node's own: hostNetwork and hostPID",
        "leave hostNetwork and hostPID out",
    ),
    (
        "security.secrets_under_a_key_of_aws",
        "secrets-under-own-key",
        "no key of the account encrypts Kubernetes' secrets",
        "add encryptionConfig with resources [secrets] and a KMS key; it cannot be taken away again",
    ),
    (
        "security.every_port_open_to_half_the_world",
        "security-group-not-open-to-all",
        "efa lets every TCP port in from everywhere (128.0.0.0/1)",
        "name the networks that people come from, as in 203.0.113.0/24, or remove the rule and use SSM",
    ),
    (
        "security.everything_open_to_the_world",
        "security-group-not-open-to-all",
        "efa lets everything in from everywhere (0.0.0.0/0)",
        "name the networks that people come from, as in 203.0.113.0/24, or remove the rule and use SSM",
    ),
    (
        "security.ssh_open_to_the_world",
        "security-group-not-open-to-all",
        "efa lets SSH (port 22) in from everywhere (0.0.0.0/0)",
        "name the networks that people come from, as in 203.0.113.0/24, or remove the rule and use SSM",
    ),
    (
        "security.ssh_open_to_the_world_by_ip_v6",
        "security-group-not-open-to-all",
        "efa lets SSH (port 22) in from everywhere (::/0)",
        "name the networks that people come from, as in 203.0.113.0/24, or remove the rule and use SSM",
    ),
    (
        "security.a_volume_in_the_clear",
        "volumes-encrypted",
        "has a volume of which it does not say that it is encrypted",
        "say encrypted: true under ebs, of each of its volumes",
    ),
    (
        "security.a_device_plugin_that_mounts_its_nodes_root",
        "pods-off-host-files",
        "spec.template.spec mounts / of its node (volume root)",
        "mount the folder that is needed alone, or an emptyDir, or a volume claim",
    ),
    (
        "security.a_pod_that_mounts_its_nodes_etc_by_a_detour",
        "pods-off-host-files",
        "spec.template.spec mounts /etc of its node (volume host)",
        "mount the folder that is needed alone, or an emptyDir, or a volume claim",
    ),
    (
        "security.ssh_opened_to_the_world_in_a_group_that_exists",
        "security-group-not-open-to-all",
        "ssh lets SSH (port 22) in from everywhere (0.0.0.0/0)",
        "name the networks that people come from, as in 203.0.113.0/24, or remove the rule and use SSM",
    ),
    (
        "security.no_volumes_described_where_the_account_does_not",
        "volumes-encrypted",
        "does not describe the root volume, and the account does not encrypt volumes by default",
        "describe the root volume with encrypted: true",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSED = [
    (
        "security.an_api_not_yet_known_to_be_public",
        "api-networks-stated",
        "whether the API is public, not known before creation",
    ),
    (
        "security.a_hop_limit_not_yet_known",
        "imds-out-of-pods",
        "metadataOptions.httpPutResponseHopLimit, not known before creation",
    ),
    (
        "security.tokens_not_yet_known",
        "imds-v2-required",
        "metadataOptions.httpTokens, not known before creation",
    ),
    (
        "security.a_public_address_not_yet_known",
        "nodes-without-public-address",
        "associatePublicIpAddress, not known before creation",
    ),
    (
        "security.a_file_system_of_efs_not_yet_known_to_be_encrypted",
        "parallelcluster-storage-encrypted",
        "whether the shared storage shared is encrypted, not known before creation",
    ),
    (
        "security.a_pod_that_mounts_what_is_not_yet_known",
        "pods-off-host-files",
        "what spec.template.spec mounts of its node (volume host), not known before creation",
    ),
    (
        "security.a_pod_with_a_volume_not_yet_known",
        "pods-off-host-files",
        "the volumes of spec.template.spec, not known before creation",
    ),
    (
        "security.a_container_not_yet_known_to_be_privileged",
        "pods-not-privileged",
        "whether train of spec.template.spec is privileged",
    ),
    (
        "security.a_pod_not_yet_known_to_be_on_its_nodes_network",
        "pods-off-host-namespaces",
        "what spec.template.spec shares with its node, not known before creation",
    ),
    (
        "security.a_key_not_yet_known",
        "secrets-under-own-key",
        "encryptionConfig, not known before creation",
    ),
    (
        "security.ssh_open_to_a_prefix_list",
        "security-group-not-open-to-all",
        (
            "from where efa lets port 22 in, or to whom: a rule of it is not known before creation, or names a "
            "prefix list"
        ),
    ),
    (
        "security.no_volumes_described",
        "volumes-encrypted",
        (
            "whether the account encrypts volumes by default (the template does not describe the root volume) "
            "(`muster schema facts` shows the form)"
        ),
    ),
    (
        "security.volumes_not_yet_known",
        "volumes-encrypted",
        "whether its volumes are encrypted, not known before creation",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_what_is_missing = all_missed(MISSED)
