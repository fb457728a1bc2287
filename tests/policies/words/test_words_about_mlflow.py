"""The words of the rules about tracking servers: what was found, what to do about this very thing."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "mlflow.a_server_with_dashes_at_its_end",
        "mlflow-server-legal",
        "its name is 'team-a-'",
        "use letters and digits, and dashes between them, 256 at most",
    ),
    ("mlflow.a_tiny_server", "mlflow-server-legal", "its size is 'small'", "write Small, Medium or Large"),
    (
        "mlflow.a_server_maintained_at_any_hour",
        "mlflow-server-legal",
        "its time of maintenance is 'Tue:24:00'",
        "write a time of the week in UTC, as in Tue:03:30",
    ),
    (
        "mlflow.artifacts_in_a_directory_bucket",
        "mlflow-server-legal",
        "its artifacts go to a directory bucket",
        "take a general purpose bucket of the same Region",
    ),
    (
        "mlflow.a_version_of_three_numbers",
        "mlflow-version-kept",
        "its MLflow version is '3.0.0'",
        "write 3.0",
    ),
    (
        "mlflow.a_version_of_one_number",
        "mlflow-version-kept",
        "its MLflow version is '3'",
        "write it as in 3.0, or leave it out: AWS takes the newest then",
    ),
    (
        "mlflow.pods_of_a_cluster_without_the_agent",
        "mlflow-pods-have-a-role",
        "theirs has no eks-pod-identity-agent: pods get no right to log to MLflow",
        "have its owner install the EKS add-on eks-pod-identity-agent on theirs first",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "mlflow.a_server_of_which_nothing_is_known",
        "mlflow-server-legal",
        "the bucket, maintenance, name and size of mlflow, not known before creation",
    ),
    (
        "mlflow.pods_of_a_cluster_of_which_nobody_says",
        "mlflow-pods-have-a-role",
        "whether theirs has the EKS add-on eks-pod-identity-agent (`muster schema facts` shows the form)",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
