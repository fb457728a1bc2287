// The outputs of a Muster stack. Generated from docs/schema/outputs.json, slurm-outputs.json,
// hyperpod-slurm-outputs.json and pcs-outputs.json. Copy this file. Do not edit it.

/** The version of the output contract. */
export const CONTRACT = 1;

/** An installed add-on. */
export interface AddonOutput {
    /** Version of the chart or the manifest */
    readonly version: string;
    /** Namespace of the add-on */
    readonly namespace: string;
}

/** Where the group's instances come from. */
export interface CapacityOutput {
    /** Kind of capacity */
    readonly kind: "on-demand" | "spot" | "reservation" | "reservation-group" | "capacity-block" | "training-plan";
    /** Id of the reservation or Capacity Block */
    readonly reservation?: string | null;
    /** ARN of the resource group */
    readonly reservationGroup?: string | null;
    /** ARN of the training plan, on HyperPod */
    readonly trainingPlan?: string | null;
    /** Zone of the held instances */
    readonly zone?: string | null;
    /** Number of held instances */
    readonly count?: number | null;
    /** First day of the Capacity Block, as in "2026-12-01" */
    readonly starts?: string | null;
    /** Last day of the Capacity Block; it ends at 11:30 UTC */
    readonly ends?: string | null;
    /** Name of the placement group */
    readonly placementGroup?: string | null;
}

/** A chart that the description adds. */
export interface ChartOutput {
    /** Name of the chart */
    readonly chart: string;
    /** Version of the chart */
    readonly version: string;
    /** Namespace of the release */
    readonly namespace: string;
}

/** The EKS cluster. */
export interface ClusterIdentity {
    /** Name of the cluster in AWS */
    readonly name: string;
    /** ARN of the cluster, which never changes */
    readonly arn: string;
    /** Kubernetes version, as in "1.35" */
    readonly version: string;
    /** Address of the Kubernetes API, with https:// */
    readonly endpoint: string;
    /** From where the Kubernetes API is reachable */
    readonly endpointMode: "private" | "public-and-private";
    /** Certificate authority of the API: PEM in base64 */
    readonly certificateAuthority: string;
    /** Issuer of the tokens of its service accounts, with https:// */
    readonly oidcIssuer: string;
    /** Always absent: the cluster uses Pod Identity, so no OIDC provider exists */
    readonly oidcProviderArn?: string | null;
    /** CIDR block of Kubernetes services */
    readonly serviceCidr?: string | null;
}

/** Number of nodes: the limits. The live cluster has the current number. */
export interface CountOutput {
    /** Minimum number of nodes */
    readonly min: number;
    /** Number of nodes at creation */
    readonly start: number;
    /** Maximum number of nodes */
    readonly max: number;
}

/** The HyperPod cluster whose instances are the nodes. */
export interface HyperPodOutput {
    /** Its name */
    readonly name: string;
    /** Its ARN */
    readonly arn: string;
    /** Id of the cluster: the last part of its ARN, which Session Manager and the log group use */
    readonly id: string;
    /** Bucket of lifecycle scripts, if Muster created it */
    readonly lifecycle?: string | null;
    /** Command that lists its nodes, with their instance ids */
    readonly listNodes: string;
    /** Source of logs -> the names of its streams in the log group `hyperpod` */
    readonly logStreams?: Readonly<Record<string, string>>;
}

/** SageMaker's managed MLflow: where runs are logged, and by whom. */
export interface MlflowOutput {
    /** Name of the tracking server or the MLflow App */
    readonly name: string;
    /** ARN of the tracking server or the MLflow App, which clients with the plugin sagemaker-mlflow use as MLFLOW_TRACKING_URI */
    readonly arn: string;
    /** Its address; an MLflow App has none */
    readonly url?: string | null;
    /** Version of MLflow of a tracking server, as in "3.0" */
    readonly version?: string | null;
    /** Client that matches a tracking server, as a pip requirement: "mlflow==3.0.0" */
    readonly client?: string | null;
    /** Location of artifacts: s3://BUCKET */
    readonly artifacts: string;
    /** Namespace of the pods that may log to it */
    readonly namespace: string;
    /** Service account of those pods */
    readonly serviceAccount: string;
    /** ARN of their IAM role. Grant it what else they may do in AWS */
    readonly roleArn: string;
}

/** Where the cluster stands. */
export interface NetworkOutput {
    /** Id of the VPC */
    readonly vpc: string;
    /** Private subnets, with the nodes: zone name -> subnet id */
    readonly privateSubnets: Readonly<Record<string, string>>;
    /** Public subnets: zone name -> subnet id */
    readonly publicSubnets: Readonly<Record<string, string>>;
    /** CIDR block of the VPC, if Muster created it */
    readonly cidr?: string | null;
    /** Zone name -> zone id, as far as known. Names differ between accounts, ids do not */
    readonly zoneIds?: Readonly<Record<string, string>>;
    /** Zone name -> route table id, if Muster created them; for peerings and endpoints */
    readonly privateRouteTables?: Readonly<Record<string, string>>;
    /** Zone name -> public address of the NAT gateway, if Muster created it; for allow lists */
    readonly natAddresses?: Readonly<Record<string, string>>;
    /** Ids of security groups */
    readonly securityGroups: SecurityGroups;
}

/** One node group and what each of its nodes offers. */
export interface NodeGroupOutput {
    /** Purpose: system, training or inference */
    readonly purpose: string;
    /** Instance type, as in "p5.48xlarge"; on HyperPod "ml.p5.48xlarge" */
    readonly instanceType: string;
    /** Names of the zones in which its nodes may run */
    readonly zones: ReadonlyArray<string>;
    /** Number of nodes */
    readonly count: CountOutput;
    /** Resources of a node, except cpu and memory: "nvidia.com/gpu": 8, "hugepages-2Mi": "10256Mi" */
    readonly offers: Readonly<Record<string, number | string>>;
    /** Devices of a node that pods claim from a DRA driver, by DeviceClass: "gpu.nvidia.com": 8 */
    readonly claims?: Readonly<Record<string, number>>;
    /** Allocatable resources of a node: "cpu": "191450m", "memory": "1928154Mi" */
    readonly allocatable: Readonly<Record<string, string>>;
    /** Maximum number of pods on a node; none if no source states it for the instance type */
    readonly pods?: number | null;
    /** Labels of the nodes */
    readonly labels: Readonly<Record<string, string>>;
    /** Taints of the nodes */
    readonly taints: ReadonlyArray<TaintOutput>;
    /** ARN of the IAM role of the nodes. Grant it what every pod on them may do */
    readonly roleArn: string;
    /** Source of its instances */
    readonly capacity: CapacityOutput;
    /** Whether EKS manages the group */
    readonly managed?: boolean | null;
    /** Operating system: al2023 or bottlerocket */
    readonly imageFamily?: string | null;
    /** AMI type of a managed group in EKS's API; CUSTOM for a custom AMI */
    readonly amiType?: string | null;
    /** Name of the Auto Scaling group of the node group */
    readonly autoScalingGroup?: string | null;
    /** Layout of its EFA interfaces: aws, classic, or plain (none) */
    readonly interfaces?: string | null;
    /** Threads per CPU core, on HyperPod */
    readonly threadsPerCore?: number | null;
    /** Fields of the kubelet's configuration that the group sets itself */
    readonly kubelet?: Readonly<Record<string, unknown>> | null;
    /** Command that opens a shell on a HyperPod node; replace INSTANCE with the id of the node */
    readonly session?: string | null;
}

/** Security groups to attach other things to. */
export interface SecurityGroups {
    /** Id of EKS's cluster security group. Its members can reach the API and every node */
    readonly cluster: string;
    /** Id of the security group of EFA interfaces, if a group has them */
    readonly efa?: string | null;
}

/** A shared file system, or a bucket that pods mount. For an existing one, what the description sets. */
export interface StorageOutput {
    /** What it is: FSx for Lustre, EFS, FSx for OpenZFS, or an S3 bucket */
    readonly kind?: "lustre" | "efs" | "openzfs" | "s3";
    /** Its id; of a bucket, the name */
    readonly fileSystem: string;
    /** DNS name, which resolves inside the VPC; a client mounts DNSNAME@tcp:/MOUNTNAME of Lustre, and DNSNAME:/MOUNTNAME of EFS and OpenZFS. Empty for a bucket */
    readonly dnsName: string;
    /** Mount name: the second part of what a client mounts. Of a bucket, the prefix */
    readonly mountName: string;
    /** Id of the root volume, of FSx for OpenZFS */
    readonly volume?: string | null;
    /** Of a bucket: whether pods may write */
    readonly write?: boolean | null;
    /** PersistentVolumeClaim that pods mount; none if this stack creates none */
    readonly claim?: string | null;
    /** Size as a Kubernetes quantity, as in "4800Gi" */
    readonly capacity?: string | null;
    /** Namespace of the claim */
    readonly claimNamespace?: string | null;
    /** Deployment type of FSx: PERSISTENT_2, SINGLE_AZ_1 */
    readonly type?: string | null;
    /** SSD or HDD */
    readonly disk?: string | null;
    /** Throughput: of Lustre in MB/s for each TiB, of OpenZFS in MB/s */
    readonly throughput?: number | null;
    /** Version of Lustre, as in "2.15" */
    readonly version?: string | null;
    /** Name of its zone */
    readonly zone?: string | null;
    /** Id of its security group, if Muster created it */
    readonly securityGroup?: string | null;
    /** Whether it also supports EFA traffic */
    readonly efa?: boolean | null;
    /** Mount point on every node, on ParallelCluster */
    readonly mountDirectory?: string | null;
}

/** A taint, in Kubernetes' words. */
export interface TaintOutput {
    /** Key of the taint, as in "nvidia.com/gpu" */
    readonly key: string;
    /** Value of the taint, or an empty text */
    readonly value: string;
    /** Effect: NoSchedule, PreferNoSchedule or NoExecute */
    readonly effect: string;
}

/** Everything a stack with a Kubernetes cluster exports. `kubeconfig` is the only secret. */
export interface Cluster {
    /** Version of the contract; another version has another format */
    readonly contract: 1;
    /** Backend of the cluster: eks or hyperpod */
    readonly backend: string;
    /** AWS Region */
    readonly region: string;
    /** Control plane */
    readonly cluster: ClusterIdentity;
    /** A secret: JSON, which kubectl reads. It contains no token; it calls `aws eks get-token` for one */
    readonly kubeconfig?: string | null;
    /** Groups of nodes, by name */
    readonly nodeGroups: Readonly<Record<string, NodeGroupOutput>>;
    /** Network of the cluster */
    readonly network: NetworkOutput;
    /** HyperPod cluster, on that backend */
    readonly hyperpod?: HyperPodOutput | null;
    /** Managed MLflow, if the description has it */
    readonly mlflow?: MlflowOutput | null;
    /** Shared file systems, by name */
    readonly storage?: Readonly<Record<string, StorageOutput>>;
    /** Kubernetes add-ons that Muster installed, by name */
    readonly addons?: Readonly<Record<string, AddonOutput>>;
    /** Other charts that the description installs, by release */
    readonly charts?: Readonly<Record<string, ChartOutput>>;
    /** EKS add-ons that Muster installed: name -> version, or nothing if EKS chose it */
    readonly eksAddons?: Readonly<Record<string, string>>;
    /** Address of the registry of training images */
    readonly registry?: string | null;
    /** S3 buckets, by purpose */
    readonly buckets?: Readonly<Record<string, string>>;
    /** CloudWatch log groups, by source */
    readonly logGroups?: Readonly<Record<string, string>>;
    /** Job queues: name -> its node group; none on EKS */
    readonly queues?: Readonly<Record<string, string>>;
}

/** A group of equal nodes, a compute resource of ParallelCluster, and what each node has. */
export interface ComputeResourceOutput {
    /** Purpose: system, training or inference */
    readonly purpose: string;
    /** Queue of the group */
    readonly queue: string;
    /** Instance type, as in "p4de.24xlarge" */
    readonly instanceType: string;
    /** Names of the zones in which its nodes may run */
    readonly zones: ReadonlyArray<string>;
    /** Number of nodes. Those beyond `min` start for jobs, and stop when idle */
    readonly count: CountOutput;
    /** CPUs of a node in Slurm: threads, or cores if hyper-threading is off */
    readonly cpus: number;
    /** Memory of a node that jobs may use, as Slurm counts it (RealMemory) */
    readonly memoryMib: number;
    /** GPUs of a node that Slurm allocates to jobs; Slurm does not count Neuron devices */
    readonly gpus: number;
    /** EFA interfaces of a node */
    readonly efa: number;
    /** All devices of a node: "gres/gpu": 8, "efa": 4, "neuron": 16 */
    readonly offers: Readonly<Record<string, number | string>>;
    /** Source of its instances */
    readonly capacity: CapacityOutput;
}

/** Where people log in, and where Slurm's controller runs. */
export interface HeadNodeOutput {
    /** Instance type, as in "m5.8xlarge" */
    readonly instanceType: string;
    /** Id of its EC2 instance */
    readonly instanceId: string;
    /** Its private address in the VPC */
    readonly privateAddress: string;
    /** Its public address, if it is in a public subnet */
    readonly publicAddress?: string | null;
    /** Name of its zone */
    readonly zone?: string | null;
    /** User of the operating system for logins */
    readonly user: string;
    /** Command that opens a shell on it with Session Manager, without an open port */
    readonly session: string;
    /** Command that opens a shell with SSH, if it has a key pair */
    readonly ssh?: string | null;
    /** EC2 key pair whose private key SSH needs */
    readonly keyPair?: string | null;
}

/** A queue, which is a partition of the same name in Slurm. */
export interface QueueOutput {
    /** Names of its groups of nodes (`nodeGroups`) */
    readonly groups: ReadonlyArray<string>;
    /** Names of the zones in which its nodes may run */
    readonly zones: ReadonlyArray<string>;
    /** Whether a job has exclusive use of its nodes */
    readonly exclusive: boolean;
    /** Whether it runs jobs that do not select a partition */
    readonly default: boolean;
}

/** The Slurm cluster. */
export interface SlurmIdentity {
    /** Name of the cluster, which `pcluster` commands and Slurm use */
    readonly name: string;
    /** Version of ParallelCluster, as in "3.16.1"; use the `pcluster` command of that version */
    readonly version: string;
    /** Operating system of the nodes, as in "alinux2023" */
    readonly os: string;
    /** Id of the AMI of the nodes, if it is a custom AMI */
    readonly image?: string | null;
    /** ARN of the CloudFormation stack that ParallelCluster created for it */
    readonly stack: string;
    /** Id of Muster's CloudFormation stack, which contains ParallelCluster's provider and the cluster */
    readonly providerStack: string;
}

/** Where the cluster stands. */
export interface SlurmNetwork {
    /** Id of the VPC */
    readonly vpc: string;
    /** Private subnets, with the nodes: zone name -> subnet id */
    readonly privateSubnets: Readonly<Record<string, string>>;
    /** Public subnets: zone name -> subnet id */
    readonly publicSubnets: Readonly<Record<string, string>>;
    /** CIDR block of the VPC, if Muster created it */
    readonly cidr?: string | null;
    /** Zone name -> zone id, as far as known. Names differ between accounts, ids do not */
    readonly zoneIds?: Readonly<Record<string, string>>;
    /** Zone name -> route table id, if Muster created them; for peerings and endpoints */
    readonly privateRouteTables?: Readonly<Record<string, string>>;
    /** Zone name -> public address of the NAT gateway, if Muster created it; for allow lists */
    readonly natAddresses?: Readonly<Record<string, string>>;
    /** Ids of security groups */
    readonly securityGroups: SlurmSecurityGroups;
}

/** Security groups to allow as a source, or to attach to other resources. */
export interface SlurmSecurityGroups {
    /** Id of Muster's security group, which is attached to the head node, every login node and every compute node */
    readonly nodes: string;
}

/** Everything a stack with a Slurm cluster exports. Nothing of it is a secret. */
export interface SlurmCluster {
    /** Version of the contract; another version has another format */
    readonly contract: 1;
    /** Backend of the cluster */
    readonly backend: "parallelcluster";
    /** AWS Region */
    readonly region: string;
    /** The cluster */
    readonly cluster: SlurmIdentity;
    /** Head node */
    readonly headNode: HeadNodeOutput;
    /** Groups of compute nodes, by name */
    readonly nodeGroups: Readonly<Record<string, ComputeResourceOutput>>;
    /** Queues, by name */
    readonly queues: Readonly<Record<string, QueueOutput>>;
    /** Network of the cluster */
    readonly network: SlurmNetwork;
    /** Shared file systems, by name */
    readonly storage?: Readonly<Record<string, StorageOutput>>;
    /** Address of the registry of training images */
    readonly registry?: string | null;
    /** S3 buckets, by purpose */
    readonly buckets?: Readonly<Record<string, string>>;
    /** CloudWatch log groups, by source. `provider` is a name; `nodes` is the beginning of the name, to which ParallelCluster appends the time of creation */
    readonly logGroups?: Readonly<Record<string, string>>;
    /** Messages of ParallelCluster about the configuration at the last creation or update, as JSON; long text is cut off */
    readonly validationMessages: string;
}

/** The HyperPod cluster. */
export interface HyperPodSlurmIdentity {
    /** Its name */
    readonly name: string;
    /** Its ARN */
    readonly arn: string;
    /** Id of the cluster: the last part of its ARN, which Session Manager and the log group use */
    readonly id: string;
    /** ARN of the role of its instances */
    readonly roleArn: string;
    /** Command that lists its nodes, with their instance ids */
    readonly listNodes: string;
}

/** Nodes that run no jobs: the controller, or the login nodes. */
export interface ServiceNodesOutput {
    /** Name of the instance group */
    readonly instanceGroup: string;
    /** Instance type, as in "ml.m5.4xlarge" */
    readonly instanceType: string;
    /** Number of nodes */
    readonly count: number;
    /** Command that opens a shell on one of them with Session Manager. INSTANCE is the id of the node */
    readonly session: string;
}

/** Everything a stack with a HyperPod cluster with Slurm exports. Nothing of it is a secret. */
export interface HyperPodSlurmCluster {
    /** Version of the contract; another version has another format */
    readonly contract: 1;
    /** Backend of the cluster */
    readonly backend: "hyperpod-slurm";
    /** AWS Region */
    readonly region: string;
    /** The cluster */
    readonly cluster: HyperPodSlurmIdentity;
    /** The controller */
    readonly controller: ServiceNodesOutput;
    /** The login nodes, if there are some */
    readonly login?: ServiceNodesOutput | null;
    /** Groups of compute nodes, by name */
    readonly nodeGroups: Readonly<Record<string, ComputeResourceOutput>>;
    /** Partitions, by name */
    readonly queues: Readonly<Record<string, QueueOutput>>;
    /** Network of the cluster */
    readonly network: SlurmNetwork;
    /** Shared file systems, by name */
    readonly storage?: Readonly<Record<string, StorageOutput>>;
    /** Address of the registry of training images */
    readonly registry?: string | null;
    /** CloudWatch log groups, by source */
    readonly logGroups?: Readonly<Record<string, string>>;
    /** Source of logs -> the names of its streams in the log group `hyperpod` */
    readonly logStreams?: Readonly<Record<string, string>>;
}

/** An address of the controller in the VPC. */
export interface PcsEndpoint {
    /** Daemon: SLURMCTLD, SLURMDBD or SLURMRESTD */
    readonly type: string;
    /** Private address */
    readonly privateIpAddress: string;
    /** Port */
    readonly port: string;
}

/** The cluster of PCS. */
export interface PcsIdentity {
    /** Name of the cluster */
    readonly name: string;
    /** Id of the cluster in PCS, as in "pcs_a1b2c3d4e5" */
    readonly id: string;
    /** ARN of the cluster */
    readonly arn: string;
    /** Size of the controller: SMALL, MEDIUM or LARGE */
    readonly size: string;
    /** Version of Slurm, as in "25.11" */
    readonly slurmVersion: string;
    /** Id of the AMI of all nodes */
    readonly image: string;
    /** Whether Slurm has accounting */
    readonly accounting: boolean;
}

/** A compute node group on which users log in. */
export interface PcsLoginOutput {
    /** Id of the compute node group in PCS, as in "pcs_a1b2c3d4e5" */
    readonly id: string;
    /** Instance type */
    readonly instanceType: string;
    /** Number of nodes */
    readonly count: CountOutput;
    /** Names of the zones in which its nodes may run */
    readonly zones: ReadonlyArray<string>;
    /** Command that lists the ids of its instances */
    readonly instances: string;
}

/** Where the cluster is. */
export interface PcsNetwork {
    /** Id of the VPC */
    readonly vpc: string;
    /** Private subnets, with the nodes: zone name -> subnet id */
    readonly privateSubnets: Readonly<Record<string, string>>;
    /** Public subnets: zone name -> subnet id */
    readonly publicSubnets: Readonly<Record<string, string>>;
    /** CIDR block of the VPC, if Muster created it */
    readonly cidr?: string | null;
    /** Zone name -> zone id, as far as known. Names differ between accounts, ids do not */
    readonly zoneIds?: Readonly<Record<string, string>>;
    /** Zone name -> route table id, if Muster created them; for peerings and endpoints */
    readonly privateRouteTables?: Readonly<Record<string, string>>;
    /** Zone name -> public address of the NAT gateway, if Muster created it; for allow lists */
    readonly natAddresses?: Readonly<Record<string, string>>;
    /** Ids of security groups */
    readonly securityGroups: PcsSecurityGroups;
}

/** A compute node group of a queue, and what each node has. */
export interface PcsNodeGroupOutput {
    /** Purpose: system, training or inference */
    readonly purpose: string;
    /** Queue of the group */
    readonly queue: string;
    /** Instance type, as in "p4de.24xlarge" */
    readonly instanceType: string;
    /** Names of the zones in which its nodes may run */
    readonly zones: ReadonlyArray<string>;
    /** Number of nodes. Those beyond `min` start for jobs, and stop when idle */
    readonly count: CountOutput;
    /** CPUs of a node in Slurm: threads, or cores if hyper-threading is off */
    readonly cpus: number;
    /** Memory of a node that jobs may use, as Slurm counts it (RealMemory) */
    readonly memoryMib: number;
    /** GPUs of a node that Slurm allocates to jobs; Slurm does not count Neuron devices */
    readonly gpus: number;
    /** EFA interfaces of a node */
    readonly efa: number;
    /** All devices of a node: "gres/gpu": 8, "efa": 4, "neuron": 16 */
    readonly offers: Readonly<Record<string, number | string>>;
    /** Source of its instances */
    readonly capacity: CapacityOutput;
    /** Id of the compute node group in PCS, as in "pcs_a1b2c3d4e5" */
    readonly id: string;
}

/** A queue, which is a partition of the same name in Slurm. */
export interface PcsQueueOutput {
    /** Names of its groups of nodes (`nodeGroups`) */
    readonly groups: ReadonlyArray<string>;
    /** Names of the zones in which its nodes may run */
    readonly zones: ReadonlyArray<string>;
    /** Whether a job has exclusive use of its nodes */
    readonly exclusive: boolean;
    /** Whether it runs jobs that do not select a partition */
    readonly default: boolean;
    /** Id of the queue in PCS, as in "pcs_a1b2c3d4e5" */
    readonly id: string;
}

/** Security groups to allow as a source, or to attach to other resources. */
export interface PcsSecurityGroups {
    /** Id of the security group of the controller and of all nodes */
    readonly cluster: string;
}

/** Everything a stack with a Slurm cluster on AWS PCS exports. Nothing of it is a secret. */
export interface PcsCluster {
    /** Version of the contract; another version has another format */
    readonly contract: 1;
    /** Backend of the cluster */
    readonly backend: "pcs";
    /** AWS Region */
    readonly region: string;
    /** The cluster */
    readonly cluster: PcsIdentity;
    /** Addresses of the controller in the VPC */
    readonly endpoints?: ReadonlyArray<PcsEndpoint>;
    /** Compute node groups of queues, by name */
    readonly nodeGroups: Readonly<Record<string, PcsNodeGroupOutput>>;
    /** Groups of login nodes, by name */
    readonly loginGroups?: Readonly<Record<string, PcsLoginOutput>>;
    /** Queues, by name */
    readonly queues: Readonly<Record<string, PcsQueueOutput>>;
    /** Network of the cluster */
    readonly network: PcsNetwork;
    /** Shared file systems, by name */
    readonly storage?: Readonly<Record<string, StorageOutput>>;
    /** Address of the registry of training images */
    readonly registry?: string | null;
}
