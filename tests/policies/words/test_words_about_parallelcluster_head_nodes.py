"""The words of the rules about head nodes, and what nodes run."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "parallelcluster.ssh_from_everywhere",
        "parallelcluster-ssh-not-open-to-all",
        "port 22 of the head node is open to every address",
        "name the network you come from (ssh-from; AllowedIps to ParallelCluster), as in 203.0.113.0/24",
    ),
    (
        "parallelcluster.an_rsa_key_on_ubuntu",
        "parallelcluster-key-fits-os",
        "an RSA key (key pair ml-admins), and ubuntu2204 takes none",
        "make one with `ssh-keygen -t ed25519`, or log in by SSM",
    ),
    (
        "parallelcluster.an_rsa_key_of_the_program_on_ubuntu",
        "parallelcluster-key-fits-os",
        "an RSA key (key pair ours), and ubuntu2404 takes none",
        "make one with `ssh-keygen -t ed25519`, or log in by SSM",
    ),
    (
        "parallelcluster.a_head_node_with_efa",
        "parallelcluster-gdr-beside-efa",
        "the head node asks for EFA, which it cannot have",
        "leave it out, and turn EFA on in compute resources",
    ),
    (
        "parallelcluster.a_graviton_head_node",
        "parallelcluster-one-architecture",
        "workers has p5.48xlarge (x86_64), and the head node c7g.4xlarge (arm64)",
        "take a head node with x86_64, or compute nodes with arm64",
    ),
    (
        "parallelcluster.a_head_node_that_takes_an_hour",
        "parallelcluster-head-ready-in-time",
        "the head node may take 60 minutes, and CloudFormation waits 60 for the whole cluster",
        "allow 50 minutes or less, and put what takes longer into an image of your own",
    ),
    (
        "parallelcluster.a_head_node_that_takes_51_minutes",
        "parallelcluster-head-ready-in-time",
        "the head node may take 51 minutes, and CloudFormation waits 60 for the whole cluster",
        "allow 50 minutes or less, and put what takes longer into an image of your own",
    ),
    (
        "parallelcluster.scripts_that_nobody_may_read",
        "parallelcluster-scripts-readable",
        "the head node runs scripts in bucket scripts, which it may not read",
        "name the bucket in Iam.S3Access",
    ),
    (
        "parallelcluster.scripts_beside_sessions",
        "parallelcluster-scripts-readable",
        "train runs scripts in bucket scripts, which it may not read",
        "name the bucket in Iam.S3Access",
    ),
    (
        "parallelcluster.a_script_on_the_disk",
        "parallelcluster-scripts-readable",
        "the head node runs '/home/set-up.sh', which is no address of S3 or HTTPS",
        "write s3://BUCKET/KEY or https://HOST/PATH",
    ),
    (
        "parallelcluster.security_groups_in_place_of_parallelclusters",
        "parallelcluster-security-groups-alike",
        "train has security groups instead of ParallelCluster's, the head node has ParallelCluster's",
        "write AdditionalSecurityGroups, which are attached beside its own",
    ),
]


MISSING = [
    (
        "parallelcluster.ssh_from_nobody_knows_where",
        "parallelcluster-ssh-not-open-to-all",
        "the networks that reach the head node, not known before creation",
    ),
    (
        "parallelcluster.a_key_on_ubuntu_of_which_nothing_is_known",
        "parallelcluster-key-fits-os",
        "whether key pair ml-admins is RSA or ED25519 (`muster schema facts` shows the form)",
    ),
    (
        "parallelcluster.a_key_not_yet_known",
        "parallelcluster-key-fits-os",
        "the key pair or the operating system, not known before creation",
    ),
    (
        "parallelcluster.a_head_node_of_a_type_not_yet_known",
        "parallelcluster-mount-dirs-apart",
        "the instance type, not known before creation",
    ),
    (
        "parallelcluster.a_head_node_of_a_type_not_yet_known",
        "parallelcluster-one-architecture",
        "the instance type, not known before creation",
    ),
    (
        "parallelcluster.a_head_node_for_nobody_knows_how_many",
        "nodes-in-order",
        "the numbers of nodes, not known before creation",
    ),
    (
        "parallelcluster.a_head_node_for_nobody_knows_how_many",
        "parallelcluster-shared-volume-serves-fleet",
        "the most nodes of every compute resource, not known before creation",
    ),
    (
        "parallelcluster.a_head_node_for_nobody_knows_how_many",
        "subnet-holds-all-nodes",
        "the numbers of nodes, not known before creation",
    ),
    (
        "parallelcluster.a_head_node_that_takes_nobody_knows_how_long",
        "parallelcluster-head-ready-in-time",
        "how long the head node may take, not known before creation",
    ),
    (
        "parallelcluster.scripts_beside_a_policy_of_ours",
        "parallelcluster-scripts-readable",
        "whether the role of train may read bucket scripts",
    ),
    (
        "parallelcluster.scripts_of_a_role_of_ones_own",
        "parallelcluster-scripts-readable",
        "whether the role of the head node may read bucket scripts",
    ),
    (
        "parallelcluster.scripts_not_yet_known",
        "parallelcluster-scripts-readable",
        "the scripts of the head node, not known before creation",
    ),
    (
        "parallelcluster.a_script_at_an_address_not_yet_known",
        "parallelcluster-scripts-readable",
        "the scripts of train, not known before creation",
    ),
    (
        "parallelcluster.rights_not_yet_known",
        "parallelcluster-scripts-readable",
        "what the head node may read, not known before creation",
    ),
]


test_words = all_said(WORDS)
test_what_was_missing = all_missed(MISSING)
