// Reads a Muster stack by reference, an output at a time: each is as secret as that stack has it.

import * as pulumi from "@pulumi/pulumi";
import { CONTRACT, Cluster } from "./contract";

/** One output of a Muster stack, typed. Fails where there is none of that name, or the contract is another one. */
export function read<Name extends keyof Cluster>(
    stack: pulumi.StackReference,
    name: Name,
): pulumi.Output<NonNullable<Cluster[Name]>> {
    return pulumi
        .all([stack.name, stack.getOutput("contract"), stack.getOutput(name)])
        .apply(([whose, contract, value]): NonNullable<Cluster[Name]> => {
            if (contract !== CONTRACT) {
                throw new pulumi.RunError(
                    `stack '${whose}' exports contract ${contract}; this reader knows contract ${CONTRACT}`,
                );
            }
            if (value === undefined || value === null) {
                throw new pulumi.RunError(`stack '${whose}' has no output '${name}'`);
            }
            return value;
        });
}
