"""The words of the rules about node groups: what was found, what to do about this very thing."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "node_groups.an_image_beside_ami_type_and_versions",
        "custom-image-alone",
        (
            "amiType AL2023_x86_64_NVIDIA, releaseVersion and version beside image ami-0123456789abcdef0 in the "
            "launch template"
        ),
        "remove amiType AL2023_x86_64_NVIDIA, releaseVersion and version, or imageId from the template",
    ),
    (
        "node_groups.an_image_not_yet_known_beside_a_version",
        "custom-image-alone",
        "version beside an image of its own in the launch template",
        "remove version, or imageId from the template",
    ),
    (
        "node_groups.custom_without_an_image",
        "custom-image-alone",
        "amiType CUSTOM, and no image in the launch template",
        "name the image in the template (imageId), or the amiType it should have",
    ),
    (
        "node_groups.a_disk_size_beside_a_template",
        "disk-and-access-in-template",
        "diskSize beside a launch template",
        "remove diskSize and use the template's blockDeviceMappings",
    ),
    (
        "node_groups.remote_access_beside_a_template_not_yet_known",
        "disk-and-access-in-template",
        "remoteAccess beside a launch template",
        "remove remoteAccess and use the template's keyName and security groups",
    ),
    (
        "node_groups.remote_access_beside_a_template_not_yet_known",
        "disk-and-access-in-template",
        "diskSize beside a launch template",
        "remove diskSize and use the template's blockDeviceMappings",
    ),
    (
        "node_groups.no_instance_type_anywhere",
        "instance-type-stated",
        "neither the group nor its launch template says an instance type",
        "say it in the launch template; EKS would take t3.medium",
    ),
    (
        "node_groups.the_instance_type_in_both_places",
        "instance-type-stated-once",
        "instanceTypes p5.48xlarge beside p5.48xlarge in the template",
        "remove instanceTypes from the group, or instanceType from the template",
    ),
    ("node_groups.twenty_one_instance_types", "instance-types-at-most-twenty", "21 instance types", "remove 1 of them"),
    (
        "node_groups.a_spot_market",
        "managed-template-settings",
        "sets instanceMarketOptions.marketType spot",
        "remove instanceMarketOptions.marketType spot from it: say capacityType SPOT in the group",
    ),
    (
        "interfaces.an_instance_type_that_is_not_catalogued",
        "instance-type-catalogued",
        "p9.48xlarge is not catalogued",
        "check the name (`muster hardware` lists the types), or add its row to the catalogue",
    ),
    (
        "node_groups.everything_that_a_managed_groups_template_leaves_out",
        "managed-template-settings",
        "sets hibernationOptions",
        "remove hibernationOptions from it: EKS nodes do not hibernate",
    ),
    (
        "node_groups.everything_that_a_managed_groups_template_leaves_out",
        "managed-template-settings",
        "sets iamInstanceProfile",
        "remove iamInstanceProfile from it: name the role in the group's nodeRoleArn",
    ),
    (
        "node_groups.everything_that_a_managed_groups_template_leaves_out",
        "managed-template-settings",
        "sets instanceInitiatedShutdownBehavior",
        "remove instanceInitiatedShutdownBehavior from it: the Auto Scaling group terminates its nodes",
    ),
    (
        "node_groups.everything_that_a_managed_groups_template_leaves_out",
        "managed-template-settings",
        "sets instanceMarketOptions.spotOptions",
        "remove instanceMarketOptions.spotOptions from it: say capacityType SPOT in the group",
    ),
    (
        "node_groups.everything_that_a_managed_groups_template_leaves_out",
        "managed-template-settings",
        "sets networkInterfaces.subnetId",
        "remove networkInterfaces.subnetId from it: name the subnets in the group's subnetIds",
    ),
    (
        "node_groups.a_group_of_its_own_at_the_top",
        "node-template-reaches-control-plane",
        "the security groups of the template (own) are not the cluster's and do not reach it",
        "add the cluster's security group (vpcConfig.clusterSecurityGroupId) to those of the template",
    ),
    (
        "node_groups.no_group_on_the_primary_interface_and_some_on_others",
        "node-template-reaches-control-plane",
        "the security groups at card 0 / device 0 (none) are not the cluster's and do not reach it",
        "add the cluster's security group (vpcConfig.clusterSecurityGroupId) to those at card 0 / device 0",
    ),
    (
        "node_groups.only_the_efa_group_on_the_primary_interface",
        "node-template-reaches-control-plane",
        "the security groups at card 0 / device 0 (efa) are not the cluster's and do not reach it",
        "add the cluster's security group (vpcConfig.clusterSecurityGroupId) to those at card 0 / device 0",
    ),
    ("node_groups.a_maximum_of_zero", "nodes-in-order", "min 0, start 0, max 0", "make max at least 1"),
    ("node_groups.a_minimum_above_the_maximum", "nodes-in-order", "min 3, start 2, max 1", "make min at most max"),
    ("node_groups.a_start_above_the_maximum", "nodes-in-order", "min 1, start 2, max 1", "make start 1"),
    (
        "node_groups.a_start_below_the_minimum",
        "nodes-in-order",
        "min 2, start 1, max 3",
        "make start at least 2 and at most 3",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "node_groups.a_template_from_elsewhere",
        "efa-single-zone",
        "launch template lt-0123456789abcdef0, which is not of this program",
    ),
    (
        "node_groups.a_group_from_elsewhere",
        "node-template-reaches-control-plane",
        "the cluster's security group: whether sg-0123456789abcdef0 reaches it",
    ),
    (
        "node_groups.ids_not_yet_known_from_who_knows_where",
        "node-template-reaches-control-plane",
        "the cluster's security group: the security groups of the template",
    ),
    ("node_groups.a_template_not_yet_known", "efa-single-zone", "the launch template, not known before creation"),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
