"""What happens in a drill, in the order it happens, and how many pods it leaves."""

from dataclasses import dataclass, field

from muster import words
from muster.rehearsal.outcome import Moment, StandIn, Tone, Waiting
from muster.rehearsal.planned_cluster import PlannedCluster
from muster.rehearsal.pods import Pod
from muster.rehearsal.sent_job import SentJob
from muster.rehearsal.waiting import waiting_pods
from muster.words import listed


@dataclass(slots=True)
class Log:
    """The moments of one drill."""

    job: SentJob
    moments: list[Moment] = field(default_factory=list)
    stand_ins: list[StandIn] = field(default_factory=list)
    """What was played, as often as it was."""

    def say(self, said: str, tone: Tone = Tone.STEP) -> None:
        """Something happened."""
        self.moments.append(Moment(round(self.job.seconds, 2), said, tone))

    def played(self, said: str, stand_in: StandIn, tone: Tone = Tone.STEP) -> None:
        """Something was played that happens here to nobody: the moment says so, and so does the report."""
        self.stand_ins.append(stand_in)
        self.say(f"played: {said}", tone)

    def count(self, before: int) -> int:
        """Says how many pods run again; how many."""
        last = self.job.running()
        self.say(f"running: {last} of {before}", Tone.GOOD if last >= before else Tone.BAD)
        return last

    def failed(self) -> bool:
        """Whether the job has failed for good; says so."""
        if why := self.job.failed():
            self.say(f"the job has failed: {why}", Tone.BAD)
        return bool(why)


def aftermath(cluster: PlannedCluster, job: SentJob, log: Log, lost: int) -> tuple[Waiting, ...]:
    """Lets the controllers make so many lost pods again, and sees who waits."""
    again = job.make_again(lost)
    if again:
        log.say(f"{listed(again)} made again, as the controller would that the rehearsal stands in for")
    if not job.failed():
        job.settle(cluster.patience)
    waiting = waiting_pods(cluster, job)
    log.say(f"running: {job.running()}; waiting: {len(waiting)}", Tone.BAD if waiting else Tone.GOOD)
    return waiting


def counted(pods: tuple[Pod, ...]) -> str:
    """``2 pods``."""
    return words.counted(len(pods), "pod")
