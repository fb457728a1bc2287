"""SageMaker HyperPod: what is asked of its API, and what runs on its instances. Pure."""
