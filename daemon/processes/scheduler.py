"""What is done now and then while nothing calls for it: a table of jobs, and the few threads that do them."""

import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from scrubjay.daemon.processes.loops import Conditions, pause_after
from scrubjay.daemon.processes.priority import lower_disk_priority

Takes: TypeAlias = Literal["moments", "seconds", "minutes"]


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """Something that is done again and again, a turn at a time.

    name: what it is woken by. part: what it does, as the beginning of a sentence for the user ("Watching folders").
    every: seconds from the end of a turn to the next, and before the first, or what says so each time; endless: it is
    only done when it is woken. takes: how long a turn may take; jobs wait for none but those that take as long.
    when: whether it may have its turn now, which is left out otherwise. once: over with the first turn that goes well.
    """

    name: str
    part: str
    step: Callable[[], None]
    every: float | Callable[[], float] = math.inf
    takes: Takes = "seconds"
    when: Callable[[], bool] = lambda: True
    once: bool = False

    def pause(self) -> float:
        """Seconds to the next turn."""
        return self.every() if callable(self.every) else self.every


class Timetable:
    """When the turn of each job is. Pure: the caller says what time it is, in seconds of any clock. Not thread-safe."""

    def __init__(self) -> None:
        self._due: dict[Job, float] = {}
        self._failures: dict[Job, int] = {}  # in a row

    def put(self, job: Job, at: float) -> None:
        """The job's next turn is then, whenever it was to be before."""
        self._due[job] = at

    def remove(self, job: Job) -> None:
        """The job has no turn any more."""
        self._due.pop(job, None)
        self._failures.pop(job, None)

    def wake(self, name: str, by: float) -> None:
        """Jobs of this name have a turn by then."""
        for job in self._due:
            if job.name == name:
                self._due[job] = min(self._due[job], by)

    def next(self) -> float | None:
        """When the first of all turns is, which may never come (endless); None where there are no jobs."""
        return min(self._due.values(), default=None)

    def take(self, now: float) -> Job | None:
        """The job that has waited longest for its turn. It has no other until that is over, or it is woken."""
        job = min(self._due, key=self._due.__getitem__, default=None)
        if job is None or self._due[job] > now:
            return None
        self._due[job] = math.inf
        return job

    def is_over(self, job: Job, now: float, pause: float | None) -> None:
        """The job's turn has gone well, and the next is after a pause, or never, in which case it is removed."""
        self._failures.pop(job, None)
        if pause is None:
            self.remove(job)
        elif job in self._due:
            self._due[job] = min(self._due[job], now + pause)

    def has_failed(self, job: Job, now: float) -> None:
        """The job's turn has failed, and is repeated after a pause that grows from a second to a minute."""
        if job in self._due:
            failures = self._failures[job] = self._failures.get(job, 0) + 1
            every = 0.0 if callable(job.every) or job.every == math.inf else job.every
            self._due[job] = min(self._due[job], now + max(every, pause_after(failures)))


class Scheduler:
    """Does jobs when their time has come, and whatever they raise: `conditions` says so until a turn has gone well.

    After an exception a job is tried again in a second, later in a minute. Jobs that take moments, seconds and minutes
    have a thread each, which sleeps until one of its jobs is due and exists only while there are any; so none waits for
    one that takes longer. Thread-safe. clock: as `time.monotonic`.
    """

    def __init__(self, conditions: Conditions | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.conditions = conditions or Conditions()
        self._stopping = threading.Event()
        self._lanes: Mapping[Takes, _Lane] = {
            "moments": _Lane("jobs-moments", self.conditions, clock, self._stopping),
            "seconds": _Lane("jobs-seconds", self.conditions, clock, self._stopping),
            "minutes": _Lane("jobs-minutes", self.conditions, clock, self._stopping, lower_disk_priority),
        }

    @property
    def is_stopping(self) -> bool:
        """Whether it was stopped: a turn that takes long should end."""
        return self._stopping.is_set()

    def add(self, *jobs: Job) -> None:
        """Do these jobs from now on, the first time after their pause. One that was added before begins its pause anew.

        Nothing is added once it was stopped.
        """
        for job in jobs:
            self._lanes[job.takes].add(job)

    def remove(self, job: Job) -> None:
        """Do a job no more; returns when it is not under way any more, unless it is the job itself that asks."""
        self._lanes[job.takes].remove(job)

    def wake(self, name: str, within: float = 0.0) -> None:
        """Jobs of this name, if there are any, have a turn within so many seconds."""
        for lane in self._lanes.values():
            lane.wake(name, within)

    def stop(self, cut_short: Callable[[], None] = lambda: None) -> None:
        """End after the turns that are under way. May be called twice.

        cut_short: called when no turn is begun any more; ends what would be waited for in vain.
        """
        self._stopping.set()
        for lane in self._lanes.values():
            lane.notify()
        cut_short()
        for lane in self._lanes.values():
            lane.join()


class _Lane:
    """A thread that does its jobs one after the other, for as long as it has any."""

    def __init__(
        self,
        name: str,
        conditions: Conditions,
        clock: Callable[[], float],
        stopping: threading.Event,
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        self._name = name
        self._conditions = conditions
        self._clock = clock
        self._stopping = stopping
        self._prepare = prepare
        self._changed = threading.Condition()  # guards the three below
        self._timetable = Timetable()
        self._current: Job | None = None
        self._thread: threading.Thread | None = None

    def add(self, job: Job) -> None:
        pause = job.pause()
        with self._changed:
            if self._stopping.is_set():
                return
            before = self._timetable.next()
            self._timetable.put(job, self._clock() + pause)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._notify_if_sooner(before)

    def remove(self, job: Job) -> None:
        with self._changed:
            self._timetable.remove(job)
            if self._timetable.next() is None:
                self._changed.notify_all()  # the thread ends
            if threading.current_thread() is not self._thread:
                self._changed.wait_for(lambda: self._current is not job)
        self._conditions.clear(job.part)

    def wake(self, name: str, within: float) -> None:
        with self._changed:
            before = self._timetable.next()
            self._timetable.wake(name, self._clock() + within)
            self._notify_if_sooner(before)

    def notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def join(self) -> None:
        if thread := self._thread:
            thread.join()

    def _notify_if_sooner(self, before: float | None) -> None:
        due = self._timetable.next()
        if due is not None and (before is None or due < before):
            self._changed.notify_all()

    def _run(self) -> None:
        self._prepare()
        while job := self._next():
            self._do(job)
            del job  # what it holds, texts perhaps, may go while this thread sleeps

    def _do(self, job: Job) -> None:
        try:
            may = job.when()
            if may:
                job.step()
            pause = None if may and job.once else job.pause()
        except Exception as error:  # noqa: BLE001  (the last resort: no job may end the others)
            self._conditions.failed(job.part, error)
            with self._changed:
                self._timetable.has_failed(job, self._clock())
        else:
            if may:
                self._conditions.clear(job.part)
            with self._changed:
                self._timetable.is_over(job, self._clock(), pause)

    def _next(self) -> Job | None:
        """The next job, once its turn has come; None when there is none to wait for, which ends the thread."""
        with self._changed:
            self._current = None
            self._changed.notify_all()  # who waits for its end in `remove`
            while not self._stopping.is_set() and (due := self._timetable.next()) is not None:
                if job := self._timetable.take(self._clock()):
                    self._current = job
                    return job
                self._changed.wait(min(due - self._clock(), threading.TIMEOUT_MAX))
            self._thread = None
            return None
