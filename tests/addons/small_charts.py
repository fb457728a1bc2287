"""Charts under the names of ours, small enough to look through: they take the values that ours take."""

from pathlib import Path

NVIDIA = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: {{ .Values.fullnameOverride | default "nvidia-device-plugin" }}}
spec:
  selector: {matchLabels: {app: plugin}}
  template:
    metadata: {labels: {app: plugin}}
    spec:
      affinity: {{ toJson .Values.affinity }}
      tolerations: {{ toJson .Values.tolerations }}
      nodeSelector: {{ toJson .Values.nodeSelector }}
      containers:
        - {name: plugin, image: "{{ .Values.image.repository }}:v0.20.0"}
      volumes: [{name: sockets, hostPath: {path: /var/lib/kubelet/device-plugins}}]
{{- if .Values.refuse }}{{ fail "this chart refuses that value" }}{{ end }}
"""

EFA = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: aws-efa-k8s-device-plugin}
spec:
  selector: {matchLabels: {app: efa}}
  template:
    metadata: {labels: {app: efa}}
    spec:
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
              - matchExpressions:
                  - key: {{ index .Values.supportedInstanceLabels.keys 0 }}
                    operator: In
                    values: {{ toJson .Values.supportedInstanceLabels.values }}
      tolerations: {{ toJson .Values.tolerations }}
      containers:
        - {name: efa, image: "{{ .Values.image.repository }}:v0.5.20"}
      volumes: [{name: sockets, hostPath: {path: /var/lib/kubelet/device-plugins/}}]
"""

VALUES = {
    "nvidia-device-plugin": "image: {repository: nvcr.io/nvidia/k8s-device-plugin}\nnodeSelector: {}\n",
    "aws-efa-k8s-device-plugin": (
        "image: {repository: 602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/aws-efa-k8s-device-plugin}\n"
    ),
}

MPI_OPERATOR = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: mpi-operator, namespace: mpi-operator}
spec:
  selector: {matchLabels: {app: mpi}}
  template:
    metadata: {labels: {app: mpi}}
    spec: {containers: [{name: mpi, image: "mpioperator/mpi-operator:0.8"}]}
"""


def a_chart(folder: Path, name: str, version: str, template: str, values: str = "") -> Path:
    """One chart, unpacked."""
    chart = folder / f"{name}-{version}"
    (chart / "templates").mkdir(parents=True)
    (chart / "Chart.yaml").write_text(f"apiVersion: v2\nname: {name}\nversion: {version}\n")
    (chart / "values.yaml").write_text(values or VALUES.get(name, "{}"))
    (chart / "templates" / "all.yaml").write_text(template)
    return chart


def small_charts(folder: Path, nvidia: str = NVIDIA, efa: str = EFA) -> Path:
    """A folder with those of the pinned versions, and the MPI operator's manifest."""
    folder.mkdir(exist_ok=True)
    a_chart(folder, "nvidia-device-plugin", "0.20.0", nvidia)
    a_chart(folder, "aws-efa-k8s-device-plugin", "v0.5.30", efa)
    (folder / "mpi-operator-v0.8.2.yaml").write_text(MPI_OPERATOR)
    return folder
