"""Slurm's own settings, and its accounting."""

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.policies.case import cases
from tests.policies.parallelclusters import SECRET, accounting, said_of
from tests.slurms import IMAGE, a_queue, a_resource, a_slurm_fleet

cases(
    a_database_with_a_scheme=lambda: accounting("mysql://slurm.example.com"),
    a_database_at_a_path=lambda: accounting("/slurm.example.com"),
    a_database_by_its_host=lambda: accounting("slurm.example.com"),
    a_password_in_a_parameter=lambda: accounting(secret="arn:aws:ssm:us-west-2:111122223333:parameter/slurm"),
    a_password_in_another_region=lambda: accounting(secret=SECRET.replace("us-west-2", "us-east-1")),
    a_database_not_yet_known=lambda: accounting(UNKNOWN),
    two_ways_of_accounting=lambda: accounting(external_accounting=True, munge_key=True),
    a_slurmdbd_from_elsewhere_without_its_key=lambda: said_of(external_accounting=True),
    a_slurmdbd_from_elsewhere=lambda: said_of(external_accounting=True, munge_key=True),
    a_setting_that_is_parallelclusters=lambda: said_of(slurm_settings=frozenset({"SuspendTime", "MaxJobCount"})),
    accounting_by_settings=lambda: said_of(slurm_settings=frozenset({"JobAcctGatherType"})),
    accounting_by_settings_beside_a_database=lambda: accounting(slurm_settings=frozenset({"JobAcctGatherType"})),
    nodes_called_like_parallelclusters=lambda: said_of(node_names=frozenset({"train-st-own-[1-4]"})),
    settings_and_a_file_of_them=lambda: said_of(slurm_settings=frozenset({"MaxJobCount"}), include_file=True),
    a_setting_of_accounting_that_there_may_be=lambda: said_of(
        accounting=UNKNOWN, slurm_settings=frozenset({"JobAcctGatherType", "MaxJobCount"})
    ),
    other_settings_beside_accounting_that_there_may_be=lambda: said_of(
        accounting=UNKNOWN, slurm_settings=frozenset({"MaxJobCount"})
    ),
    a_setting_refused_with_and_without_accounting=lambda: said_of(
        accounting=UNKNOWN, slurm_settings=frozenset({"SuspendTime"})
    ),
    a_setting_that_slurm_does_not_have=lambda: said_of(
        slurm_settings=frozenset({"SelectTypeParametrs", "maxjobcount"})
    ),
    settings_that_slurm_has_removed=lambda: said_of(
        slurm_settings=frozenset({"FastSchedule", "SallocDefaultCommand", "accountingstorejobcomment"})
    ),
    a_node_of_your_own=lambda: said_of(slurm_settings=frozenset({"NodeName", "RealMemory", "SelectType"})),
    settings_not_yet_known=lambda: said_of(slurm_settings=UNKNOWN),
    a_denied_setting_in_small_letters=lambda: said_of(slurm_settings=frozenset({"taskplugin"})),
    a_database_at_a_port_too_high=lambda: accounting("slurm.example.com:99999"),
    a_database_at_port_0=lambda: accounting("slurm.example.com:0"),
    a_database_at_the_highest_port=lambda: accounting("slurm.example.com:65535"),
)


def _values(**settings: str) -> Fleet:
    return said_of(slurm_settings=frozenset(settings), slurm_values=tuple(sorted(settings.items())))


cases(
    "slurm-settings-values",
    numbers_that_slurm_reads=lambda: _values(
        maxjobcount="20000", MinJobAge="0x10", PriorityWeightAge="UNLIMITED", MaxStepCount="40k", ResvOverRun="infinite"
    ),
    numbers_that_are_none=lambda: _values(
        MaxJobCount="many", MinJobAge="-1", KillWait="1k", HealthCheckInterval="09", DefMemPerGPU="4G"
    ),
    numbers_that_are_too_small=lambda: _values(FirstJobId="0", MaxJobCount="00", MaxStepCount="0", KillWait="0"),
    numbers_that_are_too_large=lambda: _values(KillWait="65536", MaxJobCount="4194304k", MaxArraySize="4294967295"),
    a_number_before_a_comment=lambda: _values(MaxJobCount="20000 # for us", KillWait='"30"'),
    yes_and_no=lambda: _values(TrackWCKey="Yes", DisableRootJobs="0", PriorityFavorSmall="maybe"),
    a_number_where_slurm_reads_nothing_any_more=lambda: _values(GetEnvTimeout="soon"),
    plugins_that_exist=lambda: _values(
        SchedulerType="sched/backfill",
        PriorityType="priority/multifactor",
        JobCompType="jobcomp/none",
        AuthAltTypes="auth/jwt,auth/munge",
        TopologyPlugin="topology/default",
        JobSubmitPlugins="lua",
    ),
    plugins_that_do_not_exist=lambda: _values(
        SchedulerType="sched/backfil", PriorityType="priority/multi-factor", JobCompType="jobcomp/file"
    ),
    plugins_of_types_that_slurm_no_longer_has=lambda: _values(LaunchType="launch/slurm", CryptoType="crypto/munge"),
    a_path_that_looks_like_a_plugin=lambda: _values(MailProg="sched/mail", JobCompLoc="jobcomp/jobs.txt"),
    a_plugin_of_ones_own_in_a_folder_of_ones_own=lambda: _values(
        PluginDir="/opt/plugins", JobCompType="jobcomp/warehouse", SchedulerType="sched/backfil"
    ),
    a_plugin_of_ones_own_in_an_image_of_ones_own=lambda: said_of(
        image=IMAGE, slurm_values=(("JobCompType", "jobcomp/warehouse"),)
    ),
    words_that_slurm_knows=lambda: _values(
        PreemptMode="SUSPEND,GANG",
        EnforcePartLimits="Any",
        SelectTypeParameters="CR_Core_Memory,CR_ONE_TASK_PER_CORE",
        DebugFlags="NO_CONF_HASH,backfill",
        PrologFlags="contain,X11",
        SlurmctldDebug="debug2",
        SlurmdDebug="5",
    ),
    words_that_slurm_does_not_know=lambda: _values(
        PreemptMode="KILL",
        EnforcePartLimits="maybe",
        SelectTypeParameters="CR_Cores",
        DebugFlags="Backfil",
        PrologFlags="Allocate",
        SlurmctldDebug="verbos",
    ),
    values_of_a_queue_and_of_a_node=lambda: a_slurm_fleet(
        a_queue(slurm_values=(("MaxNodes", "2"), ("PriorityJobFactor", "high"))),
        a_resource(slurm_values=(("RealMemory", "lots"), ("SelectTypeParameters", "any"))),
    ),
    settings_whose_values_are_not_known=lambda: said_of(slurm_settings=frozenset({"MaxJobCount"})),
)

cases(
    "slurm-settings-together",
    a_mode_without_a_type_of_preemption=lambda: _values(PreemptMode="REQUEUE"),
    a_mode_with_a_type_of_no_preemption=lambda: _values(PreemptMode="Cancel", PreemptType="preempt/none"),
    a_type_without_a_mode=lambda: _values(PreemptType="preempt/qos"),
    a_type_with_a_mode_that_is_off=lambda: _values(preempttype="preempt/partition_prio", PREEMPTMODE="OFF,GANG"),
    a_suspension_without_gang=lambda: _values(PreemptType="preempt/partition_prio", PreemptMode="SUSPEND"),
    preemption_that_slurm_takes=lambda: _values(PreemptType="preempt/partition_prio", PreemptMode="SUSPEND,GANG"),
    gang_scheduling_alone=lambda: _values(PreemptMode="GANG"),
    no_preemption=lambda: _values(PreemptMode="off", PreemptType="preempt/none"),
    a_mode_that_newer_releases_alone_have=lambda: _values(PreemptMode="priority", PreemptType="preempt/qos"),
    two_ways_of_counting_memory=lambda: _values(JobAcctGatherParams="UsePss,NoShared"),
    one_way_of_counting_memory=lambda: _values(JobAcctGatherParams="UsePss"),
    a_prolog_that_contains_and_does_not_hold=lambda: _values(PrologFlags="NoHold,X11"),
    a_prolog_that_contains=lambda: _values(PrologFlags="Alloc,Contain"),
    no_network=lambda: _values(CommunicationParameters="DisableIPv4"),
    ipv6_alone=lambda: _values(CommunicationParameters="DisableIPv4,EnableIPv6"),
    a_first_job_above_the_last=lambda: _values(FirstJobId="5000", MaxJobId="4000"),
    a_first_job_below_the_last=lambda: _values(FirstJobId="1", MaxJobId="0x7fff"),
    usage_that_never_decays=lambda: _values(PriorityDecayHalfLife="0"),
    usage_that_is_reset=lambda: _values(PriorityDecayHalfLife="0", PriorityUsageResetPeriod="MONTHLY"),
)
