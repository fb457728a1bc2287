"""The rehearsal on Slurm: a real slurmctld, the queues' nodes simulated, a job's script judged and submitted."""
