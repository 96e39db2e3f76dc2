"""Filters, one predicate a query: what reaches the source, and each reason why one does not."""
from spark_corpus.query import query, sql

NOT_PUSHED = {
    "cast_string_to_number": "CAST(numstr AS INT) = 5",
    "cast_to_string": "CAST(n AS STRING) = '5'",
    "cast_narrowing": "CAST(l AS INT) = 5",
    "string_against_number": "numstr > 5",
    "arithmetic": "n + 1 = 5 AND n * 2 > 3 AND -n < 0 AND n % 2 = 0",
    "function": "upper(str) = 'K1' AND trim(str) = 'K1' AND length(str) = 2",
    "substring": "substring(str, 1, 1) = 'k'",
    "coalesce": "coalesce(str, 'a') = 'k1'",
    "case": "CASE WHEN n = 5 THEN true WHEN n > 90 THEN false ELSE flag END",
    "if": "IF(n = 5, flag, NOT flag)",
    "date_function": "year(dt) = 2024 AND date_format(dt, 'yyyy-MM') = '2024-01' AND date_add(dt, 1) > DATE'2024-01-05'",
    "timestamp_function": "date_trunc('day', ts) = TIMESTAMP'2024-01-05 00:00:00' OR hour(ts) = 3",
    "column_to_column": "n = l AND n > b",
    "or_with_function": "n = 5 OR upper(str) = 'K1'",
    "like_inner": "str LIKE 'k_1' OR str LIKE 'k%1'",
    "rlike": "str RLIKE '^k[0-9]+$'",
    "random": "RAND(2) > 0.5",
    "random_and_pushable": "RAND(2) > 0.5 AND n = 5",
    "array_element": "arr[0] = 5 AND array_contains(arr, 5) AND size(arr) > 1",
    "map_value": "m['k'] = 5",
    "higher_order": "exists(arr, x -> x > 3) AND forall(arr, x -> x < 100) AND aggregate(arr, 0, (a, x) -> a + x) > 2",
    "hash": "hash(n) = 5 AND xxhash64(str) > 0",
    "nested_function": "upper(st.b) = 'S1'",
    "in_subquery_value": "n > (SELECT MIN(store_id) FROM retail.store)",
    "cast_date_to_timestamp": "CAST(dt AS TIMESTAMP) = TIMESTAMP'2024-01-05 00:00:00'",
    "interval": "ts + INTERVAL 1 DAY > TIMESTAMP'2024-01-05 00:00:00' AND dt + INTERVAL 1 MONTH > DATE'2024-02-05'",
}

PUSHED = {
    "comparison": "n > 5 AND n < 9 AND l <> 7 AND d >= 0.5",
    "in_list": "n IN (1, 2, 3) AND str NOT IN ('a', 'b')",
    "in_set": "n IN (" + ", ".join(str(i) for i in range(60)) + ")",
    "in_set_text": "str IN (" + ", ".join(f"'k{i}'" for i in range(30)) + ")",
    "null_safe": "n <=> 5 AND NOT (str <=> NULL)",
    "or": "n = 5 OR l = 7 OR (str = 'k1' AND flag)",
    "not": "NOT (n > 5 OR str LIKE 'k1%')",
    "like": "str LIKE 'k1%' AND str LIKE '%1' AND str LIKE '%1%'",
    "decimal": "dec = 1.5 AND bigdec > 1 AND f > 1",
    "date": "dt BETWEEN DATE'2024-01-02' AND DATE'2024-01-20'",
    "timestamp": "ts > TIMESTAMP'2024-01-05 00:00:00.123' AND CAST(ts AS DATE) < DATE'2024-02-05'",
    "widening_cast": "CAST(n AS BIGINT) = 5 AND n > 5.5 AND n = '5'",
    "binary": "bin = X'31'",
    "nested": "st.a = 5 AND st.b = 's5'",
    "mixed": "n = 5 AND upper(str) = 'K5'",
    "null_tests": "str IS NOT NULL AND n IS NOT NULL",
    "literal_true": "n = 5 AND 1 = 1 AND true",
    "literal_false": "n = 5 AND 1 = 2",
}

for name, predicate in NOT_PUSHED.items():
    sql(f"filter_kept_{name}", "not pushed, or not whole", f"SELECT n, str FROM retail.kinds WHERE {predicate}")
for name, predicate in PUSHED.items():
    sql(f"filter_pushed_{name}", "pushed", f"SELECT n, str FROM retail.kinds WHERE {predicate}")

for format_ in ("orc", "json"):
    sql(f"filter_nested_{format_}", "a struct field as predicate: pushed to orc, not to json",
        f"SELECT n FROM {format_}.`/data/lake/files/{format_}` WHERE st.a = 5 AND st.b = 's5' AND n > 1")
sql("filter_ansi", "casts with ANSI on", "SELECT n FROM retail.kinds WHERE CAST(numstr AS INT) = 5 AND n / 2 > 1 AND arr[0] = 3",
    conf={"spark.sql.ansi.enabled": "true"})
sql("filter_ansi_off", "casts with ANSI off", "SELECT n FROM retail.kinds WHERE numstr = 5 AND n / 2 > 1 AND element_at(arr, 1) = 3",
    conf={"spark.sql.ansi.enabled": "false"})
sql("filter_above_aggregate", "trap: a filter that cannot be below an aggregate",
    "SELECT p, c FROM (SELECT p, COUNT(*) AS c FROM retail.kinds GROUP BY p) WHERE c > 3 AND p = 1")
sql("filter_above_window", "a filter on a window's result",
    "SELECT n FROM (SELECT n, p, ROW_NUMBER() OVER (PARTITION BY p ORDER BY l) AS r FROM retail.kinds) WHERE r % 2 = 0 AND p = 2")
sql("filter_char_padding", "trap: char(5) columns are padded on read", "SELECT code FROM retail.padded WHERE code = 'ab'", since="3.4")


@query("a Python UDF as predicate beside a pushable one")
def filter_python_udf(spark):
    from pyspark.sql.functions import udf
    odd = udf(lambda n: n % 2 == 1, "boolean")
    kinds = spark.table("retail.kinds")
    return kinds.where(odd(kinds["n"]) & (kinds["l"] > 5)).select("n", "str")


@query("a non-deterministic Python UDF holds back the other predicates")
def filter_python_udf_random(spark):
    from pyspark.sql.functions import udf
    odd = udf(lambda n: n % 2 == 1, "boolean").asNondeterministic()
    kinds = spark.table("retail.kinds")
    return kinds.where(odd(kinds["n"]) & (kinds["l"] > 5)).select("n", "str")


@query("a Java UDF as predicate")
def filter_java_udf(spark):
    spark.udf.registerJavaFunction("reverse_text", "planvet.TypedFunctions$Reverse", "string")
    return spark.sql("SELECT n FROM retail.kinds WHERE reverse_text(str) = '1k' AND n > 0")


@query("trap: a filter above a cached frame")
def filter_above_cache(spark):
    return spark.table("retail.kinds").select("n", "str").cache().where("n = 5 AND str = 'k5'")


@query("filters in several steps, one each side of a projection")
def filter_steps(spark):
    return spark.table("retail.kinds").where("n > 3").selectExpr("n", "upper(str) AS u", "l + 1 AS m").where("u = 'K5' AND m > 7").where("n < 50")
