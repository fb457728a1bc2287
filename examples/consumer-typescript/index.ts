// A team's namespace on a Muster cluster, with the devices of one node group as its quota.

import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { Cluster } from "./contract";
import { read } from "./muster";

const config = new pulumi.Config();
const stack = new pulumi.StackReference(config.require("cluster"));

/** GPUs, EFA interfaces and whatever devices the group's nodes offer, times the nodes it may have. */
function devices(groups: Cluster["nodeGroups"]): Record<string, string> {
    const name = config.require("group");
    const group = groups[name];
    if (group === undefined) {
        throw new pulumi.RunError(`no node group '${name}' (there are: ${Object.keys(groups).sort().join(", ")})`);
    }
    const counted = Object.entries(group.offers).filter(([, each]) => typeof each === "number");
    return Object.fromEntries(
        counted.map(([device, each]) => [`requests.${device}`, String(Number(each) * group.count.max)]),
    );
}

const hard = read(stack, "nodeGroups").apply(devices);
const provider = new kubernetes.Provider("cluster", {
    kubeconfig: read(stack, "kubeconfig"),
    // The ARN, not the endpoint: a new endpoint is no other cluster.
    clusterIdentifier: read(stack, "cluster").arn,
});
const namespace_ = new kubernetes.core.v1.Namespace(
    "team",
    { metadata: { name: config.require("team") } },
    { provider },
);
new kubernetes.core.v1.ResourceQuota(
    "devices",
    { metadata: { name: "devices", namespace: namespace_.metadata.name }, spec: { hard } },
    { provider },
);

export const namespace = namespace_.metadata.name;
export const quota = hard;
