"""Installs add-ons on a cluster, given by its contract and not by its components."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as kubernetes

from muster.addons import overlay
from muster.addons.addon import Addon, ArnOf, Chart, EksAddon, Json, Kustomization, Manifest, Permissions
from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext
from muster.addons.installation_order import KEPT_KINDS, InstallStep, install_order
from muster.addons.manifest_patches import changed
from muster.addons.namespaces import is_made_for_accounts
from muster.addons.releases import DEFAULT_TIMEOUT, Release, of_addon, of_chart
from muster.addons.service_account_roles import ServiceAccountRole, trust_of
from muster.addons.values import known_values, values_of, version_of
from muster.blueprint.iam import name_prefix
from muster.config.description.addons import OtherChart, existing_oidc_provider
from muster.config.description.iam import AddonsIam
from muster.plain_data import with_texts
from muster.unknown import has_unknown


@dataclass(frozen=True, slots=True)
class ClusterHandle:
    """What installing an add-on needs of a cluster, whichever stack deploys it."""

    kubeconfig: pulumi.Input[str]
    arn: pulumi.Input[str]
    context: AddonContext
    ready: tuple[pulumi.Resource, ...] = ()
    """What add-ons wait for: access entries and the CNI; those that wait for nodes also the groups and CoreDNS."""
    made: pulumi.Resource | None = None
    """The control plane, where this stack creates it: its deletion deletes everything on it."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Of an add-on's resources in AWS."""
    iam: AddonsIam = field(default_factory=AddonsIam.model_construct)
    """Of an add-on's roles."""
    accounts: tuple[tuple[str, str], ...] = ()
    """Service accounts of no add-on that have a role in AWS: namespace and name."""
    rights: tuple[Json, ...] = ()
    """Roles and bindings of people."""
    account: str = ""
    """The id of its AWS account; an add-on with a role needs it."""
    issuer: pulumi.Input[str] = ""
    """The issuer of its tokens, with https://."""
    oidc: pulumi.Input[str] = ""
    """The ARN of its IAM OIDC provider, if an add-on needs one."""
    hyperpod: pulumi.Input[str] = ""
    """The ARN of the HyperPod cluster whose instances are its nodes, once it exists."""


class Addons(pulumi.ComponentResource):
    """The chosen add-ons, with values derived from the nodes, in the order of installation.

    They are installed in two steps: those that come before nodes (`Addon.before_nodes`) with the component, the others
    by `after_nodes`. Nodes that are made in between have to depend on `first`. A cluster that has its nodes takes both
    steps at once (`on`).
    """

    def __init__(self, cluster: ClusterHandle) -> None:
        super().__init__("muster:addons:Addons", "addons")
        self.provider: pulumi.ProviderResource = kubernetes.Provider(
            "cluster",
            kubeconfig=cluster.kubeconfig,
            # The ARN, not the endpoint: a new endpoint does not make it another cluster.
            cluster_identifier=cluster.arn,
            # The objects of a deleted cluster are also deleted.
            delete_unreachable=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        self._made: dict[str, list[pulumi.Resource]] = {}
        self._oidc: aws.iam.OpenIdConnectProvider | None = None
        self._install((step for step in install_order(cluster.context) if step.before_nodes), cluster)
        self.first = tuple(self._every())
        """What nodes have to depend on."""

    @classmethod
    def on(cls, cluster: ClusterHandle) -> "Addons":
        """Both steps, on a cluster that has its nodes."""
        addons = cls(cluster)
        addons.after_nodes(cluster)
        return addons

    def after_nodes(self, cluster: ClusterHandle) -> None:
        """Installs what waits for nodes: charts that come before add-ons, the other add-ons, then other charts.

        Args:
            cluster: the same cluster; `ready` contains its nodes.
        """
        early = self._charts(cluster, before_addons=True)
        steps = (step for step in install_order(cluster.context) if not step.before_nodes)
        self._install(steps, replace(cluster, ready=(*cluster.ready, *early)))
        charts = [*early, *self._charts(cluster, before_addons=False)]
        opts = self._options([*cluster.ready, *self._every(), *charts])
        used = {each for each, _ in cluster.accounts}
        used |= {each["metadata"]["namespace"] for each in cluster.rights if "namespace" in each["metadata"]}
        made = {each: self._namespace(each, cluster, opts) for each in sorted(used)}
        for namespace, name in cluster.accounts:
            # Kubernetes makes one called default in each namespace.
            if name != "default":
                kubernetes.core.v1.ServiceAccount(
                    f"{namespace}-{name}",
                    metadata=kubernetes.meta.v1.ObjectMetaArgs(name=name, namespace=namespace),
                    opts=_with(opts, depends_on=made[namespace]),
                )
        for each in cluster.rights:
            namespace = each["metadata"].get("namespace", "")
            _object(namespace or "cluster", each, _with(opts, depends_on=made.get(namespace)))
        self.register_outputs({})

    def _charts(self, cluster: ClusterHandle, *, before_addons: bool) -> list[pulumi.Resource]:
        """The description's own charts."""
        opts = self._options([*cluster.ready, *self._every()])
        return [
            made
            for release, chart in cluster.context.own.other_charts(before_addons=before_addons).items()
            for made in _own_chart(release, chart, cluster, opts)
        ]

    def _install(self, steps: Iterable[InstallStep], cluster: ClusterHandle) -> None:
        own = cluster.context.own
        for step in steps:
            if own.has(step.addon.name):
                cluster = self._with_oidc(step.addon, cluster)
                before = [each for name in step.after for each in self._made.get(name, ())]
                opts = self._options([*cluster.ready, *before])
                self._made[step.addon.name] = install(step.addon, cluster, opts)

    def _with_oidc(self, addon: Addon, cluster: ClusterHandle) -> ClusterHandle:
        """The cluster with its IAM OIDC provider, if the roles of an add-on need one."""
        if not any(each.by_oidc for each in addon.permissions(cluster.context)):
            return cluster
        own = cluster.context.own.chosen
        if described := existing_oidc_provider(own.values()):
            return replace(cluster, oidc=described)
        if self._oidc is None:
            kept = any(CATALOGUE[name].is_kept(each) for name, each in own.items() if _by_oidc(name, cluster.context))
            self._oidc = aws.iam.OpenIdConnectProvider(
                "oidc",
                url=cluster.issuer,
                client_id_lists=["sts.amazonaws.com"],
                tags=dict(cluster.tags),
                opts=pulumi.ResourceOptions(parent=self, retain_on_delete=kept or None),
            )
        return replace(cluster, oidc=self._oidc.arn)

    def _namespace(self, name: str, cluster: ClusterHandle, opts: pulumi.ResourceOptions) -> list[pulumi.Resource]:
        """A namespace, if nothing else makes it. It is never deleted, because others also put objects into it."""
        here = cluster.context.applied_by(None)
        if not is_made_for_accounts(here, name, (CATALOGUE[each].namespace for each in here.chosen)):
            return []
        kept = pulumi.ResourceOptions(retain_on_delete=True, deleted_with=cluster.made)
        metadata = kubernetes.meta.v1.ObjectMetaArgs(name=name)
        return [kubernetes.core.v1.Namespace(name, metadata=metadata, opts=pulumi.ResourceOptions.merge(opts, kept))]

    def of(self, name: str) -> list[pulumi.Resource]:
        """The resources of one add-on; none if the stack does not install it."""
        return list(self._made.get(name, ()))

    def _every(self) -> list[pulumi.Resource]:
        return [each for several in self._made.values() for each in several]

    def _options(self, depends_on: list[pulumi.Resource]) -> pulumi.ResourceOptions:
        return pulumi.ResourceOptions(parent=self, provider=self.provider, depends_on=depends_on)


def _with(opts: pulumi.ResourceOptions, **more: Any) -> pulumi.ResourceOptions:
    return pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(**more))


def _by_oidc(name: str, context: AddonContext) -> bool:
    return any(each.by_oidc for each in CATALOGUE[name].permissions(context))


def install(addon: Addon, cluster: ClusterHandle, opts: pulumi.ResourceOptions) -> list[pulumi.Resource]:
    """Registers one add-on with its roles and objects, and returns what later add-ons depend on."""
    context = cluster.context
    options = context.chosen[addon.name]
    source, version = addon.source, version_of(addon, options)
    # Muster's objects are deleted with the description's entry: a queue that stayed would offer nodes that others have.
    # Destroying the cluster must not wait until they have no jobs.
    gone = cluster.made if addon.is_kept(options) else None
    described = _with(opts, deleted_with=gone)
    # The roles of an add-on that stays, stay: its pods need them.
    opts = _with(opts, retain_on_delete=addon.is_kept(options) or None)
    roles = {each: _role(addon.name, each, cluster, opts) for each in addon.permissions(context)}
    policies = [policy for role in roles.values() for policy in role.policies]
    first = _with(opts, depends_on=policies)
    # Also for EKS add-ons: EKS allows an association in an add-on only if the version of the add-on declares one, and
    # HyperPod's training operator v1.2.1 does not (awslabs/awsome-distributed-ai#1076).
    made: list[pulumi.Resource] = [
        _association(addon.name, each, role, context, opts) for each, role in roles.items() if not each.by_oidc
    ]
    if options.controller:
        return made  # `muster.addons.gitops` writes the rest
    then = _with(first, depends_on=made)
    if isinstance(source, EksAddon):
        arns = {each.service_account: role.arn for each, role in roles.items()}
        made.append(_eks_addon(addon, source, version, cluster, arns, then))
    elif isinstance(source, Chart):
        made.append(_release(addon.name, of_addon(addon, context), addon.namespace, then, waits=addon.waits))
    elif isinstance(source, Manifest):
        made.append(_manifest(addon, source, version, context, then))
    elif isinstance(source, Kustomization):
        made.append(_kustomization(addon, source, version, context, then))
    for each in addon.objects(context):
        # One after the other: a queue may be part of the one before, or in a namespace that comes before it.
        made.append(_object(addon.name, each, _with(described, depends_on=list(made))))
    return made


def _own_chart(
    release: str, chart: OtherChart, cluster: ClusterHandle, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    """A chart of the description's own, after the roles of its service accounts; only these, if a GitOps tool applies
    the chart."""
    made: list[pulumi.Resource] = []
    for account, given in chart.roles.items():
        each = Permissions(chart.namespace, account, policies=tuple(given.policies), release=release)
        role = _role(release, each, cluster, opts)
        made += [*role.policies, _association(release, each, role, cluster.context, opts)]
    if chart.controller:
        return made
    here = of_chart(release, chart, cluster.context)
    return [_release(release, here, chart.namespace, _with(opts, depends_on=made))]


def _release(
    name: str, made: Release, namespace: str, opts: pulumi.ResourceOptions, *, waits: bool = True
) -> kubernetes.helm.v3.Release:
    """A Helm release: of an add-on, or of a chart of the user's."""
    index = None if made.in_registry else kubernetes.helm.v3.RepositoryOptsArgs(repo=made.repository)
    return kubernetes.helm.v3.Release(
        name,
        name=made.name,
        namespace=namespace,
        # EKS has kube-system; a first release makes others.
        create_namespace=namespace != "kube-system" or None,
        chart=made.address if made.in_registry else made.chart,
        repository_opts=index,
        version=made.version,
        values=made.values,
        atomic=waits,
        timeout=made.timeout if made.timeout != DEFAULT_TIMEOUT else None,
        skip_await=not waits or None,
        opts=opts,
    )


def _manifest(
    addon: Addon, manifest: Manifest, version: str, context: AddonContext, opts: pulumi.ResourceOptions
) -> pulumi.Resource:
    patches = manifest.patches_of(version, values_of(addon, context), context.mirrors.image)
    changes = [_deployment_transform(patches)] if patches else []
    return kubernetes.yaml.v2.ConfigFile(
        addon.name,
        file=manifest.address_of(version),
        opts=_with(opts, transforms=changes),
    )


def _kustomization(
    addon: Addon, source: Kustomization, version: str, context: AddonContext, opts: pulumi.ResourceOptions
) -> pulumi.Resource:
    folder = overlay.write(pulumi.get_stack(), addon.name, source, version, context)
    return kubernetes.kustomize.v2.Directory(addon.name, directory=folder, opts=opts)


def _eks_addon(
    addon: Addon,
    source: EksAddon,
    version: str,
    cluster: ClusterHandle,
    roles: Mapping[str, pulumi.Output[str]],
    opts: pulumi.ResourceOptions,
) -> aws.eks.Addon:
    return aws.eks.Addon(
        addon.name,
        cluster_name=cluster.context.cluster,
        addon_name=source.name,
        addon_version=version,
        configuration_values=_configuration(addon, cluster, roles),
        service_account_role_arn=roles.get(source.annotated) if source.annotated else None,
        resolve_conflicts_on_create="OVERWRITE",
        resolve_conflicts_on_update="PRESERVE",
        tags=_tags(addon.name, cluster),
        opts=_of_aws(opts),
    )


def _configuration(
    addon: Addon, cluster: ClusterHandle, roles: Mapping[str, pulumi.Output[str]]
) -> pulumi.Input[str] | None:
    """The configuration of an EKS add-on, as JSON."""
    values = values_of(addon, cluster.context)

    def as_json(arns: Mapping[str, Any]) -> str:
        whole = with_texts(values, lambda each: arns[each] if isinstance(each, ArnOf) else each)
        return json.dumps(whole, sort_keys=True)

    if has_unknown(known_values(addon, cluster.context)):
        return pulumi.Output.all(**roles, **{"": cluster.hyperpod}).apply(as_json)
    return as_json({}) if values else None


def _role(name: str, each: Permissions, cluster: ClusterHandle, opts: pulumi.ResourceOptions) -> ServiceAccountRole:
    return ServiceAccountRole(
        each,
        trust_of(each, cluster.account, cluster.oidc, cluster.issuer),
        region=cluster.context.region,
        name_prefix=pulumi.Output.from_input(cluster.context.cluster).apply(lambda of: name_prefix(of, name)),
        tags=_tags(name, cluster),
        iam=cluster.iam,
        given=cluster.iam.roles.addons.get(name),
        opts=pulumi.ResourceOptions(parent=opts.parent, retain_on_delete=opts.retain_on_delete),
    )


def _association(
    name: str, each: Permissions, role: ServiceAccountRole, context: AddonContext, opts: pulumi.ResourceOptions
) -> pulumi.Resource:
    return aws.eks.PodIdentityAssociation(
        f"{name}-{each.service_account}",
        cluster_name=context.cluster,
        namespace=each.namespace,
        service_account=each.service_account,
        role_arn=role.arn,
        opts=_of_aws(_with(opts, depends_on=role.policies)),
    )


def _of_aws(opts: pulumi.ResourceOptions) -> pulumi.ResourceOptions:
    """The options without the Kubernetes provider."""
    return pulumi.ResourceOptions(
        parent=opts.parent, depends_on=opts.depends_on, retain_on_delete=opts.retain_on_delete
    )


def _tags(name: str, cluster: ClusterHandle) -> dict[str, pulumi.Input[str]]:
    whole = pulumi.Output.from_input(cluster.context.cluster).apply(lambda of: f"{of}-{name}")
    return {"Name": whole, **cluster.tags}


_CORE = frozenset({"v1"})


def _object(of: str, manifest: Json, opts: pulumi.ResourceOptions) -> pulumi.Resource:
    """One object of any kind: the provider takes it by its API version. `of` distinguishes its name."""
    version, kind = manifest["apiVersion"], manifest["kind"]
    group = f"core/{version}" if version in _CORE else version
    # The claims of several namespaces have one name, and their volumes have not.
    own = manifest.get("spec", {}).get("volumeName", manifest["metadata"]["name"])
    name = f"{of}-{kind.lower()}-{own}"
    kept = pulumi.ResourceOptions(retain_on_delete=True if kind in KEPT_KINDS else None)
    return pulumi.CustomResource(f"kubernetes:{group}:{kind}", name, manifest, pulumi.ResourceOptions.merge(opts, kept))


def _deployment_transform(patches: tuple[Json, ...]) -> Callable[[pulumi.ResourceTransformArgs], Any]:
    """A transform that applies patches to Deployments."""

    def transform(resource: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult | None:
        if resource.type_ != "kubernetes:apps/v1:Deployment":
            return None
        props = changed({"kind": "Deployment", **resource.props}, patches)
        return pulumi.ResourceTransformResult(props, resource.opts)

    return transform
