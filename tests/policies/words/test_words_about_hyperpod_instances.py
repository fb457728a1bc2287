"""The words of the rules about HyperPod's instances: their volumes, interfaces, labels and taints."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "hyperpod_groups.marks_below_prefixes_of_kubernetes",
        "hyperpod-labels-not-reserved",
        "workers sets the label node-role.kubernetes.io/ml; its prefix belongs to Kubernetes",
        "leave it to Kubernetes, or take a prefix of your own, as in example.com/ml",
    ),
    (
        "hyperpod_groups.marks_below_prefixes_of_kubernetes",
        "hyperpod-labels-not-reserved",
        "workers sets the taint node.kubernetes.io/not-ready; its prefix belongs to Kubernetes",
        "leave it to Kubernetes, or take a prefix of your own, as in example.com/not-ready",
    ),
    (
        "hyperpod_groups.marks_below_prefixes_of_kubernetes",
        "hyperpod-labels-not-reserved",
        "workers sets the label node.kubernetes.io/instance-type; its prefix belongs to Kubernetes",
        "leave it to Kubernetes, or take a prefix of your own, as in example.com/instance-type",
    ),
    (
        "hyperpod_groups.a_root_volumes_key_where_groups_come_whole",
        "hyperpod-key-usable",
        "the root volume of workers has a KMS key of its own, and the cluster is not provisioned continuously",
        "set provisioning: continuous (nodeProvisioningMode), or leave the key out",
    ),
    (
        "hyperpod_groups.a_volumes_key_where_groups_come_whole",
        "hyperpod-key-usable",
        "a volume of workers has a KMS key of its own, and the cluster is not provisioned continuously",
        "set provisioning: continuous (nodeProvisioningMode), or leave the key out",
    ),
    (
        "hyperpod_groups.a_key_of_another_region",
        "hyperpod-key-usable",
        "a volume of workers has a KMS key of us-east-1; its instances are in us-west-2",
        "name a key of us-west-2",
    ),
    (
        "hyperpod_groups.efa_only_without_efa",
        "hyperpod-interface-fits",
        "workers asks for efa-only interfaces on ml.m5.2xlarge, which has no EFA",
        "leave the kind of interface out of this group",
    ),
    (
        "hyperpod_groups.interfaces_of_no_kind",
        "hyperpod-interface-fits",
        "workers asks for interfaces of the kind 'ena'",
        "write efa or efa-only, or leave it out",
    ),
    (
        "hyperpod_groups.a_volume_larger_than_there_are",
        "hyperpod-volumes-legal",
        "a volume of workers has a size of 20000 GB; the API takes 1 to 16384 GB",
        "write 1 to 16384",
    ),
    (
        "hyperpod_groups.a_volume_without_a_size",
        "hyperpod-volumes-legal",
        "a volume of workers has no size; the API takes 1 to 16384 GB",
        "write 1 to 16384",
    ),
    (
        "hyperpod_groups.a_root_volume_with_a_size",
        "hyperpod-volumes-legal",
        "workers says a size of its root volume (100 GB); HyperPod decides that",
        "leave the size out, and say it of another volume",
    ),
    (
        "hyperpod_groups.a_root_volume_without_a_key",
        "hyperpod-volumes-legal",
        "workers has a configuration of its root volume without a KMS key",
        "name the key, or leave the configuration out",
    ),
    (
        "hyperpod_groups.five_storage_configurations",
        "hyperpod-volumes-legal",
        "workers has 5 storage configurations; the API takes 4",
        "keep 4 at most",
    ),
    (
        "hyperpod_groups.fifty_one_labels",
        "hyperpod-labels-legal",
        "workers has 51 labels; the API takes 50",
        "keep 50 at most",
    ),
    (
        "hyperpod_groups.a_label_without_a_value",
        "hyperpod-labels-legal",
        "the label 'team' of workers has no value",
        "write letters, digits, dashes, dots and underscores, a letter or digit at either end",
    ),
    (
        "hyperpod_groups.a_label_with_a_long_value",
        "hyperpod-labels-legal",
        (
            "the label 'team' of workers has a value "
            "('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') that Kubernetes does not "
            "take"
        ),
        "write letters, digits, dashes, dots and underscores, a letter or digit at either end",
    ),
    (
        "hyperpod_groups.a_taint_with_a_bad_key",
        "hyperpod-labels-legal",
        "the taint 'Bad Key' of workers has a key that Kubernetes does not take",
        "write letters, digits, dashes, dots and underscores, a letter or digit at either end",
    ),
    (
        "hyperpod_groups.a_taint_with_a_bad_effect",
        "hyperpod-labels-legal",
        "the taint 'dedicated' of workers has the effect 'NO_SCHEDULE'",
        "write NoSchedule, PreferNoSchedule or NoExecute",
    ),
    (
        "hyperpod_groups.hyperpods_own_label",
        "hyperpod-labels-not-reserved",
        "workers sets the label sagemaker.amazonaws.com/node-health-status; its prefix belongs to HyperPod",
        "leave it to HyperPod, or take a prefix of your own, as in example.com/node-health-status",
    ),
    (
        "hyperpod_groups.a_label_of_kubernetes_and_a_taint_of_eks",
        "hyperpod-labels-not-reserved",
        "workers sets the label kubernetes.io/role; its prefix belongs to Kubernetes",
        "leave it to Kubernetes, or take a prefix of your own, as in example.com/role",
    ),
    (
        "hyperpod_groups.a_label_of_kubernetes_and_a_taint_of_eks",
        "hyperpod-labels-not-reserved",
        "workers sets the taint eks.amazonaws.com/ml; its prefix belongs to EKS",
        "leave it to EKS, or take a prefix of your own, as in example.com/ml",
    ),
    (
        "hyperpod_groups.huge_pages_that_no_script_sets_aside",
        "hyperpod-huge-pages-set-aside",
        "workers has lifecycle: none, so nothing sets its 10256MiB of huge pages aside",
        "write lifecycle: default, or leave huge-pages out",
    ),
    (
        "hyperpod_groups.huge_pages_that_their_script_may_set_aside",
        "hyperpod-huge-pages-set-aside",
        "no script of Muster's sets the 10256MiB of huge pages of workers aside: it runs your own",
        "have them set vm.nr_hugepages to 5128, or leave huge-pages out",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "hyperpod_groups.volumes_not_yet_known",
        "hyperpod-volumes-legal",
        "the volumes of workers, not known before creation",
    ),
    (
        "hyperpod_groups.a_volumes_size_not_yet_known",
        "hyperpod-volumes-legal",
        "a volume of workers, not known before creation",
    ),
    (
        "hyperpod_groups.labels_not_yet_known",
        "hyperpod-labels-legal",
        "the labels and taints of workers, not known before creation",
    ),
    (
        "hyperpod_groups.labels_not_yet_known",
        "hyperpod-labels-not-reserved",
        "the labels and taints of workers, not known before creation",
    ),
    (
        "hyperpod_groups.a_key_under_provisioning_not_yet_known",
        "hyperpod-key-usable",
        "the provisioning mode of ml-cluster, not known before creation",
    ),
    (
        "hyperpod_groups.volumes_not_yet_known",
        "hyperpod-key-usable",
        "the volumes of workers, not known before creation",
    ),
    (
        "hyperpod_groups.interfaces_not_yet_known",
        "hyperpod-interface-fits",
        "the interfaces of workers, not known before creation",
    ),
    (
        "hyperpod_groups.efa_only_of_a_type_nobody_catalogued",
        "hyperpod-interface-fits",
        "the hardware of ml.p5.4xlarge, which is not catalogued",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
