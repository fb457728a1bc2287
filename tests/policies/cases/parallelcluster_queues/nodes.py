"""What compute resources have: an architecture, drivers."""

from muster.unknown import UNKNOWN
from tests.factories.parallelcluster_fleets import (
    IMAGE,
    a_pcluster,
    a_queue,
    a_resource,
    a_script,
    a_slurm_fleet,
    image_facts,
)
from tests.policies.case import cases

cases(
    arm_beside_x86=lambda: a_slurm_fleet(a_resource(instances=("p6e-gb200.36xlarge",))),
    arm_on_red_hat=lambda: a_slurm_fleet(a_pcluster(os="rhel9"), a_resource(instances=("p6e-gb200.36xlarge",))),
    arm_on_nobody_knows_what=lambda: a_slurm_fleet(
        a_pcluster(os=UNKNOWN), a_resource(instances=("p6e-gb200.36xlarge",))
    ),
    trainium_without_a_driver=lambda: a_slurm_fleet(a_resource(instances=("trn1.32xlarge",))),
    trainium_with_a_script=lambda: a_slurm_fleet(a_queue(scripts=a_script()), a_resource(instances=("trn1.32xlarge",))),
    trainium_with_docker_alone=lambda: a_slurm_fleet(
        a_queue(
            scripts=a_script(
                "https://raw.githubusercontent.com/aws-samples/aws-parallelcluster-post-install-scripts/x/docker/postinstall.sh"
            )
        ),
        a_resource(instances=("trn1.32xlarge",)),
    ),
    trainium_with_an_image=lambda: a_slurm_fleet(
        a_queue(image=IMAGE), a_resource(instances=("trn1.32xlarge",)), known=image_facts()
    ),
)
