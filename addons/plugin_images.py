"""By which image a device plugin is known, whosever chart runs it: the GPU Operator's, eksctl's, HyperPod's. Pure."""

PLUGIN_IMAGES = {
    "nvidia.com/gpu": "k8s-device-plugin",
    "vpc.amazonaws.com/efa": "aws-efa-k8s-device-plugin",
    "aws.amazon.com/neuron": "neuron-device-plugin",
}
"""What a plugin offers -> the last part of its image's name."""
