"""What HyperPod itself does to nodes and jobs, as far as a rehearsal plays it: AWS's own code, that nobody can run."""
