"""Make a scan straight: rotation, skew and perspective taken out, so that the grid is VASSAL's plain grid."""

from __future__ import annotations

import cv2
import numpy as np

from converter.scan.found import Lattice
from converter.scan.picture import Picture


def rectify(picture: Picture, lattice: Lattice) -> Picture:
    """The picture as if scanned squarely, the same size; `lattice.layout` holds on it as it stands."""
    if np.allclose(lattice.to_scan, np.eye(3), atol=1e-9):
        return picture
    flat = cv2.warpPerspective(
        picture.pixels, lattice.to_scan, (picture.width, picture.height),
        flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return Picture(np.asarray(flat, np.uint8), picture.name)
