"""The OCR package that reads print off a scan, needed nowhere else: `pip install 'hexref[ocr]'`."""

from __future__ import annotations

import importlib
from typing import Any, Protocol

from converter.errors import BadInput


class Engine(Protocol):
    """The OCR package: whatever is written on a picture with its corners, or the one line that a picture is."""

    def page(self, picture: Any) -> list[tuple[Any, str, float]]: ...

    def line(self, picture: Any) -> tuple[str, float]: ...


def ocr_engine(missing: str) -> Engine:
    """RapidOCR, whose models come inside its package; BadInput says `missing` where it is not installed."""
    try:
        importlib.import_module("onnxruntime")
        package: Any = importlib.import_module("rapidocr")
    except ImportError:
        raise BadInput(missing) from None
    engine = package.RapidOCR(params={"Global.log_level": "critical", "Global.use_cls": False})

    class Rapid:
        def page(self, picture: Any) -> list[tuple[Any, str, float]]:
            seen = engine(picture, use_det=True, use_cls=False, use_rec=True)
            if seen.boxes is None or seen.txts is None:
                return []
            return list(zip(seen.boxes, seen.txts, map(float, seen.scores), strict=True))

        def line(self, picture: Any) -> tuple[str, float]:
            seen = engine(picture, use_det=False, use_cls=False, use_rec=True)
            return (str(seen.txts[0]), float(seen.scores[0])) if seen.txts else ("", 0.0)

    return Rapid()
