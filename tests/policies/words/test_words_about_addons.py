"""The words of the rules about add-ons: what was found, what to do, what was missing."""

from tests.policies.words.said import all_missed, all_said

ROOM = "the daemons leave on"

WORDS = [
    (
        "addons.the_gpu_operator_with_its_plugin",
        "one-plugin-per-device",
        "the NVIDIA device plugin comes with our-gpu-operator and with nvidia-device-plugin, both on workers",
        "set devicePlugin.enabled: false among the values of our-gpu-operator, or remove nvidia-device-plugin",
    ),
    (
        "addons.the_neuron_plugin_of_hyperpod",
        "one-plugin-per-device",
        (
            "our-hyperpod-helm-chart and neuron-device-plugin both make the service account neuron-device-plugin in "
            "kube-system"
        ),
        (
            "set neuron-device-plugin.devicePlugin.enabled: false among the values of our-hyperpod-helm-chart, or "
            "remove neuron-device-plugin"
        ),
    ),
    (
        "addons.the_nvidia_plugin_on_bottlerocket",
        "one-plugin-per-device",
        (
            "the NVIDIA device plugin of nvidia-device-plugin is on rockets, whose image is Bottlerocket's and has it "
            "built in"
        ),
        "keep it off these nodes with affinity, or leave its own one to Muster",
    ),
    (
        "addons.nvidias_dra_driver_beside_the_plugin",
        "no-dra-driver-beside-plugin",
        (
            "the NVIDIA DRA driver (our-nvidia-dra-driver-gpu) and the NVIDIA device plugin (nvidia-device-plugin) are "
            "both on workers"
        ),
        (
            "set resources.gpus.enabled: false among the values of our-nvidia-dra-driver-gpu, or remove "
            "nvidia-device-plugin"
        ),
    ),
    (
        "addons.a_dra_driver_before_its_time",
        "dra-driver-supported",
        "the EFA DRA driver (aws-dranet) on Kubernetes 1.33",
        "remove aws-dranet and take the device plugin, or take Kubernetes 1.34",
    ),
    (
        "addons.an_nvidia_plugin_that_takes_efas_devices",
        "nvidia-plugin-spares-efa",
        (
            "the NVIDIA device plugin 0.19.1 of nvidia-device-plugin on workers, which has EFA: it mounts "
            "/dev/infiniband into pods with GPUs"
        ),
        "set mofedEnabled: false, or take 0.19.3 or newer",
    ),
    (
        "addons.an_operator_whose_plugin_takes_efas_devices",
        "nvidia-plugin-spares-efa",
        (
            "the NVIDIA device plugin 0.19.2 of our-gpu-operator on workers, which has EFA: it mounts /dev/infiniband "
            "into pods with GPUs"
        ),
        "set devicePlugin.env to MOFED_ENABLED=false, or take the operator v26.3.3 or newer",
    ),
    (
        "addons.hyperpods_operator_whose_plugin_takes_efas_devices",
        "nvidia-plugin-spares-efa",
        (
            "the NVIDIA device plugin v0.19.0 of our-hyperpod-helm-chart on HyperPod's nodes and workers, which have "
            "EFA: it mounts /dev/infiniband into pods with GPUs"
        ),
        (
            "set gpu-operator.gpu-operator.devicePlugin.env to MOFED_ENABLED=false, or set "
            "gpu-operator.gpu-operator.devicePlugin.version to v0.19.3 or newer"
        ),
    ),
    (
        "addons.the_mpi_operator_and_hyperpods",
        "one-owner-of-mpijobs",
        "mpijobs.kubeflow.org is defined by our-hyperpod-helm-chart and by mpi-operator",
        "set mpi-operator.enabled: false among the values of our-hyperpod-helm-chart, or remove mpi-operator",
    ),
    (
        "addons.both_operators_of_hyperpod_with_mpijobs",
        "one-owner-of-mpijobs",
        "our-hyperpod-helm-chart has both the MPI operator and a training operator that runs MPIJobs",
        (
            "set training-operators.schemes: [pytorchjob] among the values of our-hyperpod-helm-chart, or set "
            "mpi-operator.enabled: false among the values of our-hyperpod-helm-chart"
        ),
    ),
    (
        "addons.our_training_operator_beside_auto_resume",
        "training-operator-resumes-jobs",
        "training-operator v1.9.4 beside our-hyperpod-helm-chart: auto-resume is stated for v1.7.0, v1.8.0 or v1.8.1",
        "take v1.8.1, or try it before you rely on it",
    ),
    (
        "addons.a_newer_image_with_the_schemes_of_old",
        "training-operator-knows-schemes",
        "the training operator of our-hyperpod-helm-chart is 1.9.0 and is started with mxjob, gone since 1.9.0",
        "set training-operators.schemes: [pytorchjob, tfjob, xgboostjob, paddlejob]",
    ),
    (
        "addons.our_task_governance_beside_our_kueue",
        "one-kueue",
        "kueue and hyperpod-task-governance both bring Kueue",
        "remove kueue, or remove hyperpod-task-governance",
    ),
    (
        "addons.kueue_beside_hyperpods_training_operator",
        "kueue-manages-training-jobs",
        "our-kueue beside our-hyperpod-helm-chart: 0.19.2 does not by itself manage kubeflow.org/pytorchjob",
        (
            'name "kubeflow.org/pytorchjob" under integrations.frameworks of '
            "managerConfig.controllerManagerConfigYaml, which is one text and stands there whole"
        ),
    ),
    (
        "addons.a_trainer_that_kueue_does_not_know",
        "kueue-knows-trainer",
        "our-kubeflow-trainer 2.0.0-rc.1 beside our-kueue, which knows TrainJobs of 2.0.0 and newer",
        "take 2.0.0 or newer",
    ),
    (
        "addons.our_trainers_jobset_beside_our_jobset",
        "one-jobset",
        "trainer installs JobSet (jobset.install), and jobset is JobSet",
        "set jobset.install: false among the values of trainer, or remove jobset",
    ),
    (
        "addons.volcano_twice",
        "operator-installed-once",
        "our-volcano and our-batch are both the chart volcano",
        "remove our-volcano, and write its values under our-batch",
    ),
    (
        "addons.a_chart_of_cert_manager_beside_ours",
        "operator-installed-once",
        "our-cert-manager (chart cert-manager) and cert-manager (EKS add-on) are both cert-manager",
        "remove our-cert-manager, the chart cert-manager, or cert-manager, the EKS add-on",
    ),
    (
        "addons.kueue_twice",
        "one-kueue",
        "our-queues and our-kueue both bring Kueue",
        "remove our-queues, or remove our-kueue",
    ),
    (
        "addons.jobset_by_its_manifest_beside_its_chart",
        "one-jobset",
        "z-jobset and jobset are both JobSet",
        "remove z-jobset, or remove jobset",
    ),
    (
        "addons.hyperpods_plugin_of_an_image_that_takes_efas_devices",
        "nvidia-plugin-spares-efa",
        (
            "the NVIDIA device plugin v0.19.1 of our-hyperpod-helm-chart on HyperPod's nodes, which has EFA: it mounts "
            "/dev/infiniband into pods with GPUs"
        ),
        "set nvidia-device-plugin.image.tag to v0.19.3 or newer",
    ),
    (
        "addons.an_nvidia_plugin_by_its_manifest_that_takes_efas_devices",
        "nvidia-plugin-spares-efa",
        (
            "the NVIDIA device plugin v0.19.1 of nvidia-device-plugin on workers, which has EFA: it mounts "
            "/dev/infiniband into pods with GPUs"
        ),
        "take 0.19.3 or newer",
    ),
    (
        "addons.hyperpods_operator_whose_plugin_takes_efas_devices",
        "gpu-operator-leaves-the-image",
        "our-hyperpod-helm-chart installs the toolkit, which the image of workers has",
        "set gpu-operator.gpu-operator.toolkit.enabled: false among its values",
    ),
    (
        "addons.an_efa_plugin_that_counts_nvlink",
        "efa-plugin-knows-p6",
        "the chart v0.5.9 of efa-device-plugin on workers (p6-b200): it takes NVLink's devices for EFA interfaces",
        "take the chart 0.5.10 or newer",
    ),
    (
        "addons.the_gpu_operator_as_it_comes",
        "gpu-operator-leaves-the-image",
        "our-gpu-operator installs the driver and the toolkit, which the image of workers has",
        "set driver.enabled: false and toolkit.enabled: false among its values",
    ),
    (
        "addons.an_etcd_of_a_version_without_v2",
        "etcd-speaks-v2",
        "etcd runs etcd v3.6.4, without the v2 API that TorchX's rendezvous speaks",
        "take v3.5.x, started with --enable-v2=true",
    ),
    (
        "addons.an_efa_plugin_that_tolerates_nothing",
        "plugin-reaches-its-nodes",
        (
            "the EFA device plugin of efa-device-plugin is kept off the nodes of workers, which have "
            "vpc.amazonaws.com/efa: its pods do not tolerate nvidia.com/gpu=true:NoSchedule"
        ),
        "leave tolerations and affinity out of its values",
    ),
    (
        "addons.an_efa_plugin_of_another_program_that_tolerates_no_gpus",
        "plugin-reaches-its-nodes",
        (
            "the EFA device plugin of aws-efa-k8s-device-plugin is kept off the nodes of workers, which have "
            "vpc.amazonaws.com/efa: its pods do not tolerate nvidia.com/gpu=true:NoSchedule"
        ),
        "let its tolerations and affinity cover workers",
    ),
    (
        "addons.an_nvidia_plugin_on_all_nodes",
        "plugin-stays-with-its-devices",
        "the NVIDIA device plugin of nvidia-device-plugin is on system, which has no nvidia.com/gpu",
        "leave affinity and instance types out of its values",
    ),
    (
        "addons.a_plugin_on_hyperpod_nodes_that_leaves_them",
        "plugin-tolerates-health-taint",
        (
            "the NVIDIA device plugin of nvidia-device-plugin is on HyperPod's nodes (ml.g4dn.8xlarge), and does not "
            "tolerate sagemaker.amazonaws.com/node-health-status=Unschedulable:NoSchedule"
        ),
        "add {key: sagemaker.amazonaws.com/node-health-status, operator: Exists} to its tolerations",
    ),
    (
        "addons.the_fsx_driver_by_helm_and_by_eks",
        "one-fsx-csi-driver",
        (
            "the FSx for Lustre CSI driver comes with aws-fsx-csi-driver (chart aws-fsx-csi-driver) and "
            "aws-fsx-csi-driver (EKS add-on)"
        ),
        "remove aws-fsx-csi-driver, the chart aws-fsx-csi-driver, or aws-fsx-csi-driver, the EKS add-on",
    ),
    (
        "addons.an_operator_that_no_node_has_room_for",
        "operators-fit-nodes",
        f"CoreDNS and kueue's kueue-controller-manager take 8200m CPU of 7760m that {ROOM} 1 node of system",
        "take more nodes, or a larger instance type, for system",
    ),
    (
        "addons.an_operator_that_only_two_nodes_have_room_for",
        "operators-fit-nodes",
        f"kueue's kueue-controller-manager takes 8000m CPU of 7760m that {ROOM} a node of system",
        "take a larger instance type for system",
    ),
    (
        "addons.operators_on_too_few_addresses",
        "operators-fit-nodes",
        f"CoreDNS and mpi-operator's mpi-operator take 3 pods of 2 that {ROOM} 1 node of workers",
        "take more nodes, or a larger instance type, for workers",
    ),
    (
        "addons.a_daemon_that_takes_the_node",
        "daemons-fit-nodes",
        (
            "aws-node, efa-device-plugin's aws-efa-k8s-device-plugin, eks-pod-identity-agent, kube-proxy and "
            "nvidia-device-plugin's nvidia-device-plugin and one pod of a job take 192160m CPU of 191450m on a "
            "p5.48xlarge"
        ),
        "take a larger instance type, or have the add-ons ask for less",
    ),
    (
        "addons.a_plugin_with_an_amount_that_is_none",
        "addon-values-have-a-form",
        "values that efa-device-plugin cannot take (aws-efa-k8s-device-plugin: its placement or its requests)",
        "compare them with the chart's own; `muster addons render STACK --charts ...` prints what Helm says",
    ),
    (
        "addons.a_kueue_from_before_its_queues_api",
        "kueue-serves-its-queues",
        "kueue 0.14.8, which does not know kueue.x-k8s.io/v1beta2",
        "take 0.15 or newer, or leave the version out",
    ),
    (
        "addons.volcano_on_a_version_that_it_does_not_name",
        "addon-supports-kubernetes",
        "volcano 1.15.0 is for Kubernetes 1.23 to 1.35; the cluster has 1.36",
        "take Kubernetes 1.35, or a version of volcano that supports it",
    ),
    (
        "addons.an_operator_without_its_certificates",
        "addon-has-what-it-needs",
        "hyperpod-training-operator needs cert-manager: its webhooks have their certificates from it",
        "add `cert-manager: {}` under addons",
    ),
    (
        "addons.an_agent_that_an_existing_cluster_lacks",
        "addon-has-what-it-needs",
        "cloudwatch-observability needs eks-pod-identity-agent: the agents have their rights in CloudWatch from it",
        "have its owner install the EKS add-on eks-pod-identity-agent on theirs first",
    ),
]

MISSED = [
    (
        "addons.kueue_by_its_manifest",
        "kueue-manages-training-jobs",
        "the frameworks in the ConfigMap kueue-manager-config of kueue",
    ),
    (
        "addons.kueue_that_is_told_in_no_yaml",
        "kueue-manages-training-jobs",
        "the frameworks in the configuration of kueue, which is no YAML",
    ),
    ("addons.a_chart_not_yet_known", "one-plugin-per-device", "which chart it is, not known before creation"),
    ("addons.a_manifest_not_yet_known", "one-plugin-per-device", "which manifest it is, not known before creation"),
    (
        "addons.values_not_yet_known",
        "gpu-operator-leaves-the-image",
        "the values of gpu-operator, not known before creation",
    ),
    (
        "addons.two_plugins_for_nodes_that_are_not_here",
        "one-plugin-per-device",
        "whether the NVIDIA device plugin of nvidia-device-plugin and of gpu-operator meet on a node",
    ),
    (
        "addons.an_nvidia_plugin_with_a_configuration_of_its_own",
        "nvidia-plugin-spares-efa",
        "whether the plugin's own configuration sets mofedEnabled, in the values of nvidia-device-plugin",
    ),
    (
        "addons.an_operator_whose_plugin_nobody_knows",
        "nvidia-plugin-spares-efa",
        "the release of the NVIDIA device plugin of our-gpu-operator",
    ),
    (
        "addons.an_image_of_ones_own_with_the_schemes_of_old",
        "training-operator-knows-schemes",
        "the release of the training operator's image 'ours'",
    ),
    (
        "addons.a_plugin_by_labels_that_nobody_says",
        "plugin-reaches-its-nodes",
        "the labels of workers that the NVIDIA device plugin of nvidia-device-plugin asks for",
    ),
    (
        "addons.an_agent_that_nobody_speaks_of",
        "addon-has-what-it-needs",
        "whether theirs has the EKS add-on eks-pod-identity-agent (`muster schema facts` shows the form)",
    ),
]


test_words = all_said(WORDS)
test_what_is_missing = all_missed(MISSED)
