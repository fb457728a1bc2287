// The MPI operator for a rehearsal: its controller, unchanged, behind a main of ours.
//
// Upstream's main serves its health on port 8080 of every interface (a constant: two rehearsals would need the same
// port), and first elects a leader.
package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"

	kubeinformers "k8s.io/client-go/informers"
	kubeclient "k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"github.com/kubeflow/mpi-operator/cmd/mpi-operator/app/options"
	mpijobclient "github.com/kubeflow/mpi-operator/pkg/client/clientset/versioned"
	"github.com/kubeflow/mpi-operator/pkg/client/clientset/versioned/scheme"
	informers "github.com/kubeflow/mpi-operator/pkg/client/informers/externalversions"
	"github.com/kubeflow/mpi-operator/pkg/controller"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "The file that reaches the API server.")
	threads := flag.Int("threads", 4, "Workers of the controller.")
	upstream := options.NewServerOption()
	upstream.AddFlags(flag.CommandLine) // its defaults are upstream's
	flag.Parse()
	upstream.ControllerRateLimit, upstream.ControllerBurst = 1000, 1000

	rest, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	orDie(err, "no kubeconfig")
	rest.QPS = -1 // 5 requests a second would be measured, not the cluster
	orDie(scheme.AddToScheme(clientgoscheme.Scheme), "no scheme")
	cluster, jobs := kubeclient.NewForConfigOrDie(rest), mpijobclient.NewForConfigOrDie(rest)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ofCluster := kubeinformers.NewSharedInformerFactory(cluster, 0)
	ofJobs := informers.NewSharedInformerFactory(jobs, 0)
	made, err := controller.NewMPIJobController(
		ctx, cluster, jobs, nil, nil,
		ofCluster.Core().V1().ConfigMaps(), ofCluster.Core().V1().Secrets(), ofCluster.Core().V1().Services(),
		ofCluster.Batch().V1().Jobs(), ofCluster.Core().V1().Pods(), ofCluster.Scheduling().V1().PriorityClasses(),
		ofJobs.Kubeflow().V2beta1().MPIJobs(), upstream,
	)
	orDie(err, "no controller")
	ofCluster.Start(ctx.Done())
	ofJobs.Start(ctx.Done())
	orDie(made.Run(*threads, ctx.Done()), "stopped")
}

func orDie(err error, words string) {
	if err != nil {
		klog.ErrorS(err, words)
		os.Exit(1)
	}
}
