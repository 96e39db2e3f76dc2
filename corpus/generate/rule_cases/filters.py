"""unpushed-filter, partition-filter-defeated. Columns of retail.kinds are those of the pushdown measurements."""
from spark_corpus.rule_case import case

FILTER = "Filter"


def select(predicate, table="retail.kinds"):
    return f"SELECT l FROM {table} WHERE {predicate}"


def unpushed(name, predicate, severity, reasons, table="retail.kinds", **more):
    case("unpushed-filter", "positive", name, select(predicate, table), (severity, FILTER, reasons), **more)


def pushed(name, predicate, why="pushed", table="retail.kinds", kind="negative", **more):
    case("unpushed-filter", kind, name, select(predicate, table), why=why, **more)


# Nothing but null tests reaches the source, and a rewrite would: warning.
unpushed("cast_string_to_number", "CAST(numstr AS INT) = 5", "warning", "cast-on-column")
unpushed("string_compared_with_number", "numstr > 5", "warning", "cast-on-column")
unpushed("cast_to_string", "CAST(n AS STRING) = '5'", "warning", "cast-on-column")
unpushed("cast_narrowing", "CAST(l AS INT) = 5", "warning", "cast-on-column")
unpushed("cast_decimal_to_int", "CAST(dec AS INT) = 1", "warning", "cast-on-column")
unpushed("cast_date_to_string", "CAST(dt AS STRING) = '2024-01-05'", "warning", "cast-on-column")
unpushed("arithmetic_plus", "n + 1 = 5", "warning", "arithmetic-on-column")
unpushed("arithmetic_times", "n * 2 > 10", "warning", "arithmetic-on-column")
unpushed("arithmetic_minus", "-n < 0", "warning", "arithmetic-on-column")
unpushed("year", "year(dt) = 2024", "warning", "function-on-column")
unpushed("date_format", "date_format(dt, 'yyyy-MM') = '2024-01'", "warning", "function-on-column")
unpushed("date_trunc", "date_trunc('day', ts) = TIMESTAMP'2024-01-05 00:00:00'", "warning", "function-on-column")
unpushed("date_add", "date_add(dt, 1) = DATE'2024-01-05'", "warning", "function-on-column")
unpushed("substring", "substring(str, 1, 2) = 'k1'", "warning", "function-on-column")
unpushed("coalesce", "coalesce(str, 'a') = 'k1'", "warning", "function-on-column")
unpushed("or_with_cast", "n = 5 OR CAST(numstr AS INT) = 7", "warning", "or-with-unpushable-side,cast-on-column")
unpushed("year_simple_mode", "year(dt) = 2024", "warning", "function-on-column", mode="simple")
unpushed("year_after", "year(dt) = 2024", "warning", "function-on-column", phase="after")
unpushed("orc", "CAST(store_code AS INT) = 5", "warning", "cast-on-column", table="(SELECT store_id AS l, store_code FROM retail.store)")
unpushed("behind_project", "k = 5", "warning", "arithmetic-on-column", table="(SELECT l, n + 1 AS k FROM retail.kinds)")
# Some conjunct is pushed: info.
unpushed("one_of_two", "n = 5 AND year(dt) = 2024", "info", "function-on-column")
unpushed("one_of_three", "n > 5 AND str = 'k1' AND CAST(numstr AS INT) = 7", "info", "cast-on-column")
# No rewrite that Spark would push: info.
unpushed("column_to_column", "n = l", "info", "column-to-column")
unpushed("rlike", "str RLIKE 'k.*1'", "info", "rlike")
unpushed("like_inner_wildcard", "str LIKE 'k_1'", "info", "like-inner-wildcard")
unpushed("random", "n > 50 * RAND(7)", "info", "non-deterministic")
unpushed("json_nested_field", "st.a = 5", "info", "nested-field", table="(SELECT * FROM json.`LAKE/files/json`)")
unpushed("text", "v = 'GET /page/1'", "info", "source-cannot-push", table="(SELECT value AS l, value AS v FROM retail.web_log)")


def python_udf(spark):
    from pyspark.sql.functions import udf
    plus = udf(lambda n: n + 1, "int")
    return spark.table("retail.kinds").where(plus("n") == 5).select("l")


case("unpushed-filter", "negative", "python_udf", python_udf, why="udf-in-predicate owns it")

# All that matters is pushed; the Filter above the scan is Spark's habit.
PUSHED = {
    "equality": "n = 5", "null_safe": "n <=> 5", "not_equal": "n <> 5", "range": "n > 5 AND n < 9", "in": "n IN (1, 2, 3)",
    "not_in": "n NOT IN (1, 2, 3)", "is_null": "n IS NULL", "is_not_null": "n IS NOT NULL", "not": "NOT (n > 5)",
    "or": "n = 5 OR l = 7", "between": "n BETWEEN 2 AND 4", "byte": "b = 5", "short": "s = 5", "literal_cast": "n = 5L",
    "decimal_literal": "n > 5.5", "string_literal": "n = '5'", "widening_cast": "CAST(n AS BIGINT) = 5",
    "widening_to_double": "CAST(n AS DOUBLE) = 5.0", "float": "f = 1.5", "double": "d > 1", "decimal": "dec = 1.5",
    "string": "str = 'k1'", "prefix": "str LIKE 'k1%'", "suffix": "str LIKE '%1'", "infix": "str LIKE '%1%'",
    "exact_like": "str LIKE 'k1'", "not_like": "str NOT LIKE 'k1%'", "startswith": "startswith(str, 'k')",
    "contains": "contains(str, '1')", "flag": "flag", "not_flag": "NOT flag", "flag_is_true": "flag = true",
    "date": "dt = DATE'2024-01-05'", "date_string": "dt > '2024-01-05'", "timestamp": "ts > TIMESTAMP'2024-01-05 00:00:00'",
    "cast_timestamp_to_date": "CAST(ts AS DATE) = DATE'2024-01-05'", "to_date": "to_date(ts) = '2024-01-05'",
    "folded_now": "dt >= current_date() - INTERVAL 7 DAYS", "nested_field": "st.a = 5", "binary": "bin = X'01'",
    "in_set": "n IN (" + ", ".join(str(i) for i in range(60)) + ")",
}
for name, predicate in PUSHED.items():
    pushed(name, predicate)
pushed("in_set_text", "str IN (" + ", ".join(f"'k{i}'" for i in range(30)) + ")")
pushed("in_subquery", "n IN (SELECT store_id FROM retail.store)", "a semi join")
pushed("scalar_subquery", "n > (SELECT MIN(store_id) FROM retail.store)", "compared with a subquery")
pushed("random_sample", "RAND(7) > 0.5", "no column in it: nothing that a source could use")
pushed("having", "c > 5", "a filter above an aggregate", table="(SELECT n AS l, COUNT(*) AS c FROM retail.kinds GROUP BY n)")
pushed("above_join", "a + b > 5", "a filter over both sides of a join",
       table="(SELECT k.l, k.n AS a, s.store_id AS b FROM retail.kinds k JOIN retail.store s ON k.l = s.area)")
pushed("explode_guard", "t = 5", "Spark's own size() filter below explode, and a filter above it",
       table="(SELECT l, explode(arr) AS t FROM retail.kinds)")
pushed("char_padding", "code = 'ab'", "char padding is Spark's", table="(SELECT label AS l, code FROM retail.padded)")
pushed("pushed_simple_mode", "n = 5 AND str LIKE 'k1%'", mode="simple")
pushed("pushed_after", "n = 5 AND l > 7", phase="after")

def cached(spark):
    return spark.table("retail.kinds").cache().where("year(dt) = 2024").select("l")


case("unpushed-filter", "negative", "above_cache", cached, why="a filter above InMemoryTableScan is its normal form")
case("unpushed-filter", "negative", "local_rows", "SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(n, s) WHERE RAND(7) > 0.5 AND n > 0",
     why="no source to push to")
case("unpushed-filter", "negative", "rdd", lambda spark: spark.createDataFrame([(1, "a"), (2, "b")], "n int, s string").where("n + 1 = 2"),
     why="an RDD has nothing to push to")
case("unpushed-filter", "negative", "empty_table", "SELECT label FROM retail.nothing WHERE product_id = 7", why="pushed")
case("unpushed-filter", "tiny", "range", "SELECT id FROM RANGE(0, 10) WHERE id % 2 = 0", why="rows of the plan itself")
case("unpushed-filter", "healed", "empty_result", "SELECT a.l FROM (SELECT l, n FROM retail.kinds WHERE year(dt) = 2024) a "
     "JOIN retail.nothing b ON a.n = b.product_id", why="AQE found the other side empty and dropped scan and filter",
     phase="after", conf={"spark.sql.autoBroadcastJoinThreshold": "-1"})

# ---- partition-filter-defeated: retail.sales by sale_date and channel, retail.kinds_by_p by p.


def defeated(name, predicate, reasons, table="retail.sales", columns="sale_id", **more):
    case("partition-filter-defeated", "positive", name, f"SELECT {columns} FROM {table} WHERE {predicate}",
         ("warning", FILTER, reasons), **more)


def prunes(name, predicate, why, table="retail.sales", columns="sale_id", kind="negative", **more):
    case("partition-filter-defeated", kind, name, f"SELECT {columns} FROM {table} WHERE {predicate}", why=why, **more)


defeated("or_with_data_column", "sale_date = DATE'2024-01-09' OR qty = 5", "or-with-data-column")
defeated("or_with_data_column_simple", "sale_date = DATE'2024-01-09' OR qty = 5", "or-with-data-column", mode="simple")
defeated("or_between", "channel = 'web' OR amount > 50", "or-with-data-column")
defeated("data_column_comparison", "CAST(sold_at AS DATE) = sale_date", "data-column-comparison")
defeated("two_columns", "p = n", "data-column-comparison", table="retail.kinds_by_p", columns="l")
defeated("greater_than_column", "p > n", "data-column-comparison", table="retail.kinds_by_p", columns="l")
defeated("or_with_function", "p = 1 OR upper(str) = 'K1'", "or-with-data-column", table="retail.kinds_by_p", columns="l")
defeated("or_of_three", "p = 1 OR p = 2 OR n = 7", "or-with-data-column", table="retail.kinds_by_p", columns="l")
defeated("beside_a_pushed_one", "n = 5 AND (p = 1 OR l = 7)", "or-with-data-column", table="retail.kinds_by_p", columns="l")
defeated("after", "sale_date = DATE'2024-01-09' OR qty = 5", "or-with-data-column", phase="after")


def python_udf_on_partition(spark):
    from pyspark.sql.functions import udf
    is_web = udf(lambda channel: channel == "web", "boolean")
    return spark.table("retail.sales").where(is_web("channel")).select("sale_id")


case("partition-filter-defeated", "positive", "python_udf", python_udf_on_partition, ("warning", FILTER, "python-udf"))

prunes("equality", "sale_date = DATE'2024-01-09'", "PartitionFilters has it")
prunes("range", "sale_date >= DATE'2024-01-09' AND sale_date < DATE'2024-01-12'", "PartitionFilters has it")
prunes("function", "year(sale_date) = 2024 AND date_format(sale_date, 'dd') = '09'", "a function of a partition column prunes")
prunes("cast", "CAST(sale_date AS STRING) = '2024-01-09'", "a cast of a partition column prunes")
prunes("substring", "substr(channel, 1, 1) = 'w'", "a function of a partition column prunes")
prunes("arithmetic", "p + 1 = 2", "prunes", table="retail.kinds_by_p", columns="l")
prunes("or_of_partition_columns", "sale_date = DATE'2024-01-09' OR channel = 'web'", "only partition columns")
prunes("in", "channel IN ('web', 'shop')", "PartitionFilters has it")
prunes("with_data_filter", "sale_date = DATE'2024-01-09' AND qty = 5", "both are where they belong")
prunes("data_columns_only", "qty = 5 OR amount > 50", "no partition column in it")
prunes("not_partitioned", "n = l OR n = 5", "the table has no partitions", table="retail.kinds", columns="l")
prunes("dynamic", "sale_date IN (SELECT day FROM retail.calendar WHERE holiday)", "pruned at run time")
prunes("simple_mode", "sale_date = DATE'2024-01-09' AND year(sale_date) = 2024", "PartitionFilters has it", mode="simple")
prunes("scalar_subquery", "sale_date = (SELECT MAX(day) FROM retail.calendar)", "a subquery of a partition column prunes")
prunes("random", "RAND(7) > 0.5", "no partition column in it", kind="tiny")
prunes("empty_side", "sale_date = DATE'2024-01-09' OR qty = 5",
       "AQE found the other side empty and dropped the scan",
       table="retail.sales s JOIN retail.nothing n ON s.product_id = n.product_id", kind="healed", phase="after",
       conf={"spark.sql.autoBroadcastJoinThreshold": "-1"})
