// The Kubeflow training operator for a rehearsal: its controllers and its webhooks, unchanged, behind a main of ours.
//
// Upstream's main keeps the webhook's certificate in /tmp/k8s-webhook-server (a constant: two rehearsals would share
// it, and leave it behind), rotates it through a Secret that a kubelet would mount, and serves on every interface.
package main

import (
	"flag"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/util/flowcontrol"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	volcanov1beta1 "volcano.sh/apis/pkg/apis/scheduling/v1beta1"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"github.com/kubeflow/training-operator/pkg/config"
	controllerv1 "github.com/kubeflow/training-operator/pkg/controller.v1"
	"github.com/kubeflow/training-operator/pkg/controller.v1/common"
	"github.com/kubeflow/training-operator/pkg/webhooks"
)

func main() {
	schemes := flag.String("schemes", "PyTorchJob", "Kinds of jobs, with commas between.")
	port := flag.Int("webhook-port", 0, "Port of the webhook server, on loopback.")
	certificates := flag.String("certificates", "", "Folder of the webhook server's files.")
	certificate := flag.String("certificate", "tls.crt", "Its certificate there.")
	key := flag.String("key", "tls.key", "Its key there.")
	threads := flag.Int("threads", 4, "Workers of each controller.")
	flag.Parse() // --kubeconfig is controller-runtime's
	ctrl.SetLogger(zap.New())

	// Upstream's defaults: the init container of a PyTorchJob's workers.
	config.Config.PyTorchInitContainerImage = config.PyTorchInitContainerImageDefault
	config.Config.PyTorchInitContainerTemplateFile = config.PyTorchInitContainerTemplateFileDefault
	config.Config.PyTorchInitContainerMaxTries = config.PyTorchInitContainerMaxTriesDefault

	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(kubeflowv1.AddToScheme(scheme))
	utilruntime.Must(volcanov1beta1.AddToScheme(scheme)) // where Volcano runs, the controllers watch its PodGroups

	rest := ctrl.GetConfigOrDie()
	rest.RateLimiter = flowcontrol.NewFakeAlwaysRateLimiter() // a 20 requests a second would be measured, not the cluster
	manager, err := ctrl.NewManager(rest, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: "127.0.0.1", Port: *port, CertDir: *certificates, CertName: *certificate, KeyName: *key,
		}),
		HealthProbeBindAddress: "0",
	})
	orDie(err, "no manager")
	for _, kind := range strings.Split(*schemes, ",") {
		reconciler, known := controllerv1.SupportedSchemeReconciler[kind]
		if !known {
			ctrl.Log.Info("unknown kind", "kind", kind)
			os.Exit(2)
		}
		orDie(reconciler(manager, common.GenNonGangSchedulerSetupFunc(), *threads), "no controller of "+kind)
		orDie(webhooks.SupportedSchemeWebhook[kind](manager), "no webhook of "+kind)
	}
	orDie(manager.Start(ctrl.SetupSignalHandler()), "stopped")
}

func orDie(err error, words string) {
	if err != nil {
		ctrl.Log.Error(err, words)
		os.Exit(1)
	}
}
