"""Rehearsals on this machine: a real Kubernetes control plane or a real slurmctld, with the planned nodes simulated."""
