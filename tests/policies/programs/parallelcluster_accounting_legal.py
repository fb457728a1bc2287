"""An address of a database with its scheme."""

from tests.policies.programs.pcluster import cluster, slurm

AT = {"pcluster"}
SECRET = "arn:aws:secretsmanager:us-west-2:111122223333:secret:slurm-Ab12Cd"


def passing() -> None:
    cluster(scheduling=slurm(Database={"Uri": "db.example.com:3306", "UserName": "slurm", "PasswordSecretArn": SECRET}))


def failing() -> None:
    said = {"Uri": "mysql://db.example.com", "UserName": "slurm", "PasswordSecretArn": SECRET}
    cluster(scheduling=slurm(Database=said))
