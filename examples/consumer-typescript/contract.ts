// The outputs of a stack of Muster. Generated from docs/schema/outputs.json and slurm-outputs.json: copy it, do not
// edit it.

/** The contract that these types are of. */
export const CONTRACT = 1;

/** An installed add-on. */
export interface AddonOutput {
    /** The chart's, or the manifest's */
    readonly version: string;
    /** Where it runs */
    readonly namespace: string;
}

/** Where the group's instances come from. */
export interface CapacityOutput {
    /** What was chosen */
    readonly kind: "on-demand" | "spot" | "reservation" | "reservation-group" | "capacity-block" | "training-plan";
    /** The reservation's or Capacity Block's id */
    readonly reservation?: string | null;
    /** The resource group's ARN */
    readonly reservationGroup?: string | null;
    /** The ARN of HyperPod's training plan */
    readonly trainingPlan?: string | null;
    /** The zone in which the instances are held */
    readonly zone?: string | null;
    /** How many instances are held */
    readonly count?: number | null;
    /** The day a Capacity Block starts, as in "2026-12-01" */
    readonly starts?: string | null;
    /** The day a Capacity Block ends, at 11:30 UTC */
    readonly ends?: string | null;
    /** The placement group's name */
    readonly placementGroup?: string | null;
}

/** A chart that the description names by itself. */
export interface ChartOutput {
    /** The chart's name */
    readonly chart: string;
    /** The chart's version */
    readonly version: string;
    /** Where it is installed */
    readonly namespace: string;
}

/** The EKS cluster. */
export interface ClusterIdentity {
    /** Its name in AWS */
    readonly name: string;
    /** Its ARN: the one thing about it that never changes */
    readonly arn: string;
    /** Kubernetes, as in "1.35" */
    readonly version: string;
    /** The address of its API, with https:// */
    readonly endpoint: string;
    /** From where the API can be reached */
    readonly endpointMode: "private" | "public-and-private";
    /** PEM in base64 */
    readonly certificateAuthority: string;
    /** The issuer of its service accounts' tokens, with https:// */
    readonly oidcIssuer: string;
    /** Absent: Pod Identity is used, no provider exists */
    readonly oidcProviderArn?: string | null;
    /** The addresses of Kubernetes services */
    readonly serviceCidr?: string | null;
}

/** How many nodes: the bounds; how many there are, the live cluster knows. */
export interface CountOutput {
    /** At least */
    readonly min: number;
    /** At first */
    readonly start: number;
    /** At most */
    readonly max: number;
}

/** The HyperPod cluster whose instances are the nodes. */
export interface HyperPodOutput {
    /** Its name */
    readonly name: string;
    /** Its ARN */
    readonly arn: string;
    /** The last part of its ARN: Session Manager and the log group go by it */
    readonly id: string;
    /** The bucket of lifecycle scripts, where Muster made it */
    readonly lifecycle?: string | null;
    /** The command that lists its nodes, with their instance ids */
    readonly listNodes: string;
    /** What logs -> the names of its streams in the log group `hyperpod` */
    readonly logStreams?: Readonly<Record<string, string>>;
}

/** SageMaker's managed MLflow: where runs are logged, and by whom. */
export interface MlflowOutput {
    /** The tracking server's name */
    readonly name: string;
    /** Its ARN: what clients with the plugin sagemaker-mlflow take as MLFLOW_TRACKING_URI */
    readonly arn: string;
    /** Its address */
    readonly url: string;
    /** MLflow's, as in "3.0" */
    readonly version: string;
    /** The client that goes with it, as pip takes it: "mlflow==3.0.0" */
    readonly client: string;
    /** Where artifacts are, s3://BUCKET */
    readonly artifacts: string;
    /** The namespace of the pods that may log to it */
    readonly namespace: string;
    /** The service account of those pods */
    readonly serviceAccount: string;
    /** Their role: grant it what else they may do in AWS */
    readonly roleArn: string;
}

/** Where the cluster stands. */
export interface NetworkOutput {
    /** The VPC's id */
    readonly vpc: string;
    /** Zone name -> subnet id; the nodes are here */
    readonly privateSubnets: Readonly<Record<string, string>>;
    /** Zone name -> subnet id */
    readonly publicSubnets: Readonly<Record<string, string>>;
    /** The VPC's addresses, where Muster made it */
    readonly cidr?: string | null;
    /** Zone name -> zone id, as far as known: names differ between accounts, ids do not */
    readonly zoneIds?: Readonly<Record<string, string>>;
    /** Zone name -> route table id, where Muster made them: for peerings and endpoints */
    readonly privateRouteTables?: Readonly<Record<string, string>>;
    /** Zone name -> the NAT gateway's public address, where Muster made it: for allow lists */
    readonly natAddresses?: Readonly<Record<string, string>>;
    /** The ids of security groups */
    readonly securityGroups: SecurityGroups;
}

/** One node group and what each of its nodes offers. */
export interface NodeGroupOutput {
    /** system, training or inference */
    readonly purpose: string;
    /** As in "p5.48xlarge"; on HyperPod "ml.p5.48xlarge" */
    readonly instanceType: string;
    /** The zones its nodes may be in, by name */
    readonly zones: ReadonlyArray<string>;
    /** How many nodes */
    readonly count: CountOutput;
    /** What a node has beside cpu and memory: "nvidia.com/gpu": 8, "hugepages-2Mi": "10256Mi" */
    readonly offers: Readonly<Record<string, number | string>>;
    /** What a node has for pods: "cpu": "191450m", "memory": "1928154Mi" */
    readonly allocatable: Readonly<Record<string, string>>;
    /** How many pods a node takes. None: no source gives the type's number */
    readonly pods: number | null;
    /** The nodes' labels */
    readonly labels: Readonly<Record<string, string>>;
    /** The nodes' taints */
    readonly taints: ReadonlyArray<TaintOutput>;
    /** The nodes' role: grant it what every pod of theirs may do */
    readonly roleArn: string;
    /** Where its instances come from */
    readonly capacity: CapacityOutput;
    /** Whether EKS manages the group */
    readonly managed?: boolean | null;
    /** al2023 or bottlerocket */
    readonly imageFamily?: string | null;
    /** EKS's word for a managed group's image; CUSTOM for one of your own */
    readonly amiType?: string | null;
    /** The name of the Auto Scaling group behind it */
    readonly autoScalingGroup?: string | null;
    /** How its EFA interfaces are laid out: aws, classic, or plain (none) */
    readonly interfaces?: string | null;
    /** Of its CPUs, on HyperPod */
    readonly threadsPerCore?: number | null;
    /** The command for a shell on a node of HyperPod's; INSTANCE stands for the node's id */
    readonly session?: string | null;
}

/** Security groups to attach other things to. */
export interface SecurityGroups {
    /** EKS's own: whoever carries it reaches the API and every node */
    readonly cluster: string;
    /** The EFA interfaces', where a group has them */
    readonly efa?: string | null;
}

/** A shared file system: FSx for Lustre. Of one that existed before, what Muster was told. */
export interface StorageOutput {
    /** Its id */
    readonly fileSystem: string;
    /** Resolves inside the VPC; a client mounts DNSNAME@tcp:/MOUNTNAME */
    readonly dnsName: string;
    /** The second half of what a client mounts */
    readonly mountName: string;
    /** The Kubernetes claim that pods mount. None: this stack makes none */
    readonly claim?: string | null;
    /** As Kubernetes counts, "4800Gi" */
    readonly capacity?: string | null;
    /** The namespace that the claim is in */
    readonly claimNamespace?: string | null;
    /** PERSISTENT_2, PERSISTENT_1, SCRATCH_2 or SCRATCH_1 */
    readonly type?: string | null;
    /** SSD or HDD */
    readonly disk?: string | null;
    /** MB/s for each TiB */
    readonly throughput?: number | null;
    /** Lustre's, as in "2.15" */
    readonly version?: string | null;
    /** The zone it is in, by name */
    readonly zone?: string | null;
    /** Its security group, where Muster made it */
    readonly securityGroup?: string | null;
    /** Whether it takes EFA traffic too */
    readonly efa?: boolean | null;
    /** Where it is mounted on every node, on ParallelCluster */
    readonly mountDirectory?: string | null;
}

/** A taint, in Kubernetes' words. */
export interface TaintOutput {
    /** As in "nvidia.com/gpu" */
    readonly key: string;
    /** Its value, or an empty text */
    readonly value: string;
    /** NoSchedule, PreferNoSchedule or NoExecute */
    readonly effect: string;
}

/** Everything a stack with a Kubernetes cluster exports. `kubeconfig` is the only secret. */
export interface Cluster {
    /** The contract's number; another one is another form */
    readonly contract: 1;
    /** What the cluster is: eks or hyperpod */
    readonly backend: string;
    /** The AWS Region */
    readonly region: string;
    /** The control plane */
    readonly cluster: ClusterIdentity;
    /** A secret. JSON, which kubectl takes; holds no token, asks `aws eks get-token` for one */
    readonly kubeconfig?: string | null;
    /** The groups, by name */
    readonly nodeGroups: Readonly<Record<string, NodeGroupOutput>>;
    /** Where the cluster stands */
    readonly network: NetworkOutput;
    /** The HyperPod cluster, on that backend */
    readonly hyperpod?: HyperPodOutput | null;
    /** Managed MLflow, where the description has it */
    readonly mlflow?: MlflowOutput | null;
    /** Shared file systems, by name */
    readonly storage?: Readonly<Record<string, StorageOutput>>;
    /** Kubernetes add-ons that Muster installed, by name */
    readonly addons?: Readonly<Record<string, AddonOutput>>;
    /** Other charts that the description installs, by release */
    readonly charts?: Readonly<Record<string, ChartOutput>>;
    /** EKS's own add-ons that Muster chose: name -> version */
    readonly eksAddons?: Readonly<Record<string, string>>;
    /** The address of the registry of training images */
    readonly registry?: string | null;
    /** S3 buckets, by what they are for */
    readonly buckets?: Readonly<Record<string, string>>;
    /** CloudWatch log groups, by what logs there */
    readonly logGroups?: Readonly<Record<string, string>>;
    /** Job queues: name -> its node group; none on EKS */
    readonly queues?: Readonly<Record<string, string>>;
}

/** A group of equal nodes, a compute resource of ParallelCluster, and what each node has. */
export interface ComputeResourceOutput {
    /** system, training or inference */
    readonly purpose: string;
    /** The queue that it is in */
    readonly queue: string;
    /** As in "p4de.24xlarge" */
    readonly instanceType: string;
    /** The zones its nodes may be in, by name */
    readonly zones: ReadonlyArray<string>;
    /** How many nodes; those beyond `min` start for jobs, and go when idle */
    readonly count: CountOutput;
    /** Slurm's CPUs of a node: threads, or cores where hyper-threading is off */
    readonly cpus: number;
    /** Memory of a node that jobs may have, as Slurm counts it (RealMemory) */
    readonly memoryMib: number;
    /** GPUs of a node, which Slurm gives to jobs; Neuron devices it does not count */
    readonly gpus: number;
    /** EFA interfaces of a node */
    readonly efa: number;
    /** All devices of a node: "gres/gpu": 8, "efa": 4, "neuron": 16 */
    readonly offers: Readonly<Record<string, number | string>>;
    /** Where its instances come from */
    readonly capacity: CapacityOutput;
}

/** Where people log in, and where Slurm's controller runs. */
export interface HeadNodeOutput {
    /** As in "m5.8xlarge" */
    readonly instanceType: string;
    /** Its EC2 instance */
    readonly instanceId: string;
    /** Its address inside the VPC */
    readonly privateAddress: string;
    /** Its public address, in a public subnet */
    readonly publicAddress?: string | null;
    /** The zone it is in, by name */
    readonly zone?: string | null;
    /** The operating system's user to log in as */
    readonly user: string;
    /** The command for a shell on it by Session Manager, with no port open */
    readonly session: string;
    /** The command for a shell by SSH, where it has a key pair */
    readonly ssh?: string | null;
    /** The EC2 key pair whose private half SSH needs */
    readonly keyPair?: string | null;
}

/** A queue, which is a partition of the same name in Slurm. */
export interface QueueOutput {
    /** Its groups of nodes (`nodeGroups`) */
    readonly groups: ReadonlyArray<string>;
    /** The zones its nodes may be in, by name */
    readonly zones: ReadonlyArray<string>;
    /** Whether a job has its nodes alone */
    readonly exclusive: boolean;
    /** Whether jobs that name no partition come here */
    readonly default: boolean;
}

/** The Slurm cluster. */
export interface SlurmIdentity {
    /** Its name: `pcluster` commands and Slurm go by it */
    readonly name: string;
    /** ParallelCluster's, as in "3.16.1": the `pcluster` command of that version fits it */
    readonly version: string;
    /** The nodes' operating system, as in "alinux2023" */
    readonly os: string;
    /** The nodes' image, where it is one of your own */
    readonly image?: string | null;
    /** The ARN of the CloudFormation stack that ParallelCluster made of it */
    readonly stack: string;
    /** The id of Muster's CloudFormation stack, which holds ParallelCluster's provider and the cluster */
    readonly providerStack: string;
}

/** Where the cluster stands. */
export interface SlurmNetwork {
    /** The VPC's id */
    readonly vpc: string;
    /** Zone name -> subnet id; the nodes are here */
    readonly privateSubnets: Readonly<Record<string, string>>;
    /** Zone name -> subnet id */
    readonly publicSubnets: Readonly<Record<string, string>>;
    /** The VPC's addresses, where Muster made it */
    readonly cidr?: string | null;
    /** Zone name -> zone id, as far as known: names differ between accounts, ids do not */
    readonly zoneIds?: Readonly<Record<string, string>>;
    /** Zone name -> route table id, where Muster made them: for peerings and endpoints */
    readonly privateRouteTables?: Readonly<Record<string, string>>;
    /** Zone name -> the NAT gateway's public address, where Muster made it: for allow lists */
    readonly natAddresses?: Readonly<Record<string, string>>;
    /** The ids of security groups */
    readonly securityGroups: SlurmSecurityGroups;
}

/** Security groups to let in, or to attach to other things. */
export interface SlurmSecurityGroups {
    /** Muster's: the head node and every compute node carry it */
    readonly nodes: string;
}

/** Everything a stack with a Slurm cluster exports. Nothing of it is a secret. */
export interface SlurmCluster {
    /** The contract's number; another one is another form */
    readonly contract: 1;
    /** What the cluster is */
    readonly backend: "parallelcluster";
    /** The AWS Region */
    readonly region: string;
    /** The cluster */
    readonly cluster: SlurmIdentity;
    /** The head node */
    readonly headNode: HeadNodeOutput;
    /** The groups of compute nodes, by name */
    readonly nodeGroups: Readonly<Record<string, ComputeResourceOutput>>;
    /** The queues, by name */
    readonly queues: Readonly<Record<string, QueueOutput>>;
    /** Where the cluster stands */
    readonly network: SlurmNetwork;
    /** Shared file systems, by name */
    readonly storage?: Readonly<Record<string, StorageOutput>>;
    /** The address of the registry of training images */
    readonly registry?: string | null;
    /** S3 buckets, by what they are for */
    readonly buckets?: Readonly<Record<string, string>>;
    /** CloudWatch log groups, by what logs there: `provider` by its name; of `nodes` the beginning of the name, which ParallelCluster ends with the time of creation */
    readonly logGroups?: Readonly<Record<string, string>>;
    /** What ParallelCluster said of the configuration at the last creation or update, as JSON; long text is cut off */
    readonly validationMessages: string;
}
