"""missed-broadcast, late-broadcast."""
from spark_corpus.rule_case import case

NEVER = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
MIB, GIB = 1 << 20, 1 << 30
SMALL_AND_LARGE = {"retail.product": (3 * MIB, 40000), "retail.sales": (80 * GIB, 600000000)}
MERGE, HASH = "SortMergeJoin", "ShuffledHashJoin"


def missed(name, sql, severity, kind, reason, **more):
    case("missed-broadcast", "positive", name, sql, (severity, kind, reason), **more)


def fine(kind, name, sql, why, **more):
    case("missed-broadcast", kind, name, sql, why=why, **more)


INNER = "SELECT s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id"
SWAPPED = "SELECT s.sale_id, p.name FROM retail.product p JOIN retail.sales s ON s.product_id = p.product_id"
COST = {"mode": "cost", "statistics": SMALL_AND_LARGE, "conf": NEVER}

missed("inner_threshold_off", INNER, "warning", MERGE, "threshold-off", **COST)
missed("inner_swapped", SWAPPED, "warning", MERGE, "threshold-off", **COST)
missed("left_outer", INNER.replace(" JOIN ", " LEFT JOIN "), "warning", MERGE, "threshold-off", **COST)
missed("right_outer", SWAPPED.replace(" JOIN ", " RIGHT JOIN "), "warning", MERGE, "threshold-off", **COST)
missed("left_semi", "SELECT s.sale_id FROM retail.sales s LEFT SEMI JOIN retail.product p ON s.product_id = p.product_id",
       "warning", MERGE, "threshold-off", **COST)
missed("left_anti", "SELECT s.sale_id FROM retail.sales s LEFT ANTI JOIN retail.product p ON s.product_id = p.product_id",
       "warning", MERGE, "threshold-off", **COST)
missed("without_adaptive", INNER, "warning", MERGE, "threshold-off", mode="cost", statistics=SMALL_AND_LARGE,
       conf={**NEVER, "spark.sql.adaptive.enabled": "false"})
missed("above_threshold", INNER, "info", MERGE, "above-threshold", mode="cost",
       statistics={"retail.product": (60 * MIB, 800000), "retail.sales": (80 * GIB, 600000000)},
       why="60 MiB against 80 GiB: the wider tier")
missed("wide_tier", INNER, "info", MERGE, "above-threshold", mode="cost",
       statistics={"retail.product": (200 * MIB, 3000000), "retail.sales": (300 * GIB, 2000000000)})
missed("merge_hint", INNER.replace("SELECT ", "SELECT /*+ MERGE(p) */ "), "info", MERGE, "join-hint", mode="cost",
       statistics=SMALL_AND_LARGE)
missed("shuffle_hash_hint", INNER.replace("SELECT ", "SELECT /*+ SHUFFLE_HASH(p) */ "), "info", HASH, "join-hint", mode="cost",
       statistics=SMALL_AND_LARGE)
missed("declared", "SELECT s.sale_id, t.store_name FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id",
       "warning", MERGE, "threshold-off", conf=NEVER, why="planvet.toml declares 2 MiB and 80 GiB")
missed("declared_simple_mode", "SELECT s.sale_id, t.store_name FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id",
       "warning", MERGE, "threshold-off", conf=NEVER, mode="simple")
missed("declared_filtered", "SELECT s.sale_id, t.store_name FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id "
       "WHERE t.region = 'north'", "warning", MERGE, "threshold-off", conf=NEVER, why="a filter only makes the small side smaller")
missed("few_non_empty_partitions", "SELECT s.sale_id, p.to_price FROM retail.sales s JOIN retail.promotion p "
       "ON s.product_id = p.product_id", "info", MERGE, "few-non-empty-partitions", phase="after",
       conf={"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.adaptive.autoBroadcastJoinThreshold": "102400",
             "spark.sql.shuffle.partitions": "200"},
       why="25 rows in 200 partitions: AQE does not switch; the whole join is below 64 MiB")
missed("runtime_threshold_off", INNER, "info", MERGE, "threshold-off", phase="after", conf=NEVER,
       why="measured by AQE, the whole join below 64 MiB")

fine("negative", "full_outer", INNER.replace(" JOIN ", " FULL JOIN "), "neither side can be built", **COST)
fine("negative", "left_outer_small_left", SWAPPED.replace(" JOIN ", " LEFT JOIN "), "the small side is preserved", **COST)
fine("negative", "right_outer_small_right", INNER.replace(" JOIN ", " RIGHT JOIN "), "the small side is preserved", **COST)
fine("negative", "left_semi_small_left", "SELECT p.name FROM retail.product p LEFT SEMI JOIN retail.sales s ON s.product_id = p.product_id",
     "only the right side of a semi join is built", **COST)
fine("negative", "left_anti_small_left", "SELECT p.name FROM retail.product p LEFT ANTI JOIN retail.sales s ON s.product_id = p.product_id",
     "only the right side of an anti join is built", **COST)
fine("negative", "no_sizes", INNER, "bare text: nothing is known", conf=NEVER)
fine("negative", "bucketed", "SELECT s.sale_id, p.name FROM retail.sales_bucketed s JOIN retail.product_bucketed p "
     "ON s.product_id = p.product_id", "no exchange on either side", conf=NEVER, mode="cost",
     statistics={"retail.sales_bucketed": (80 * GIB, 600000000), "retail.product_bucketed": (3 * MIB, 40000)})
fine("negative", "ratio", "SELECT r.return_id, c.customer_name FROM retail.returns r JOIN retail.customer c ON r.sale_id = c.customer_id",
     "40 MiB is no ten times of 8 MiB", conf=NEVER, mode="cost",
     statistics={"retail.returns": (40 * MIB, 400000), "retail.customer": (8 * MIB, 80000)})
fine("negative", "both_large", INNER, "3 GiB, even with most columns pruned, is above every tier", mode="cost",
     statistics={"retail.product": (3 * GIB, 40000000), "retail.sales": (80 * GIB, 600000000)})
fine("negative", "exploded_side", "SELECT s.sale_id FROM retail.sales s JOIN (SELECT product_id, explode(tags) AS tag FROM retail.product) p "
     "ON s.product_id = p.product_id", "the size stands below an explode",
     conf=NEVER)
fine("negative", "already_broadcast", INNER, "it is a broadcast join", mode="cost", statistics=SMALL_AND_LARGE)
fine("negative", "broadcast_hint", INNER.replace("SELECT ", "SELECT /*+ BROADCAST(p) */ "), "broadcast by hint", **COST)
fine("healed", "late_broadcast", "SELECT s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id",
     "AQE switched to a broadcast", phase="after",
     conf={"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.adaptive.autoBroadcastJoinThreshold": "10485760",
           "spark.sql.shuffle.partitions": "8"})
fine("healed", "empty_side", "SELECT s.sale_id FROM retail.sales s JOIN retail.nothing n ON s.product_id = n.product_id",
     "AQE removed the join", phase="after", conf=NEVER)
fine("tiny", "like_sizes", "SELECT r.return_id, c.customer_name FROM retail.returns r JOIN retail.customer c ON r.sale_id = c.customer_id",
     "neither side is ten times the other", phase="after", conf=NEVER)

# ---- late-broadcast: the initial sort merge join became a broadcast join.
LATE = {"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.adaptive.autoBroadcastJoinThreshold": "10485760",
        "spark.sql.shuffle.partitions": "8"}
BROADCAST = "BroadcastHashJoin"


def late(name, sql, **more):
    more.setdefault("conf", LATE)
    case("late-broadcast", "positive", name, sql, ("info", BROADCAST, ""), phase="after", **more)


def not_late(kind, name, sql, why, **more):
    case("late-broadcast", kind, name, sql, why=why, **more)


late("inner", INNER)
late("inner_simple_mode", INNER, mode="simple")
late("inner_extended_mode", INNER, mode="extended")
late("swapped", SWAPPED)
late("left_outer", INNER.replace(" JOIN ", " LEFT JOIN "))
late("left_semi", "SELECT s.sale_id FROM retail.sales s LEFT SEMI JOIN retail.product p ON s.product_id = p.product_id")
late("left_anti", "SELECT s.sale_id FROM retail.sales s LEFT ANTI JOIN retail.product p ON s.product_id = p.product_id AND p.price > 400")
late("filtered_side", "SELECT s.sale_id, r.reason FROM retail.sales s JOIN retail.returns r ON s.sale_id = r.sale_id "
     "WHERE r.product_id < 100")
late("aggregate_above", "SELECT p.segment, COUNT(*) FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id GROUP BY p.segment")
not_late("negative", "planned_broadcast", INNER, "broadcast from the start", phase="after")
not_late("negative", "merge_stays", INNER, "nothing changed", phase="after", conf=NEVER)
not_late("negative", "not_run", INNER, "no final plan yet", conf=LATE)
not_late("negative", "without_adaptive", INNER, "no initial plan", phase="after",
         conf={"spark.sql.adaptive.enabled": "false"})
not_late("negative", "hint", INNER.replace("SELECT ", "SELECT /*+ BROADCAST(p) */ "), "broadcast by hint", phase="after", conf=LATE)
not_late("healed", "empty_side", "SELECT s.sale_id FROM retail.sales s JOIN retail.nothing n ON s.product_id = n.product_id",
         "an empty relation is no broadcast", phase="after", conf=LATE)
not_late("healed", "empty_side_left", "SELECT s.sale_id FROM retail.sales s LEFT JOIN retail.nothing n ON s.product_id = n.product_id "
         "WHERE n.label IS NOT NULL", "the same through a filter", phase="after", conf=LATE)
not_late("tiny", "planned_broadcast_tiny", "SELECT p.name FROM retail.promotion q JOIN retail.product p ON q.product_id = p.product_id",
         "broadcast from the start", phase="after")
