"""SageMaker HyperPod: the request to its API, and what runs on its instances. Pure."""
