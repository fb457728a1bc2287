"""How a blueprint's HyperPod cluster becomes AWS resources: one noun a file. Nothing is decided here."""
