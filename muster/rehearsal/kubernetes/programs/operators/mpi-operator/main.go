// The MPI operator for a rehearsal: its controller, unchanged, behind a main of ours.
//
// Upstream's main serves its health on port 8080 of every interface (a constant: two rehearsals would need the same
// port), and first elects a leader. It also compiles informers of every kind of Kubernetes (`watched`).
package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"reflect"
	"syscall"

	"k8s.io/apimachinery/pkg/runtime"
	batch "k8s.io/client-go/informers/batch/v1"
	core "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/informers/internalinterfaces"
	scheduling "k8s.io/client-go/informers/scheduling/v1"
	kubeclient "k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"
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
	ofCluster := watched{cluster, map[reflect.Type]cache.SharedIndexInformer{}}
	ofCore := core.New(ofCluster, "", nil)
	ofJobs := informers.NewSharedInformerFactory(jobs, 0)
	made, err := controller.NewMPIJobController(
		ctx, cluster, jobs, nil, nil,
		ofCore.ConfigMaps(), ofCore.Secrets(), ofCore.Services(),
		batch.New(ofCluster, "", nil).Jobs(), ofCore.Pods(), scheduling.New(ofCluster, "", nil).PriorityClasses(),
		ofJobs.Kubeflow().V2beta1().MPIJobs(), upstream,
	)
	orDie(err, "no controller")
	ofCluster.Start(ctx.Done())
	ofJobs.Start(ctx.Done())
	orDie(made.Run(*threads, ctx.Done()), "stopped")
}

// watched is a factory of informers, like that of client-go.
type watched struct {
	cluster kubeclient.Interface
	made    map[reflect.Type]cache.SharedIndexInformer
}

func (w watched) InformerFor(of runtime.Object, make internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	kind := reflect.TypeOf(of)
	if w.made[kind] == nil {
		w.made[kind] = make(w.cluster, 0)
	}
	return w.made[kind]
}

func (w watched) InformerName() *cache.InformerName { return nil }

func (w watched) Start(stop <-chan struct{}) {
	for _, each := range w.made {
		go each.Run(stop)
	}
}

func orDie(err error, words string) {
	if err != nil {
		klog.ErrorS(err, words)
		os.Exit(1)
	}
}
