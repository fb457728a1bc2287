// Reads a Muster stack by reference, an output at a time: each is as secret as that stack has it.

import * as pulumi from "@pulumi/pulumi";
import { CONTRACT, Cluster } from "./contract";

/**
 * One output of a Muster stack with Kubernetes, typed. Fails where there is none of that name, the contract is another
 * one, or the stack has a Slurm cluster (SlurmCluster has the types of that one's outputs).
 */
export function read<Name extends keyof Cluster>(
    stack: pulumi.StackReference,
    name: Name,
): pulumi.Output<NonNullable<Cluster[Name]>> {
    return pulumi
        .all([stack.name, stack.getOutput("contract"), stack.getOutput("backend"), stack.getOutput(name)])
        .apply(([whose, contract, backend, value]): NonNullable<Cluster[Name]> => {
            if (contract !== CONTRACT) {
                throw new pulumi.RunError(
                    `stack '${whose}' exports contract ${contract}; this reader knows contract ${CONTRACT}`,
                );
            }
            if (backend === "parallelcluster") {
                throw new pulumi.RunError(`stack '${whose}' has a Slurm cluster on ParallelCluster and no Kubernetes`);
            }
            if (value === undefined || value === null) {
                throw new pulumi.RunError(`stack '${whose}' has no output '${name}'`);
            }
            return value;
        });
}
