"""The boxes that files are read in: one for each profile, made when it is first needed."""

import threading
from collections.abc import Callable

from scrubjay.daemon.extracting.box.box import Box, Recogniser
from scrubjay.daemon.extracting.box.confinement import Measure
from scrubjay.daemon.workers.loops import Conditions


class Boxes:
    """The boxes of all profiles, by id. Thread-safe. Close it when done. is_strict: as for `Box`."""

    def __init__(
        self,
        file_seconds: Callable[[], float],
        conditions: Conditions | None = None,
        is_strict: Callable[[], bool] = lambda: False,
    ) -> None:
        self._file_seconds = file_seconds
        self._conditions = conditions
        self._is_strict = is_strict
        self._lock = threading.Lock()  # guards the dictionary
        self._boxes: dict[str, Box] = {}
        self._recognisers: dict[str, Recogniser] = {}

    def of(self, profile_id: str) -> Box:
        """The box of a profile; its process starts with the first file."""
        with self._lock:
            if profile_id not in self._boxes:
                self._boxes[profile_id] = Box(self._file_seconds, self._conditions, is_strict=self._is_strict)
            return self._boxes[profile_id]

    def recogniser_of(self, profile_id: str) -> Recogniser:
        """What reads the pictures of a profile, likewise."""
        with self._lock:
            if profile_id not in self._recognisers:
                self._recognisers[profile_id] = Recogniser(self._conditions, is_strict=self._is_strict)
            return self._recognisers[profile_id]

    def measures(self) -> tuple[Measure, ...] | None:
        """By which measures all processes that were started are closed to the world; None before the first one."""
        with self._lock:
            known = [door.measures for door in (*self._boxes.values(), *self._recognisers.values())]
        told = [measures for measures in known if measures is not None]
        return tuple(each for each in told[0] if all(each in other for other in told)) if told else None

    def forget(self, profile_id: str) -> None:
        """End the processes of a profile, whatever they do."""
        with self._lock:
            doors = (self._boxes.pop(profile_id, None), self._recognisers.pop(profile_id, None))
        for door in doors:
            if door is not None:
                door.close()

    def close(self) -> None:
        """End all processes."""
        for profile_id in {*self._boxes, *self._recognisers}:
            self.forget(profile_id)
