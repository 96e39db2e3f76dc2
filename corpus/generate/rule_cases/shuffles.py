"""exchange-count, skew-join-split, adaptive-off."""
from spark_corpus.rule_case import case

NEVER = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
NO_ADAPTIVE = {"spark.sql.adaptive.enabled": "false"}

# ---- exchange-count: more than 10 shuffles that run; reused ones, broadcasts and equal ones of a plan not run count once or not.


def chain(joins, distinct_keys=True):
    """`joins` merge joins, each on another key: two shuffles each but for the first input."""
    keys = ["product_id", "store_id", "customer_id", "qty"]
    text = "(SELECT sale_id, product_id, store_id, customer_id, qty FROM retail.sales) t0"
    for i in range(1, joins + 1):
        key = keys[i % len(keys)] if distinct_keys else "product_id"
        text += (f" JOIN (SELECT {key}, MAX(amount) AS m{i} FROM retail.sales WHERE qty > {i} GROUP BY {key}) t{i} "
                 f"ON t0.{key} = t{i}.{key}")
    return "SELECT COUNT(*) FROM " + text


ON = ("warning", "", "")
case("exchange-count", "positive", "many_joins", chain(6), ON, conf=NEVER,
     why="6 joins: 6 aggregates shuffled, the stream side shuffled for each other key, and the count")
case("exchange-count", "positive", "many_joins_simple_mode", chain(6), ON, conf=NEVER, mode="simple")
case("exchange-count", "positive", "many_joins_after", chain(6), ON, conf=NEVER, phase="after")
case("exchange-count", "positive", "many_joins_without_adaptive", chain(6), ON, conf={**NEVER, **NO_ADAPTIVE})
case("exchange-count", "positive", "union_of_aggregates",
     " UNION ALL ".join(f"SELECT product_id, SUM(qty) AS s FROM retail.sales WHERE store_id = {i} GROUP BY product_id" for i in range(12)),
     ON, why="12 different aggregates: 12 shuffles")
case("exchange-count", "negative", "two_joins", chain(2), conf=NEVER, why="below the budget")
case("exchange-count", "negative", "one_aggregate", "SELECT product_id, COUNT(*) FROM retail.sales GROUP BY product_id", why="one")
case("exchange-count", "negative", "no_exchange", "SELECT sale_id FROM retail.sales WHERE qty > 5", why="none")
case("exchange-count", "negative", "broadcasts", "SELECT s.sale_id FROM retail.sales s "
     + " ".join(f"JOIN retail.store t{i} ON s.store_id + {i} = t{i}.store_id" for i in range(12)), why="12 broadcasts are no shuffles")
SAME = "SELECT product_id, SUM(qty) AS s FROM retail.sales GROUP BY product_id"
case("exchange-count", "negative", "equal_before_adaptive", " UNION ALL ".join([SAME] * 12),
     why="12 equal shuffles of a plan that has not run: one will run")
case("exchange-count", "healed", "equal_after_adaptive", " UNION ALL ".join([SAME] * 12), phase="after",
     why="one shuffle and 11 reuses")
case("exchange-count", "negative", "equal_without_adaptive", " UNION ALL ".join([SAME] * 12), conf=NO_ADAPTIVE,
     why="one shuffle and 11 reuses, printed already")
case("exchange-count", "tiny", "final_and_initial", chain(3), conf=NEVER, phase="after",
     why="the initial plan's exchanges are not counted again")
case("exchange-count", "tiny", "command", "SHOW TABLES IN retail", why="no exchange")

# ---- skew-join-split
SKEW = {"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.shuffle.partitions": "8",
        "spark.sql.adaptive.advisoryPartitionSizeInBytes": "64KB", "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "100KB",
        "spark.sql.adaptive.skewJoin.skewedPartitionFactor": "2"}
SPLIT = "SELECT s.payload, p.name FROM retail.skewed s JOIN retail.product p ON s.product_id = p.product_id"


def split(name, sql, **more):
    case("skew-join-split", "positive", name, sql, ("info", "SortMergeJoin", ""), phase="after", conf=SKEW, **more)


split("inner", SPLIT)
split("inner_simple_mode", SPLIT, mode="simple")
split("inner_extended_mode", SPLIT, mode="extended")
split("left_outer", SPLIT.replace(" JOIN ", " LEFT JOIN "))
split("left_semi", "SELECT s.payload FROM retail.skewed s LEFT SEMI JOIN retail.product p ON s.product_id = p.product_id")
split("right_side", "SELECT s.payload, p.name FROM retail.product p JOIN retail.skewed s ON s.product_id = p.product_id")
case("skew-join-split", "positive", "shuffled_hash", SPLIT.replace("SELECT ", "SELECT /*+ SHUFFLE_HASH(p) */ "),
     ("info", "ShuffledHashJoin", ""), phase="after", conf=SKEW)
case("skew-join-split", "negative", "not_run", SPLIT, conf=SKEW, why="nothing was split yet")
case("skew-join-split", "negative", "not_skewed", "SELECT s.sale_id, p.name FROM retail.sales s JOIN retail.product p "
     "ON s.product_id = p.product_id", phase="after", conf=NEVER, why="no partition is skewed")
case("skew-join-split", "negative", "rebalance", "SELECT /*+ REBALANCE(product_id) */ * FROM retail.skewed", phase="after", conf=SKEW,
     why="AQEShuffleRead skewed without a join is REBALANCE at work")
case("skew-join-split", "negative", "full_outer", SPLIT.replace(" JOIN ", " FULL JOIN "), phase="after", conf=SKEW,
     why="a full outer join is not split")
case("skew-join-split", "negative", "left_outer_hot_right", "SELECT s.payload, p.name FROM retail.product p LEFT JOIN retail.skewed s "
     "ON s.product_id = p.product_id", phase="after", conf=SKEW, why="the hot side of a left join's right is not split")
case("skew-join-split", "negative", "grouped_by_key", "SELECT p.product_id, COUNT(*) FROM retail.skewed s JOIN retail.product p "
     "ON s.product_id = p.product_id GROUP BY p.product_id", phase="after", conf=SKEW, why="it would add a shuffle")
case("skew-join-split", "negative", "skew_join_off", SPLIT, phase="after", conf={**SKEW, "spark.sql.adaptive.skewJoin.enabled": "false"},
     why="switched off")
case("skew-join-split", "healed", "broadcast", SPLIT, phase="after", why="a broadcast join has no skewed shuffle")
case("skew-join-split", "tiny", "below_threshold", SPLIT, phase="after", conf={**NEVER, "spark.sql.shuffle.partitions": "8"},
     why="far below 256 MiB")

# ---- adaptive-off


def off(name, sql, kind, **more):
    more.setdefault("conf", NO_ADAPTIVE)
    case("adaptive-off", "positive", name, sql, ("info", kind, ""), **more)


def on(kind, name, sql, why, **more):
    case("adaptive-off", kind, name, sql, why=why, **more)


GROUP = "SELECT product_id, COUNT(*) FROM retail.sales GROUP BY product_id"
off("aggregate", GROUP, "")
off("aggregate_simple_mode", GROUP, "", mode="simple")
off("aggregate_extended_mode", GROUP, "", mode="extended")
off("aggregate_after", GROUP, "", phase="after")
off("merge_join", "SELECT s.sale_id FROM retail.sales s JOIN retail.returns r ON s.sale_id = r.sale_id", "", conf={**NO_ADAPTIVE, **NEVER})
off("sort", "SELECT sale_id FROM retail.sales ORDER BY amount", "")
off("window", "SELECT sale_id, RANK() OVER (PARTITION BY store_id ORDER BY amount) AS r FROM retail.sales", "")
off("repartition", lambda spark: spark.table("retail.sales").repartition(5).select("sale_id"), "")
on("negative", "adaptive", GROUP, "it is on")
on("negative", "adaptive_after", GROUP, "it is on", phase="after")
on("negative", "no_exchange", "SELECT sale_id FROM retail.sales WHERE qty > 5", "nothing to adapt", conf=NO_ADAPTIVE)
on("negative", "no_exchange_adaptive", "SELECT sale_id FROM retail.sales WHERE qty > 5", "nothing to adapt")
on("negative", "limit", "SELECT sale_id FROM retail.sales LIMIT 5", "a limit that is collected has no exchange", conf=NO_ADAPTIVE)
on("negative", "take_ordered", "SELECT sale_id FROM retail.sales ORDER BY amount LIMIT 5", "no exchange", conf=NO_ADAPTIVE)
on("negative", "broadcast_only", "SELECT s.sale_id FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id",
   "a broadcast alone gives AQE nothing to coalesce, split or switch", conf=NO_ADAPTIVE)
on("tiny", "local_rows", "SELECT * FROM VALUES (1), (2) AS t(a)", "nothing to adapt", conf=NO_ADAPTIVE)
on("healed", "coalesced", GROUP, "AQE coalesced", phase="after", conf={"spark.sql.shuffle.partitions": "50"})
