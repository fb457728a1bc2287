"""The files with which a GitOps tool installs add-ons: Argo CD, Flux or helmfile. Pure.

Pulumi then creates only what add-ons have in AWS: roles, and their associations with service accounts.
"""

from collections.abc import Callable, Mapping

from muster.addons.gitops import argo_cd, flux, helmfile
from muster.addons.gitops.parts import Files, Part, Target
from muster.config.description.addons import Installer

WRITERS: Mapping[str, Callable[[tuple[Part, ...], Target], Files]] = {
    Installer.ARGO_CD: argo_cd.files,
    Installer.FLUX: flux.files,
    Installer.HELMFILE: helmfile.files,
}
"""Tool -> writes its files."""

NEXT: Mapping[str, str] = {
    Installer.ARGO_CD: f"commit them, then: kubectl apply -f root.yaml; waves wait only with {argo_cd.HEALTH}",
    Installer.FLUX: "commit them to the repository of the GitRepository flux-system",
    Installer.HELMFILE: "then: helmfile apply",
}
"""What to do with the files."""
