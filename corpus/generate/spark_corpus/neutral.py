"""Machine paths made neutral: the lake is always /data/lake in what is stored.

Spark cuts long paths by length, so a lake elsewhere gives exactly the same text only if its path has as
many characters as /data/lake (for example /data/lak2).
"""
import os

NEUTRAL_LAKE = "/data/lake"


def lake_directory() -> str:
    return os.environ.get("PLANVET_LAKE", NEUTRAL_LAKE)


def neutral(text: str) -> str:
    lake = lake_directory()
    if lake != NEUTRAL_LAKE:
        text = text.replace(lake, NEUTRAL_LAKE)
    return text
