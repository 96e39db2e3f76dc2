"""python-udf, udf-in-predicate, typed-lambda, codegen-gap."""
from pyspark.sql import DataFrame, Window

from spark_corpus.rule_case import case

NO_BROADCAST = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
NOT_ADAPTIVE = {"spark.sql.adaptive.enabled": "false"}


def shout(use_arrow=None):
    from pyspark.sql.functions import udf

    def shout(text):
        return text.upper() if text else None
    return udf(shout, "string") if use_arrow is None else udf(shout, "string", useArrow=use_arrow)


def is_small(deterministic=True):
    from pyspark.sql.functions import udf

    def is_small(number):
        return number < 30
    made = udf(is_small, "boolean")
    return made if deterministic else made.asNondeterministic()


def half():
    import pandas as pd
    from pyspark.sql.functions import pandas_udf

    @pandas_udf("double")
    def half(values: pd.Series) -> pd.Series:
        return values / 2
    return half


def mean():
    import pandas as pd
    from pyspark.sql.functions import pandas_udf

    @pandas_udf("double")
    def mean(values: pd.Series) -> float:
        return float(values.mean())
    return mean


def registered(spark, text):
    """SQL with a Python function plus_one and a Java function reverse_text."""
    spark.udf.register("plus_one", lambda number: number + 1, "int")
    spark.udf.registerJavaFunction("reverse_text", "planvet.TypedFunctions$Reverse", "string")
    return spark.sql(text)


# ---- python-udf
def python(name, frame, severity="warning", kind="BatchEvalPython", **more):
    case("python-udf", "positive", name, frame, (severity, kind, ""), **more)


def no_python(kind, name, frame, why, **more):
    case("python-udf", kind, name, frame, why=why, **more)


python("projection", lambda spark: spark.table("retail.product").select("product_id", shout()("name").alias("loud")))
python("two_functions", lambda spark: spark.table("retail.product").select(shout()("name"), is_small()("price")))
python("nested", lambda spark: spark.table("retail.product").select(shout()(shout()("name")).alias("loud")))
python("group_key", lambda spark: spark.table("retail.sales").groupBy(shout()("channel").alias("c")).count())
python("join_key", lambda spark: spark.table("retail.store").join(
    spark.table("retail.promotion"), shout()("store_name") == spark.table("retail.promotion")["promotion_id"].cast("string")))
python("registered", lambda spark: registered(spark, "SELECT plus_one(store_id) AS p FROM retail.sales"))
python("having", lambda spark: registered(spark, "SELECT product_id, COUNT(*) AS n FROM retail.sales GROUP BY product_id HAVING plus_one(CAST(COUNT(*) AS INT)) > 5"),
       why="a predicate on an aggregate reaches no source: not udf-in-predicate's")
python("simple_mode", lambda spark: spark.table("retail.product").select(shout()("name").alias("loud")), mode="simple")
python("after", lambda spark: spark.table("retail.sales").groupBy(shout()("channel").alias("c")).count(), phase="after")
python("arrow", lambda spark: spark.table("retail.product").select(shout(True)("name").alias("loud")), "info", "ArrowEvalPython")
python("arrow_by_default", lambda spark: spark.table("retail.product").select(shout()("name").alias("loud")), "info", "ArrowEvalPython", since="4.2",
       why="the same function as in `projection`, which Spark sends through Arrow by itself from 4.2 on")
python("pandas", lambda spark: spark.table("retail.product").select(half()("price").alias("h")), "info", "ArrowEvalPython")
python("map_in_pandas", lambda spark: spark.table("retail.sales").select("sale_id", "qty").mapInPandas(lambda batches: batches, "sale_id long, qty int"),
       "info", "MapInPandas")
python("apply_in_pandas", lambda spark: spark.table("retail.sales").select("store_id", "qty").groupBy("store_id")
       .applyInPandas(lambda group: group.head(1), "store_id int, qty int"), "info", "FlatMapGroupsInPandas")
python("pandas_aggregate", lambda spark: spark.table("retail.sales").groupBy("store_id").agg(mean()("qty").alias("m")), "info", "ArrowAggregatePython")
python("pandas_window", lambda spark: spark.table("retail.sales").select("sale_id", mean()("qty").over(Window.partitionBy("store_id")).alias("m")),
       "info", "ArrowWindowPython")

no_python("negative", "built_in", "SELECT product_id, UPPER(name) AS loud FROM retail.product", "built-in")
no_python("negative", "lambda_function", "SELECT TRANSFORM(tags, t -> UPPER(t)) AS loud FROM retail.product", "SQL's own lambda")
no_python("negative", "java", lambda spark: registered(spark, "SELECT reverse_text(name) AS r FROM retail.product"), "runs in the JVM")
no_python("negative", "predicate", lambda spark: spark.table("retail.sales").where(is_small()("store_id")).select("sale_id"), "udf-in-predicate owns it")
no_python("negative", "limited", lambda spark: spark.table("retail.product").limit(100).select(shout()("name").alias("loud")), "100 rows")
no_python("negative", "one_row", lambda spark: spark.table("retail.product").selectExpr("MAX(name) AS name").select(shout()("name").alias("loud")), "one row")
no_python("negative", "index", lambda spark: spark.table("retail.store").select("store_id").pandas_api().to_spark(index_col="index"), "AttachDistributedSequence is no function of the user")
no_python("negative", "string_functions", "SELECT REVERSE(name), CONCAT(name, '!') FROM retail.product WHERE LENGTH(name) > 3", "built-in")
no_python("tiny", "small_range", lambda spark: spark.range(0, 100).selectExpr("CAST(id AS STRING) AS name").select(shout()("name").alias("loud")), "100 rows")
no_python("tiny", "literal_rows", lambda spark: spark.sql("SELECT * FROM VALUES ('a'), ('b') AS t(name)").select(shout()("name").alias("loud")), "two rows")
no_python("tiny", "known_groups", lambda spark: registered(spark, "SELECT plus_one(store_id) AS p, n FROM (SELECT store_id, COUNT(*) AS n FROM retail.sales GROUP BY store_id)"),
          "the stage says 40 rows at most", phase="after")
no_python("healed", "empty", lambda spark: spark.table("retail.nothing").repartition("product_id").select(shout()("label").alias("loud")), "AQE saw the empty stage", phase="after")

# ---- udf-in-predicate
def predicate(name, frame, reason, kind="Filter", **more):
    case("udf-in-predicate", "positive", name, frame, ("warning", kind, reason), **more)


def no_predicate(kind, name, frame, why, **more):
    case("udf-in-predicate", kind, name, frame, why=why, **more)


def sql(text):
    return lambda spark: registered(spark, text)


predicate("python", lambda spark: spark.table("retail.kinds").where(is_small()("n")).select("l"), "python-udf")
predicate("python_and_pushable", lambda spark: spark.table("retail.kinds").where(is_small()("n") & (spark.table("retail.kinds")["l"] > 5)).select("l"), "python-udf")
predicate("python_random", lambda spark: spark.table("retail.kinds").where(is_small(False)("n")).where("l > 5").select("l"), "non-deterministic",
          why="holds back l > 5 too")
predicate("pandas", lambda spark: spark.table("retail.product").where(half()("price") > 10).select("product_id"), "python-udf")
predicate("registered_python", sql("SELECT l FROM retail.kinds WHERE plus_one(n) = 5"), "python-udf")
predicate("registered_java", sql("SELECT l FROM retail.kinds WHERE reverse_text(str) = '1k'"), "udf")
predicate("registered_java_and_pushable", sql("SELECT l FROM retail.kinds WHERE reverse_text(str) = '1k' AND n > 5"), "udf")
predicate("java_in_or", sql("SELECT l FROM retail.kinds WHERE reverse_text(str) = '1k' OR n > 5"), "udf")
predicate("java_simple_mode", sql("SELECT l FROM retail.kinds WHERE reverse_text(str) = '1k'"), "udf", mode="simple")
predicate("java_in_join_condition", sql("SELECT k.l FROM retail.kinds k JOIN retail.product p ON k.n = p.product_id AND reverse_text(CONCAT(k.str, p.name)) = 'x'"), "udf",
          kind="BroadcastHashJoin")
predicate("java_in_merge_join_condition", sql("SELECT k.l FROM retail.kinds k LEFT JOIN retail.product p ON k.n = p.product_id AND reverse_text(CONCAT(k.str, p.name)) = 'x'"), "udf",
          kind="SortMergeJoin", conf=NO_BROADCAST)
predicate("python_of_both_sides", lambda spark: spark.table("retail.kinds").join(spark.table("retail.product"), spark.table("retail.kinds")["n"] == spark.table("retail.product")["product_id"])
          .where(is_small()(spark.table("retail.kinds")["d"] + spark.table("retail.product")["price"])), "python-udf")
predicate("after", lambda spark: spark.table("retail.kinds").where(is_small()("n")).groupBy("str").count(), "python-udf", phase="after")
predicate("json", sql("SELECT customer_id FROM retail.customer WHERE reverse_text(country) = 'ED'"), "udf")

no_predicate("negative", "projection", lambda spark: spark.table("retail.product").select(shout()("name").alias("loud")), "no predicate")
no_predicate("negative", "java_projection", sql("SELECT reverse_text(str) AS r FROM retail.kinds WHERE n > 5"), "no predicate")
no_predicate("negative", "having", sql("SELECT n, COUNT(*) AS c FROM retail.kinds GROUP BY n HAVING plus_one(CAST(COUNT(*) AS INT)) > 5"), "no source below could take it")
no_predicate("negative", "join_key", lambda spark: spark.table("retail.store").join(
    spark.table("retail.promotion"), shout()("store_name") == spark.table("retail.promotion")["promotion_id"].cast("string")), "a key, hashed like any other")
no_predicate("negative", "built_in", "SELECT l FROM retail.kinds WHERE REVERSE(str) = '1k' AND SHA2(str, 256) <> ''", "built-in functions: unpushed-filter's")
no_predicate("negative", "lambda_function", "SELECT l FROM retail.kinds WHERE EXISTS(arr, x -> x > 3)", "SQL's own lambda")
no_predicate("negative", "partition_column", sql("SELECT l FROM retail.kinds_by_p WHERE plus_one(p) = 1"), "partition-filter-defeated owns it")
no_predicate("negative", "only_join_condition", sql("SELECT k.l FROM retail.kinds k JOIN retail.product p ON plus_one(k.n + p.product_id) = 5"), "cartesian-product owns it", conf=NO_BROADCAST)
no_predicate("negative", "rlike", "SELECT l FROM retail.kinds WHERE str RLIKE '^k1' AND f > 1", "no function of the user")
no_predicate("negative", "cast", "SELECT l FROM retail.kinds WHERE CAST(numstr AS INT) = 5", "no function")
no_predicate("tiny", "small_range", sql("SELECT id FROM RANGE(0, 100) WHERE plus_one(CAST(id AS INT)) = 5"), "no source, 100 rows")
no_predicate("tiny", "limited", sql("SELECT l FROM (SELECT * FROM retail.kinds LIMIT 20) WHERE reverse_text(str) = '1k'"), "20 rows, and no source below")
no_predicate("healed", "empty", lambda spark: spark.table("retail.nothing").repartition("product_id").where(is_small()("product_id")).groupBy("label").count(),
             "AQE saw the empty stage", phase="after")

# ---- typed-lambda
def function(spark, name):
    return getattr(spark._jvm.planvet, f"TypedFunctions${name}")()


def long_encoder(spark):
    return spark._jvm.org.apache.spark.sql.Encoders.LONG()


def mapped(spark, frame=None):
    frame = spark.table("retail.sales").select("sale_id") if frame is None else frame
    return frame._jdf.map(function(spark, "RowToLong"), long_encoder(spark))


def typed(spark):
    return getattr(spark.table("retail.sales").select("sale_id")._jdf, "as")(long_encoder(spark))


def frame_of(spark, dataset):
    return DataFrame(dataset.toDF(), spark)


def typed_lambda(name, frame, kind, severity="info", **more):
    case("typed-lambda", "positive", name, frame, (severity, kind, ""), **more)


def untyped(kind, name, frame, why, **more):
    case("typed-lambda", kind, name, frame, why=why, **more)


typed_lambda("map", lambda spark: frame_of(spark, mapped(spark)), "MapElements")
typed_lambda("map_simple_mode", lambda spark: frame_of(spark, mapped(spark)), "MapElements", mode="simple")
typed_lambda("map_twice", lambda spark: frame_of(spark, mapped(spark).map(function(spark, "Twice"), long_encoder(spark))), "MapElements")
typed_lambda("filter", lambda spark: frame_of(spark, typed(spark).filter(function(spark, "IsEven"))), "Filter")
typed_lambda("filter_below_untyped", lambda spark: frame_of(spark, typed(spark).filter(function(spark, "IsEven"))).where("sale_id > 5"), "Filter")
typed_lambda("flat_map", lambda spark: frame_of(spark, mapped(spark).flatMap(function(spark, "Both"), long_encoder(spark))), "MapPartitions")
typed_lambda("map_groups", lambda spark: frame_of(spark, mapped(spark).groupByKey(function(spark, "Remainder"), long_encoder(spark))
             .mapGroups(function(spark, "Count"), long_encoder(spark))), "MapGroups")
typed_lambda("reduce_groups", lambda spark: frame_of(spark, mapped(spark).groupByKey(function(spark, "Remainder"), long_encoder(spark))
             .reduceGroups(function(spark, "Sum"))), "AppendColumnsWithObject")
typed_lambda("grouped_after", lambda spark: frame_of(spark, mapped(spark)).groupBy("value").count(), "MapElements", phase="after")
typed_lambda("declared_large", lambda spark: frame_of(spark, mapped(spark, spark.table("retail.skewed").select("sale_id"))), "MapElements", "warning",
             why="planvet.toml declares 500 million rows")

untyped("negative", "as_alone", lambda spark: frame_of(spark, typed(spark)), "as[Long] leaves no trace")
untyped("negative", "join_with", lambda spark: DataFrame(getattr(spark.table("retail.store").selectExpr("area AS a")._jdf, "as")(long_encoder(spark)).joinWith(
    getattr(spark.table("retail.customer").selectExpr("customer_id AS b")._jdf, "as")(long_encoder(spark)), spark._jvm.org.apache.spark.sql.functions.expr("a = b")).toDF(), spark),
    "structs, no objects")
untyped("negative", "untyped_filter", "SELECT sale_id FROM retail.sales WHERE sale_id % 2 = 0", "a column expression")
untyped("negative", "java", lambda spark: registered(spark, "SELECT reverse_text(name) AS r FROM retail.product"), "a function of columns")
untyped("negative", "java_predicate", lambda spark: registered(spark, "SELECT name FROM retail.product WHERE reverse_text(name) = 'x'"), "udf-in-predicate's")
untyped("negative", "python", lambda spark: spark.table("retail.product").select(shout()("name").alias("loud")), "python-udf's")
untyped("negative", "map_in_pandas", lambda spark: spark.table("retail.sales").select("sale_id").mapInPandas(lambda batches: batches, "sale_id long"), "python-udf's")


def objects_of_a_list(spark):
    jvm = spark._jvm
    values = jvm.java.util.ArrayList()
    for number in (1, 2, 3):
        values.add(number)
    rdd = jvm.org.apache.spark.api.java.JavaSparkContext.fromSparkContext(spark.sparkContext._jsc.sc()).parallelize(values, 2)
    return frame_of(spark, spark._jsparkSession.createDataset(rdd.rdd(), jvm.org.apache.spark.sql.Encoders.INT())).where("value > 1")


untyped("negative", "objects_of_a_list", objects_of_a_list, "rows of the program's own")
untyped("tiny", "small_range", lambda spark: frame_of(spark, mapped(spark, spark.range(0, 10).toDF("sale_id"))), "ten rows")
untyped("tiny", "limited", lambda spark: frame_of(spark, mapped(spark, spark.table("retail.sales").select("sale_id").limit(20))), "20 rows")
untyped("healed", "empty", lambda spark: frame_of(spark, mapped(spark, spark.table("retail.nothing").repartition("product_id").select("product_id"))).groupBy("value").count(),
        "AQE saw the empty stage", phase="after")

# ---- codegen-gap: plans that are final
def gap(name, text, kind, reason, **more):
    case("codegen-gap", "positive", name, text, ("info", kind, reason), **more)


def fused(kind, name, text, why, **more):
    case("codegen-gap", kind, name, text, why=why, **more)


gap("from_json", "SELECT FROM_JSON(note, 'a INT') AS j FROM retail.sales", "Project", "expression")
gap("get_json_object", "SELECT GET_JSON_OBJECT(note, '$.a') AS j FROM retail.sales", "Project", "expression")
gap("get_json_object_filter", "SELECT sale_id FROM retail.sales WHERE GET_JSON_OBJECT(note, '$.a') = 'x'", "Filter", "expression")
gap("to_json", "SELECT TO_JSON(dimension) AS j FROM retail.product", "Project", "expression")
gap("transform", "SELECT TRANSFORM(tags, t -> UPPER(t)) AS j FROM retail.product", "Project", "expression")
gap("array_sort", "SELECT ARRAY_SORT(tags, (a, b) -> 0) AS j FROM retail.product", "Project", "expression")
gap("parse_url", "SELECT PARSE_URL(note, 'HOST') AS j FROM retail.sales", "Project", "expression")
gap("simple_mode", "SELECT FROM_JSON(note, 'a INT') AS j FROM retail.sales", "Project", "expression", mode="simple")
gap("after", "SELECT GET_JSON_OBJECT(note, '$.a') AS j, COUNT(*) AS n FROM retail.sales GROUP BY GET_JSON_OBJECT(note, '$.a')", "Project", "expression", phase="after")
NINETY = ", ".join(f"column_{i:03d}" for i in range(90))
gap("wide_projection", f"SELECT {NINETY}, " + ", ".join(f"column_{i:03d} + 1 AS next_{i}" for i in range(20)) + " FROM retail.wide WHERE column_000 > 5", "Project", "fields")
gap("wide_after_sort", f"SELECT {NINETY}, " + ", ".join(f"column_{i:03d} + 1 AS next_{i}" for i in range(20)) + " FROM retail.wide SORT BY column_000", "Sort", "fields")
gap("without_codegen", "SELECT sale_id + 1 AS n FROM retail.sales WHERE qty > 5", "Project", "conf", conf={"spark.sql.codegen.wholeStage": "false"}, why="one finding for the plan")

fused("negative", "plain", "SELECT sale_id + 1 AS n FROM retail.sales WHERE qty > 5", "marked")
fused("negative", "not_run_yet", "SELECT GET_JSON_OBJECT(note, '$.a') AS j, COUNT(*) AS n FROM retail.sales GROUP BY GET_JSON_OBJECT(note, '$.a')", "adaptive, before it ran: no marks")
fused("negative", "window", "SELECT sale_id, SUM(qty) OVER (PARTITION BY store_id) AS s FROM retail.sales", "Window never has one", conf=NOT_ADAPTIVE)
fused("negative", "collect_list", "SELECT store_id, COLLECT_LIST(qty) AS s FROM retail.sales GROUP BY store_id", "ObjectHashAggregate never has one", conf=NOT_ADAPTIVE)
fused("negative", "max_string", "SELECT store_id, MAX(note) AS s FROM retail.sales GROUP BY store_id", "SortAggregate with text", conf=NOT_ADAPTIVE)
fused("negative", "top", "SELECT sale_id FROM retail.sales ORDER BY qty LIMIT 5", "TakeOrderedAndProject never has one")
fused("negative", "cartesian", "SELECT a.day, b.promotion_id FROM retail.calendar a CROSS JOIN retail.promotion b", "CartesianProduct never has one",
      conf={**NO_BROADCAST, **NOT_ADAPTIVE})
fused("negative", "loop_outer", "SELECT a.day, b.promotion_id FROM retail.calendar a RIGHT JOIN retail.promotion b ON a.weekday > b.from_price", "a nested loop for FullOuter or its outer side has none",
      conf=NOT_ADAPTIVE)
fused("negative", "json_tuple", "SELECT JSON_TUPLE(note, 'a', 'b') FROM retail.sales", "before 4.1 it never has one")
fused("negative", "ninety_columns", f"SELECT {NINETY} FROM retail.wide WHERE column_000 > 5", "90 columns")
fused("negative", "union", "SELECT sale_id FROM retail.sales UNION ALL SELECT sale_id FROM retail.returns", "Union never had one before 4.3")
fused("negative", "python", lambda spark: spark.table("retail.product").select(shout()("name").alias("loud")), "Python nodes never have one")
fused("negative", "cached", lambda spark: spark.sql("SELECT GET_JSON_OBJECT(note, '$.a') AS j, COUNT(*) AS n FROM retail.sales GROUP BY GET_JSON_OBJECT(note, '$.a')").cache().where("n > 1"),
      "the plan inside the cache is not this query's")
fused("negative", "get_json_object_has_code", "SELECT GET_JSON_OBJECT(note, '$.a') AS j FROM retail.sales", "it has code from 4.1 on", since="4.1")
fused("negative", "transform_has_code", "SELECT TRANSFORM(tags, t -> UPPER(t)) AS j FROM retail.product", "it has code in 4.3", since="4.3")
fused("tiny", "small_range", "SELECT FROM_JSON(CAST(id AS STRING), 'a INT') AS j FROM RANGE(0, 10)", "ten rows")
fused("tiny", "limited", "SELECT FROM_JSON(note, 'a INT') AS j FROM (SELECT * FROM retail.sales LIMIT 10)", "ten rows")
fused("healed", "empty", "SELECT GET_JSON_OBJECT(label, '$.a') AS j, COUNT(*) AS n FROM (SELECT label FROM retail.nothing DISTRIBUTE BY label) GROUP BY GET_JSON_OBJECT(label, '$.a')",
      "AQE saw the empty stage", phase="after")
