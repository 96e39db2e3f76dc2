"""Skewed partitions: split by AQE, or left alone and why. planvet.toml has 1 MiB as the size that matters."""
from measured_cases.labelled import case

EXCHANGE, MERGE, HASH = "ShuffleExchange", "SortMergeJoin", "BroadcastHashJoin"
NOTE = "concat('note ', hash(sale_id, 5), hash(sale_id, 6), hash(sale_id, 7)) AS note"
BASE = {"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.adaptive.coalescePartitions.enabled": "false",
        "spark.sql.shuffle.partitions": "12"}
SPLIT = {**BASE, "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "1MB",
         "spark.sql.adaptive.advisoryPartitionSizeInBytes": "512KB"}
# Nearly all rows have key 7.
HOT = f"(SELECT CASE WHEN sale_id % 20 < 19 THEN 7 ELSE store_id END AS k, sale_id, {NOTE} FROM sales WHERE sale_id < 800000)"
EVEN = f"(SELECT store_id AS k, sale_id, {NOTE} FROM sales WHERE sale_id < 800000)"
OTHER = "(SELECT store_id AS k, name FROM store)"


def joined(left, right, join="JOIN", columns="a.note, b.name"):
    return f"SELECT {columns} FROM {left} a {join} {right} b ON a.k = b.k"


# ---- skew-join-split
case("skew-join-split", "positive", "inner", joined(HOT, OTHER), ("warning", MERGE, ""), conf=SPLIT, why="two tasks read the 8 small files: no more than two parts of 15 MiB")
case("skew-join-split", "positive", "still_skewed", joined(f"(SELECT /*+ COALESCE(2) */ CASE WHEN sale_id % 20 < 19 THEN 7 ELSE store_id END AS k, sale_id, {NOTE} "
     "FROM sales WHERE sale_id < 800000)", OTHER), ("warning", MERGE, ""), conf=SPLIT, why="two map tasks: no more than two parts")
case("skew-join-split", "negative", "even", joined(EVEN, OTHER), conf=SPLIT, why="nothing to split")
case("skew-join-split", "negative", "not_split", joined(OTHER, HOT, "LEFT JOIN", "a.name, b.note"), conf=SPLIT, why="the hot side cannot be split")

# ---- skew-not-split
def left_alone(name, reason, query, conf=None, why=""):
    case("skew-not-split", "positive", name, query, ("warning", EXCHANGE, reason), conf=SPLIT if conf is None else conf, why=why)


left_alone("left_join", "join-type", joined(OTHER, HOT, "LEFT JOIN", "a.name, b.note"), why="the right side of a left join")
left_alone("full_join", "join-type", joined(HOT, OTHER, "FULL JOIN"), why="neither side of a full join")
left_alone("window", "window", f"SELECT k, note, max(sale_id) OVER (PARTITION BY k) AS m FROM {HOT}", why="no join")
left_alone("below_threshold", "below-threshold", joined(HOT, OTHER), conf=BASE, why="the default threshold is 256 MB")
left_alone("repartition", "user-repartition", joined(HOT.replace("(SELECT ", "(SELECT /*+ REPARTITION(12, k) */ ", 1), OTHER), why="the query's own shuffle")
left_alone("one_map_task", "one-map-task", joined(f"(SELECT /*+ COALESCE(1) */ CASE WHEN sale_id % 20 < 19 THEN 7 ELSE store_id END AS k, sale_id, {NOTE} "
           "FROM sales WHERE sale_id < 800000)", OTHER), why="a partition cannot be split between map tasks")
left_alone("skew_join_off", "skew-join-off", joined(HOT, OTHER), conf={**SPLIT, "spark.sql.adaptive.skewJoin.enabled": "false"})
left_alone("adaptive_off", "adaptive-off", joined(HOT, OTHER), conf={**SPLIT, "spark.sql.adaptive.enabled": "false"}, why="sizes by the rows of tasks")


def silent(kind, name, query, why, conf=None):
    case("skew-not-split", kind, name, query, conf=SPLIT if conf is None else conf, why=why)


silent("healed", "split", joined(HOT, OTHER), "AQE split it")
silent("negative", "even", joined(EVEN, OTHER), "every partition has as much")
silent("negative", "even_window", f"SELECT k, note, max(sale_id) OVER (PARTITION BY k) AS m FROM {EVEN}", "every partition has as much")
silent("negative", "aggregated", f"SELECT k, count(note) FROM {HOT} GROUP BY k", "the partial aggregate leaves 500 rows a task")
silent("negative", "late_broadcast", joined(HOT, OTHER), "the join became a broadcast join: read by map task",
       conf={**SPLIT, "spark.sql.adaptive.autoBroadcastJoinThreshold": "10MB"})
silent("tiny", "small", joined(HOT.replace("800000", "8000"), OTHER), "some hundred KB")

# ---- late-broadcast
LATE = {"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.adaptive.autoBroadcastJoinThreshold": "10MB"}
case("late-broadcast", "positive", "inner", joined(EVEN, OTHER), ("info", HASH, ""), conf=LATE)
case("late-broadcast", "negative", "planned", joined(EVEN, OTHER), why="planned as a broadcast")
