"""Which documented facts and which of ParallelCluster's validators the rules cover."""
