"""Aggregates, explodes, functions by the rows that went through. planvet.toml: a million rows are many here."""
from measured_cases.labelled import case

AGGREGATE, SORTED, OBJECTS = "HashAggregate", "SortAggregate", "ObjectHashAggregate"

# ---- useless-partial-aggregate
case("useless-partial-aggregate", "positive", "unique_key", "SELECT sale_id, count(*) FROM sales GROUP BY sale_id", ("info", AGGREGATE, ""))
case("useless-partial-aggregate", "positive", "distinct", "SELECT DISTINCT sale_id, code FROM sales", ("info", AGGREGATE, ""), why="the first half of a DISTINCT")
case("useless-partial-aggregate", "negative", "few_groups", "SELECT store_id, count(*) FROM sales GROUP BY store_id", why="500 groups")
case("useless-partial-aggregate", "negative", "half", "SELECT sale_id DIV 2, count(*) FROM sales GROUP BY sale_id DIV 2", why="half of the rows are saved")
case("useless-partial-aggregate", "negative", "global", "SELECT count(DISTINCT store_id) FROM sales", why="500 values")
case("useless-partial-aggregate", "negative", "shuffled_first", "SELECT sale_id, count(*) FROM (SELECT /*+ REPARTITION(sale_id) */ * FROM sales) GROUP BY sale_id",
     why="both halves stand behind the shuffle")
case("useless-partial-aggregate", "negative", "ordered", "SELECT sale_id, count(*) AS n FROM sales WHERE sale_id < 900000 GROUP BY sale_id ORDER BY n, sale_id",
     why="900,000 rows, which the sort above does not count twice")
case("useless-partial-aggregate", "tiny", "unique_key", "SELECT sale_id, count(*) FROM tiny_sales GROUP BY sale_id", why="2,000 rows")

# ---- sort-aggregate
TEXT = "concat('n', code) AS text"
case("sort-aggregate", "positive", "text_maximum", f"SELECT store_id, max(text) FROM (SELECT store_id, {TEXT} FROM sales) GROUP BY store_id",
     ("warning", SORTED, "variable-width-buffer"), why="2 million rows")
case("sort-aggregate", "positive", "fewer", f"SELECT store_id, max(text) FROM (SELECT store_id, {TEXT} FROM sales WHERE sale_id < 500000) GROUP BY store_id",
     ("info", SORTED, "variable-width-buffer"), why="half a million rows")
case("sort-aggregate", "positive", "fell_back", "SELECT store_id, collect_list(qty) FROM sales GROUP BY store_id", ("info", OBJECTS, "sort-fallback"),
     why="500 groups are more than 128")
case("sort-aggregate", "negative", "few_groups", "SELECT store_id % 50 AS s, collect_list(qty) FROM sales GROUP BY store_id % 50", why="50 groups fit")
case("sort-aggregate", "negative", "number", "SELECT store_id, max(code) FROM sales GROUP BY store_id", why="a number")
case("sort-aggregate", "tiny", "text_maximum", f"SELECT store_id, max(text) FROM (SELECT store_id, {TEXT} FROM tiny_sales WHERE sale_id < 900) GROUP BY store_id", why="900 rows")
case("sort-aggregate", "tiny", "fell_back", "SELECT sale_id, collect_list(qty) FROM tiny_sales GROUP BY sale_id", why="2,000 rows")

# ---- expand-multiplication
case("expand-multiplication", "positive", "distincts", "SELECT count(DISTINCT sale_id), count(DISTINCT code), count(DISTINCT day, sale_id), count(DISTINCT code, sale_id) FROM sales",
     ("warning", "Expand", "count-distinct"), why="8 million rows shuffled")
case("expand-multiplication", "negative", "few_groups", "SELECT store_id % 3, qty % 3, code % 3, count(*) FROM sales GROUP BY CUBE (store_id % 3, qty % 3, code % 3)",
     why="the partial aggregate leaves a few hundred rows")
case("expand-multiplication", "tiny", "distincts", "SELECT count(DISTINCT sale_id), count(DISTINCT code), count(DISTINCT day, sale_id), count(DISTINCT code, sale_id) FROM tiny_sales",
     why="8,000 rows")

# ---- early-explode
EXPLODED = "SELECT e.tag, t.name FROM (SELECT store_id, explode(tags) AS tag FROM {t}) e JOIN store t ON e.store_id = t.store_id"
NEVER = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
case("early-explode", "positive", "joined", EXPLODED.format(t="(SELECT * FROM sales WHERE sale_id < 100000)"), ("info", "Generate", ""), conf=NEVER, why="600,000 rows of 100,000")
case("early-explode", "negative", "broadcast", EXPLODED.format(t="(SELECT * FROM sales WHERE sale_id < 100000)"), why="nothing is shuffled")
case("early-explode", "tiny", "joined", EXPLODED.format(t="tiny_sales"), conf=NEVER, why="12,000 rows")


# ---- python-udf: by the rows that went there and back.
def through_python(table):
    def run(spark, place):
        from pyspark.sql import functions
        from pyspark.sql.types import LongType
        twice = functions.udf(lambda x: 2 * x, LongType())
        spark.sql(f"SELECT * FROM {table}").select(twice("sale_id").alias("x")).write.format("noop").mode("overwrite").save()
    return run


case("python-udf", "positive", "rows", through_python("sales WHERE sale_id < 50000"), ("warning", "BatchEvalPython", "row-by-row"))
case("python-udf", "tiny", "filtered", through_python("sales WHERE sale_id % 4000 = 1"), why="500 rows are left of 2 million")
