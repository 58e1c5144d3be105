"""What a model's similarities say, measured on a store's passages, and the scale that ranking was tuned on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from scrubjay.profiles.store.rows import Vector, Vectors
from scrubjay.profiles.store.statements import Connection, upsert

# Models differ in what a similarity says. Of the bundled one, which every constant of ranking was measured with, those
# of any two passages lie around .2 and differ by .13; of multilingual-e5-small around .85, and by .03, since all its
# vectors point much the same way (they are anisotropic; Ethayarajh, EMNLP 2019). So similarities are told by how far
# they are above what this query has with any passage, in units of how much those of two passages differ.
# docs/retrieval.md has what that is worth.

USUAL_LEVEL = 0.08
"""Of the model that ranking was tuned with: a query's similarity to any passage, in a vault of many subjects."""
USUAL_SPREAD = 0.135
"""Of that model: by how much the similarities of two passages of different notes differ (standard deviation)."""
MOST_STRETCHED = 10.0
"""Times: where similarities differ by less, they are noise."""
NOTES = 300
"""That are looked at, and of each so many passages:"""
PASSAGES = 4
GROWN = 4
"""Times as many vectors as when it was measured: then it is measured anew."""
SAME_CENTRE = 0.995
"""Cosine of the centre that was measured and of the one that sketches are around, near enough to leave these."""
_FEWEST = 8  # notes, with fewer their similarities say too little of how much such differ
_NOTHING_TOLD, _ALL_TOLD = 0.53, 0.6
"""Share of passages that are nearer to one of their own note than to one of another, by chance half: where the model
tells nothing apart, and where it does as models do."""
_ROUNDING = 1e-5
"""By how much similarities may differ that are the same: the processor decides which way to add up comes to more."""
_NAME = "calibration "  # in `meta`, before the model's fingerprint


class Calibration(msgspec.Struct, frozen=True):
    """Of one model's vectors in one store."""

    vectors: int  # how many there were when it was measured
    centre: bytes  # their mean, little-endian float32
    spread: float  # standard deviation of the similarities of passages of different notes; 0: too few to tell
    told_apart: float  # share of passages that are nearer to one of their own note than to one of another

    @property
    def mean(self) -> Vector:
        """The mean of the vectors: what they all have in common."""
        return np.frombuffer(self.centre, "<f4").astype(np.float32)

    @property
    def trust(self) -> float:
        """How much of its weight the semantic leg keeps: 1, or 0 for a model that tells these passages not apart."""
        return min(max((self.told_apart - _NOTHING_TOLD) / (_ALL_TOLD - _NOTHING_TOLD), 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class Scale:
    """From the similarities that a query has to those that the usual model would have."""

    level: float  # the query's with any passage
    stretch: float

    def usual(self, similarities: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same order on the usual scale."""
        return USUAL_LEVEL + (similarities - self.level) * self.stretch


def scale_of(calibrations: Sequence[Calibration], vector: Vector) -> Scale:
    """The scale of a query over stores that share a model, as if they were one. calibrations: one at least."""
    counts = np.array([each.vectors for each in calibrations], np.float64)
    levels = [float(vector @ each.mean) for each in calibrations]
    spreads = [each.spread or USUAL_SPREAD for each in calibrations]
    spread = max(float(np.average(spreads, weights=counts)), USUAL_SPREAD / MOST_STRETCHED)
    return Scale(float(np.average(levels, weights=counts)), USUAL_SPREAD / spread)


def trust_of(calibrations: Sequence[Calibration]) -> float:
    """As `Calibration.trust`, over stores that share a model."""
    return float(np.average([each.trust for each in calibrations], weights=[each.vectors for each in calibrations]))


def measured(notes: Mapping[int, Vectors], count: int) -> Calibration:
    """The calibration of a model by its vectors for passages of some notes, one at least. count: of all vectors."""
    passages = np.concatenate(list(notes.values()))
    mean = passages.mean(axis=0, dtype=np.float64)
    # Of each note another place, so that not all are beginnings.
    some = np.stack([vectors[at % len(vectors)] for at, vectors in enumerate(notes.values())])
    between = (some @ some.T)[np.triu_indices(len(some), 1)]
    within = np.concatenate([np.empty(0, np.float32), *(np.sum(of[:-1] * of[1:], axis=1) for of in notes.values())])
    return Calibration(
        vectors=count,
        centre=mean.astype("<f4").tobytes(),
        spread=float(between.std()) if len(some) >= _FEWEST else 0.0,
        told_apart=_share_above(within, between),
    )


def is_near(one: Calibration, other: Calibration) -> bool:
    """Whether sketches around the centre of one do for the other."""
    first, second = one.mean, other.mean
    return float(first @ second) >= SAME_CENTRE * float(np.linalg.norm(first) * np.linalg.norm(second)) > 0


def _share_above(these: NDArray[np.float32], those: NDArray[np.float32]) -> float:
    """How often one of these is larger than one of those, equal ones counting half; 1 where there are none of some."""
    if not len(these) or not len(those):
        return 1.0
    those = np.sort(those)
    below = np.searchsorted(those, these - np.float32(_ROUNDING), "left")
    not_above = np.searchsorted(those, these + np.float32(_ROUNDING), "right")
    return float((below + not_above).mean() / (2 * len(those)))


def without_mean(vector: Vector, mean: Vector) -> Vector:
    """A query's vector without its share of what all passages have in common, which tells them not apart."""
    length = float(mean @ mean)
    return (vector - (float(vector @ mean) / length) * mean).astype(np.float32) if length else vector


def keep(connection: Connection, model: str, calibration: Calibration) -> None:
    """Store what was measured for a model, in place of what was."""
    value = msgspec.json.encode(calibration).decode()
    connection.execute(upsert("meta", ("name",), ("value",)), (_NAME + model, value))


def load(connection: Connection, model: str) -> Calibration | None:
    """What was measured for a model; None before that, and for what was not written as such."""
    value = cast("str | None", connection.execute("SELECT value FROM meta WHERE name = ?", (_NAME + model,)).get)
    try:
        return None if value is None else msgspec.json.decode(value, type=Calibration)
    except msgspec.MsgspecError:  # on a server, whoever writes there can write it
        return None


def load_for(connection: Connection, model_row: int) -> Calibration | None:
    """As `load`, for the model of a row."""
    model = cast("str | None", connection.execute("SELECT fingerprint FROM model WHERE id = ?", (model_row,)).get)
    return None if model is None else load(connection, model)


def forget_others(connection: Connection, model: str) -> None:
    """Drop what was measured for every other model."""
    connection.execute("DELETE FROM meta WHERE name LIKE ? AND name <> ?", (f"{_NAME}%", _NAME + model))
