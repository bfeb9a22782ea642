"""Learning from a few examples: a plain linear classifier that admits doubt.

A handful of examples a kind cannot carry more than a linear rule; how strongly it is held back (`caution`) decides how
sure it ever gets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

Floats = npt.NDArray[np.float64]
Classes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Judge:
    """How likely each kind is, from features; `weights` is features + 1 by kinds."""

    middle: Floats
    scale: Floats
    weights: Floats

    def likelihoods(self, features: npt.NDArray[np.floating]) -> Floats:
        """One row a case, one column a kind; each row sums to 1."""
        return _softmax(_padded(features, self.middle, self.scale) @ self.weights)


def learn(
    features: npt.NDArray[np.floating],
    kinds: Classes,
    count: int,
    *,
    weight: Floats | None = None,
    caution: float = 1.0,
    scale_from: npt.NDArray[np.floating] | None = None,
) -> Judge:
    """Softmax regression, held back by `caution`; `scale_from` are the cases that say how widely each feature varies.

    >>> seen = np.array([[0.0], [0.2], [1.0], [1.2]])
    >>> judge = learn(seen, np.array([0, 0, 1, 1]), 2, caution=0.1)
    >>> judge.likelihoods(np.array([[0.1], [1.1]])).argmax(1).tolist()
    [0, 1]
    """
    known = features if scale_from is None else scale_from
    middle = np.asarray(known.mean(0), np.float64)
    scale = np.asarray(known.std(0) + 1e-6, np.float64)
    x = _padded(features, middle, scale)
    each = np.ones(len(x)) if weight is None else weight
    truth = np.eye(count)[kinds]

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(x.shape[1], count)
        likely = _softmax(x @ weights)
        wrong = -(each * np.log(np.take_along_axis(likely, kinds[:, None], 1)[:, 0] + 1e-12)).sum()
        slope = x.T @ ((likely - truth) * each[:, None])
        held = weights.copy()
        held[-1] = 0
        return float(wrong + 0.5 * caution * (held**2).sum()), (slope + caution * held).ravel()

    found = minimize(loss, np.zeros(x.shape[1] * count), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return Judge(middle, scale, np.asarray(found.x).reshape(x.shape[1], count))


def _padded(features: npt.NDArray[np.floating], middle: Floats, scale: Floats) -> Floats:
    x = np.clip((features - middle) / scale, -6, 6)
    return np.concatenate([x, np.ones((len(x), 1))], 1)


def _softmax(scores: Floats) -> Floats:
    raised = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True))
