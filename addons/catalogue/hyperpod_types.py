"""The instance types that stand in HyperPod's chart: what its own plugins and its monitoring agent are for. Pure.

As `helm_chart/HyperPodHelmChart` of aws/sagemaker-hyperpod-cli has them at 011ca92, in its values and templates.
"""

from addons.node_affinity import of_hyperpod, types

_OF_G = "xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge"
MONITORED_GPUS = of_hyperpod(
    types(
        p5en="48xlarge",
        p5e="48xlarge",
        p5="48xlarge 4xlarge",
        p4d="24xlarge",
        p4de="24xlarge",
        g5=_OF_G,
        g6="xlarge 2xlarge 4xlarge 8xlarge 16xlarge 12xlarge 24xlarge 48xlarge",
        gr6="4xlarge 8xlarge",
        g6e="xlarge 2xlarge 4xlarge 8xlarge 16xlarge 12xlarge 24xlarge 48xlarge",
        g7e="2xlarge 4xlarge 8xlarge 12xlarge 24xlarge 48xlarge",
        p6_b200="48xlarge",
        p6_b300="48xlarge",
        p6e_gb200="36xlarge",
    )
)
MONITORED_OTHERS = of_hyperpod(
    types(inf2="xlarge 8xlarge 24xlarge 48xlarge", trn1="32xlarge", trn1n="32xlarge", trn2="3xlarge 48xlarge")
)
GPUS = of_hyperpod(
    types(
        g5=_OF_G,
        g6="xlarge 2xlarge 4xlarge 8xlarge 16xlarge 12xlarge 24xlarge 48xlarge",
        g6e=_OF_G,
        g7e="2xlarge 4xlarge 8xlarge 12xlarge 24xlarge 48xlarge",
        gr6="4xlarge 8xlarge",
        p4d="24xlarge",
        p4de="24xlarge",
        p5="4xlarge 48xlarge",
        p5e="48xlarge",
        p5en="48xlarge",
        p6_b200="48xlarge",
        p6_b300="48xlarge",
        p6e_gb200="36xlarge",
    )
)
EFA = of_hyperpod(
    types(
        c5n="9xlarge 18xlarge",
        g5="8xlarge 12xlarge 16xlarge 24xlarge 48xlarge",
        g6="8xlarge 12xlarge 16xlarge 24xlarge 48xlarge",
        g6e="8xlarge 12xlarge 16xlarge 24xlarge 48xlarge",
        g7e="8xlarge 12xlarge 24xlarge 48xlarge",
        gr6="8xlarge",
        i3en="12xlarge 24xlarge",
        m7i="48xlarge",
        p4d="24xlarge",
        p4de="24xlarge",
        p5="4xlarge 48xlarge",
        p5e="48xlarge",
        p5en="48xlarge",
        p6_b200="48xlarge",
        p6_b300="48xlarge",
        p6e_gb200="36xlarge",
        r7i="48xlarge",
        trn1="32xlarge",
        trn1n="32xlarge",
        trn2="3xlarge 48xlarge",
    )
)
_INF2 = "xlarge 8xlarge 24xlarge 48xlarge"
NEURON = [
    *types(inf1="xlarge 2xlarge 6xlarge 24xlarge", inf2=_INF2, trn1="2xlarge 32xlarge", trn1n="32xlarge"),
    *of_hyperpod(types(inf2=_INF2, trn1="2xlarge 32xlarge", trn1n="32xlarge", trn2="48xlarge")),
]
