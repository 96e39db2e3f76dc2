"""oversized-broadcast, join-key-cast, exploding-join."""
from pyspark.sql.functions import expr

from spark_corpus.rule_case import case

MIB, GIB = 1 << 20, 1 << 30
BROADCAST, MERGE, HASH, SHUFFLED = "BroadcastExchange", "SortMergeJoin", "BroadcastHashJoin", "ShuffledHashJoin"
NEVER = {"spark.sql.autoBroadcastJoinThreshold": "-1"}

# ---- oversized-broadcast: a broadcast of more than 256 MiB by what the optimizer or planvet.toml says.
HINTED = "SELECT /*+ BROADCAST(p) */ s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id"
LARGE = {"retail.product": (8 * GIB, 40000000), "retail.sales": (80 * GIB, 600000000)}


def oversized(name, sql, **more):
    case("oversized-broadcast", "positive", name, sql, ("warning", BROADCAST, ""), **more)


def fits(kind, name, sql, why, **more):
    case("oversized-broadcast", kind, name, sql, why=why, **more)


oversized("hint", HINTED, mode="cost", statistics=LARGE)
oversized("hint_left", "SELECT /*+ BROADCAST(p) */ s.sale_id, p.name FROM retail.product p JOIN retail.sales s ON s.product_id = p.product_id",
          mode="cost", statistics=LARGE)
oversized("left_outer", HINTED.replace(" JOIN ", " LEFT JOIN "), mode="cost", statistics=LARGE)
oversized("left_semi", "SELECT s.sale_id FROM retail.sales s LEFT SEMI JOIN (SELECT /*+ BROADCAST(product) */ product_id, name FROM retail.product) p "
          "ON s.product_id = p.product_id AND s.note < p.name", mode="cost", statistics=LARGE)
oversized("raised_threshold", HINTED.replace("/*+ BROADCAST(p) */ ", ""), mode="cost",
          conf={"spark.sql.autoBroadcastJoinThreshold": "4g"}, statistics={"retail.product": (6 * GIB, 40000000), "retail.sales": (80 * GIB, 600000000)})
oversized("without_adaptive", HINTED, mode="cost", statistics=LARGE, conf={"spark.sql.adaptive.enabled": "false"})
oversized("range_join", "SELECT /*+ BROADCAST(p) */ s.sale_id, p.name FROM retail.sales s LEFT JOIN retail.product p ON s.amount < p.price",
          mode="cost", statistics=LARGE)
oversized("declared", "SELECT /*+ BROADCAST(c) */ s.sale_id, c.customer_name FROM retail.sales s JOIN retail.customer c ON s.customer_id = c.customer_id",
          why="planvet.toml declares 2 GiB; only null tests are pushed", conf={"spark.sql.constraintPropagation.enabled": "false"})

fits("negative", "no_sizes", HINTED, "bare text: nothing is known")
fits("negative", "small", HINTED, "40,000 rows of 3 MiB", mode="cost", statistics={"retail.product": (3 * MIB, 40000)})
fits("negative", "below", HINTED, "200 MiB, and two of nine columns", mode="cost", statistics={"retail.product": (200 * MIB, 900000)})
fits("negative", "few_columns", "SELECT /*+ BROADCAST(p) */ s.sale_id FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id",
     "1 GiB of table, one column of nine", mode="cost", statistics={"retail.product": (GIB, 4000000)})
fits("negative", "page_sizes_after", "SELECT s.sale_id, t.region FROM retail.sales s JOIN retail.store t ON s.store_id = t.store_id",
     "the size of a broadcast stage is pages", phase="after")
fits("negative", "full_outer", HINTED.replace(" JOIN ", " FULL JOIN "), "the hint cannot be followed", mode="cost", statistics=LARGE)
fits("negative", "unknown_to_spark", "SELECT /*+ BROADCAST(e) */ s.sale_id, e.tag FROM retail.sales s JOIN "
     "(SELECT p.product_id, q.promotion_id AS tag FROM retail.product p JOIN retail.promotion q ON p.product_id = q.product_id) e ON s.product_id = e.product_id",
     "a size computed by multiplying the sides of a join proves nothing", mode="cost", statistics={"retail.product": (20 * MIB, None), "retail.promotion": (20 * MIB, None)})
fits("negative", "declared_filtered", "SELECT /*+ BROADCAST(c) */ s.sale_id, c.customer_name FROM retail.sales s JOIN retail.customer c ON s.customer_id = c.customer_id WHERE c.country = 'DE'",
     "2 GiB before the filter: how much is left is not known")
fits("negative", "global_aggregate", "SELECT s.sale_id FROM retail.sales s JOIN (SELECT MAX(product_id) AS m FROM retail.product) p ON s.product_id < p.m",
     "one row", mode="cost", statistics=LARGE)
fits("negative", "limited", "SELECT /*+ BROADCAST(p) */ s.sale_id, p.name FROM retail.sales s JOIN (SELECT * FROM retail.product LIMIT 100) p ON s.product_id = p.product_id",
     "100 rows", mode="cost", statistics=LARGE)
fits("tiny", "promotion", "SELECT /*+ BROADCAST(q) */ s.sale_id FROM retail.sales s JOIN retail.promotion q ON s.product_id = q.product_id", "25 rows", phase="after")
fits("healed", "empty_side", "SELECT /*+ BROADCAST(n) */ s.sale_id, n.label FROM retail.sales s JOIN retail.nothing n ON s.product_id = n.product_id",
     "AQE dropped the join", phase="after")

# ---- join-key-cast: columns of retail.kinds on both sides, and tables whose keys have other types.


def cast(name, left, right, severity, reason, kind=MERGE, mode="formatted", conf=None, join="JOIN", **more):
    case("join-key-cast", "positive", name, f"SELECT a.l, b.flag FROM retail.kinds a {join} retail.kinds b ON {left} = {right}",
         (severity, kind, reason), mode=mode, conf=NEVER if conf is None else conf, **more)


def plain(name, condition, why, kind="negative", conf=None, **more):
    case("join-key-cast", kind, name, f"SELECT a.l, b.flag FROM retail.kinds a JOIN retail.kinds b ON {condition}", why=why,
         conf=NEVER if conf is None else conf, **more)


cast("string_and_int", "a.numstr", "b.n", "warning", "string-number")
cast("string_and_bigint", "a.numstr", "b.l", "warning", "string-number")
cast("string_and_double", "a.numstr", "b.d", "warning", "string-number")
cast("string_and_decimal", "a.numstr", "b.dec", "warning", "string-number", why="both sides become double")
cast("number_to_string", "CAST(a.n AS STRING)", "b.numstr", "warning", "string-number")
cast("string_broadcast", "a.numstr", "b.n", "warning", "string-number", kind=HASH, conf={})
cast("string_left_join", "a.numstr", "b.n", "warning", "string-number", join="LEFT JOIN")
cast("decimal_and_double", "a.dec", "b.d", "warning", "lossy")
cast("bigint_and_double", "a.l", "b.d", "warning", "lossy")
cast("int_and_float", "a.n", "b.f", "warning", "lossy", why="3.x compares as float: 16777217 = 16777216")
cast("bigint_and_float", "a.l", "b.f", "warning", "lossy")
cast("int_and_bigint", "a.n", "b.l", "info", "widening")
cast("small_and_int", "a.s", "b.n", "info", "widening")
cast("int_and_double", "a.n", "b.d", "info", "widening", why="a double holds every int")
cast("float_and_double", "a.f", "b.d", "info", "widening")
cast("date_and_timestamp", "a.dt", "b.ts", "info", "widening")
case("join-key-cast", "positive", "null_safe", "SELECT a.l, b.flag FROM retail.kinds a JOIN retail.kinds b ON a.n <=> b.l",
     ("info", MERGE, "widening"), conf=NEVER, why="one cast, printed in two keys")
case("join-key-cast", "positive", "two_keys_one_cast", "SELECT a.l, b.flag FROM retail.kinds a JOIN retail.kinds b ON a.numstr = b.n AND a.str = b.str",
     ("warning", MERGE, "string-number"), conf=NEVER)
case("join-key-cast", "positive", "nested_field", "SELECT a.l, b.flag FROM (SELECT l, st FROM retail.kinds LIMIT 500) a JOIN retail.kinds b ON a.st.b = b.n",
     ("warning", MERGE, "string-number"), conf=NEVER, why="a.st.b is a string; the cast of a field")
case("join-key-cast", "positive", "cached_source", lambda spark: spark.table("retail.kinds").select("numstr", "flag").cache().join(
    spark.table("retail.kinds").select("n", "str"), expr("numstr = n")),
     ("warning", MERGE, "string-number"), conf=NEVER, why="the cached plan below says the type")
case("join-key-cast", "positive", "rdd_source", lambda spark: spark.createDataFrame(spark.sparkContext.parallelize([("1", True)]), "code string, ok boolean").join(
    spark.table("retail.kinds").select("n", "str"), expr("code = n")),
     ("info", MERGE, "unknown-source"), conf=NEVER, why="nothing says the type of the RDD's column")

plain("same_types", "a.n = b.n", "no cast")
plain("two_decimals", "a.dec = b.bigdec", "decimal against decimal compares exactly", mode="formatted")
plain("float_normalised", "a.d = b.d", "normalisation is no cast")
plain("literal_cast", "a.n = b.n AND a.l = 5 AND b.l > CAST('7' AS INT)", "a cast of a literal")
plain("broadcast_mode", "a.n = b.n", "the cast stands in the broadcast mode only", conf={})
plain("text_keys", "a.str = b.str", "text against text")
plain("int_and_decimal", "a.n = b.dec", "an integer and a decimal compare exactly")
plain("range_condition", "a.str = b.str AND a.n < b.l", "the cast is in the condition, not in the keys")
plain("expression_without_cast", "a.n + 1 = b.n", "arithmetic, no cast")
case("join-key-cast", "negative", "cast_in_subquery", "SELECT a.k, b.flag FROM (SELECT CAST(numstr AS INT) AS k FROM retail.kinds) a JOIN retail.kinds b ON a.k = b.n",
     why="the plan joins a column that was made below", conf={**NEVER, "spark.sql.optimizer.excludedRules": "org.apache.spark.sql.catalyst.optimizer.CollapseProject"})
case("join-key-cast", "negative", "upper", "SELECT a.l, b.flag FROM retail.kinds a JOIN retail.kinds b ON upper(a.str) = upper(b.str)", why="a function, no cast", conf=NEVER)
case("join-key-cast", "negative", "cross", "SELECT a.l, b.flag FROM retail.kinds a JOIN retail.kinds b ON a.numstr < b.n", why="no key list", conf={})
case("join-key-cast", "negative", "grouped_by_cast", "SELECT CAST(numstr AS INT) AS k, COUNT(*) FROM retail.kinds GROUP BY CAST(numstr AS INT)", why="no join")
case("join-key-cast", "healed", "empty_side", "SELECT a.l, b.label FROM retail.kinds a JOIN retail.nothing b ON a.numstr = b.product_id", why="AQE dropped the join",
     phase="after", conf=NEVER)
case("join-key-cast", "tiny", "values", "SELECT a.k, b.n FROM VALUES (1), (2) AS a(k) JOIN retail.kinds b ON a.k = b.n", why="int against int", conf=NEVER)

# ---- exploding-join: the stage above the join says what came out.
OUT = {"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.shuffle.partitions": "4", "spark.sql.adaptive.coalescePartitions.enabled": "false"}
PAIRS = ("SELECT COUNT(*) FROM (SELECT /*+ REPARTITION(4) */ a.l, b.l AS r FROM (SELECT id AS l, id % {keys} AS k FROM RANGE(0, {left}, 1, 2)) a "
         "{join} (SELECT id AS l, id % {keys} AS k FROM RANGE(0, {right}, 1, 2)) b ON a.k = b.k)")


def pairs(left, right, keys, join="JOIN"):
    return PAIRS.format(left=left, right=right, keys=keys, join=join)


def exploding(name, sql, kind=MERGE, conf=None, **more):
    case("exploding-join", "positive", name, sql, ("warning", kind, ""), phase="after", conf=OUT if conf is None else conf, **more)


def modest(kind, name, sql, why, conf=None, phase="after", **more):
    case("exploding-join", kind, name, sql, why=why, phase=phase, conf=OUT if conf is None else conf, **more)


exploding("ten_keys", pairs(20000, 2000, 20), why="2 million rows of 20,000")
exploding("left_join", pairs(20000, 2000, 20, "LEFT JOIN"))
exploding("full_join", pairs(20000, 2000, 20, "FULL JOIN"))
exploding("shuffled_hash", pairs(20000, 2000, 20).replace("SELECT /*+ REPARTITION(4) */", "SELECT /*+ REPARTITION(4), SHUFFLE_HASH(b) */"), kind=SHUFFLED)
exploding("tables", "SELECT COUNT(*) FROM (SELECT /*+ REPARTITION(4) */ a.sale_id, b.return_id FROM retail.sales a JOIN retail.returns b ON a.qty = b.qty)",
          why="20,000 and 1,500 rows on 3 common quantities: 3.3 million")
exploding("distributed_above", "SELECT COUNT(*) FROM (SELECT a.sale_id, b.return_id FROM retail.sales a JOIN retail.returns b ON a.qty = b.qty DISTRIBUTE BY b.return_id)",
          why="a shuffle asked for above the join")
modest("negative", "one_to_many", "SELECT COUNT(*) FROM (SELECT /*+ REPARTITION(4) */ s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id)",
       "as many rows as sales")
modest("negative", "ten_times_but_few", pairs(2000, 400, 20), "40,000 rows are no explosion")
modest("negative", "five_times", pairs(300000, 2000, 400), "five times the larger side")
modest("negative", "not_run", pairs(20000, 2000, 20), "nothing has been counted", phase="before")
modest("negative", "aggregate_above", "SELECT k, COUNT(*) FROM (SELECT a.k FROM (SELECT id % 20 AS k FROM RANGE(0, 20000, 1, 2)) a JOIN (SELECT id % 20 AS k FROM RANGE(0, 2000, 1, 2)) b ON a.k = b.k) GROUP BY k",
       "the stage above counts groups, not the join's rows")
modest("negative", "left_semi", "SELECT COUNT(*) FROM (SELECT /*+ REPARTITION(4) */ a.l FROM (SELECT id AS l, id % 20 AS k FROM RANGE(0, 2000000, 1, 2)) a LEFT SEMI JOIN (SELECT id % 20 AS k FROM RANGE(0, 2000, 1, 2)) b ON a.k = b.k)",
       "a semi join cannot explode")
modest("negative", "left_anti", "SELECT COUNT(*) FROM (SELECT /*+ REPARTITION(4) */ a.l FROM (SELECT id AS l, id % 20 AS k FROM RANGE(0, 2000000, 1, 2)) a LEFT ANTI JOIN (SELECT id % 19 AS k FROM RANGE(0, 2000, 1, 2)) b ON a.k = b.k)",
       "an anti join cannot explode")
modest("negative", "explode_above", "SELECT COUNT(*) FROM (SELECT /*+ REPARTITION(4) */ a.l, explode(sequence(1, 100)) AS x FROM (SELECT id AS l, id % 20000 AS k FROM RANGE(0, 20000, 1, 2)) a JOIN (SELECT id AS k FROM RANGE(0, 20000, 1, 2)) b ON a.k = b.k)",
       "the explode makes the rows")
modest("negative", "simple_mode", pairs(20000, 2000, 20), "simple mode prints no statistics", mode="simple")
modest("negative", "nested_loop", "SELECT COUNT(*) FROM (SELECT /*+ REPARTITION(4), BROADCAST(b) */ a.l, b.r FROM (SELECT id AS l FROM RANGE(0, 2000, 1, 2)) a JOIN (SELECT id AS r FROM RANGE(0, 1200, 1, 2)) b ON a.l >= b.r)",
       "a join without keys is nested-loop-join's")
modest("tiny", "small", pairs(200, 100, 2), "10,000 rows")
modest("healed", "empty_side", "SELECT COUNT(*) FROM (SELECT /*+ REPARTITION(4) */ a.sale_id, b.label FROM retail.sales a JOIN retail.nothing b ON a.product_id = b.product_id)",
       "AQE dropped the join")
