"""redundant-exchange, reshuffled-keys, single-partition, unreused-exchange, lost-sort, one-task-output, fixed-partitioning."""
import glob

from spark_corpus import neutral
from spark_corpus.rule_case import case

NEVER = {"spark.sql.autoBroadcastJoinThreshold": "-1"}
NO_ADAPTIVE = {"spark.sql.adaptive.enabled": "false"}
EXCHANGE = "ShuffleExchange"


def sales(spark, *columns):
    return spark.table("retail.sales").select(*columns)


# ---- redundant-exchange: a repartition whose rows the next shuffle moves again.


def undone(name, query, severity="warning", **more):
    case("redundant-exchange", "positive", name, query, (severity, EXCHANGE, ""), **more)


def kept(name, query, why, kind="negative", **more):
    case("redundant-exchange", kind, name, query, why=why, **more)


def round_robin(spark):
    return sales(spark, "product_id").repartition(10)


undone("number_before_group", lambda spark: round_robin(spark).groupBy("product_id").count())
undone("number_before_group_simple", lambda spark: round_robin(spark).groupBy("product_id").count(), mode="simple")
undone("number_before_group_no_adaptive", lambda spark: round_robin(spark).groupBy("product_id").count(), conf=NO_ADAPTIVE)
undone("column_before_group", lambda spark: sales(spark, "product_id", "store_id").repartition("store_id").groupBy("product_id").count())
undone("before_global_aggregate", lambda spark: round_robin(spark).groupBy().count(), why="every row is shuffled to be counted")
undone("before_sort", lambda spark: sales(spark, "amount").repartition(10).orderBy("amount"))
undone("before_distinct", lambda spark: round_robin(spark).distinct())
undone("before_window", lambda spark: sales(spark, "store_id", "qty").repartition(10).selectExpr("sum(qty) over (partition by store_id) s"))
undone("before_join", lambda spark: sales(spark, "product_id", "qty").repartition(10).join(
    spark.table("retail.product").select("product_id", "name"), "product_id"), conf=NEVER)
undone("by_range_before_group", lambda spark: sales(spark, "product_id", "qty").repartitionByRange("qty").groupBy("product_id").count())
undone("hint", "SELECT product_id, COUNT(*) FROM (SELECT /*+ REPARTITION(10) */ product_id FROM retail.sales) GROUP BY product_id")
undone("distribute_by", "SELECT product_id, COUNT(*) FROM (SELECT product_id, store_id FROM retail.sales DISTRIBUTE BY store_id) GROUP BY product_id")
undone("filter_between", lambda spark: sales(spark, "product_id", "note").repartition(10).where("length(note) > 3").groupBy("product_id").count())
undone("text_source", lambda spark: spark.table("retail.customer").select("country").repartition(10).groupBy("country").count(), "info",
       why="a text file may be compressed, and then one task reads it: info")
undone("known_small", lambda spark: round_robin(spark).groupBy("product_id").count(), "info", phase="after", why="320 KB were shuffled")

kept("used_by_group", lambda spark: sales(spark, "product_id").repartition("product_id").groupBy("product_id").count(), "Spark uses it and adds none")
kept("used_by_wider_group", lambda spark: sales(spark, "product_id", "qty").repartition("product_id").groupBy("product_id", "qty").count(),
     "Spark uses it and adds none")
kept("last", round_robin, "no shuffle comes after it")
kept("distinct_uses_it", lambda spark: sales(spark, "product_id", "qty").repartition("product_id").distinct().groupBy("qty").count(),
     "the DISTINCT uses it, the GROUP BY after that needs another")


def python_between(spark):
    from pyspark.sql.functions import udf
    return sales(spark, "note").repartition(10).select(udf(lambda s: s, "string")("note").alias("n")).groupBy("n").count()


kept("python_between", python_between, "the UDF runs in ten tasks")
kept("regular_expression_between", lambda spark: sales(spark, "note").repartition(10).selectExpr("regexp_replace(note, '[0-9]+', '') n")
     .groupBy("n").count(), "a dear expression runs in ten tasks")
kept("parser_between", lambda spark: sales(spark, "note").repartition(10).selectExpr("from_json(note, 'a int').a a").groupBy("a").count(),
     "a dear expression runs in ten tasks")
kept("explode_between", lambda spark: spark.table("retail.product").select("tags").repartition(10).selectExpr("explode(tags) t")
     .groupBy("t").count(), "an explode makes many rows of few, in ten tasks")
kept("jdbc_source", lambda spark: spark.table("h2.SHOP.ITEMS").repartition(4).groupBy("NAME").count(), "one task reads the source")
kept("python_rows", lambda spark: spark.createDataFrame([(i,) for i in range(2000)], "a int").repartition(4).groupBy("a").count(),
     "an RDD may have one partition")


def gzip_file(spark):
    folder = f"{neutral.lake_directory()}/files/gzip"
    spark.table("retail.store").select("store_name", "region").coalesce(1).write.mode("overwrite").csv(folder, compression="gzip")
    return spark.read.csv(glob.glob(f"{folder}/*.csv.gz")[0]).repartition(8).groupBy("_c1").count()


kept("gzip_source", gzip_file, "one task reads the source")
kept("limit_between", lambda spark: round_robin(spark).limit(5).groupBy("product_id").count(), "a limit is between")
kept("rebalance", "SELECT /*+ REBALANCE */ product_id FROM retail.sales", "no shuffle comes after it")


def shared(spark):
    rows = sales(spark, "store_id", "product_id", "qty").repartition("store_id")
    return rows.groupBy("product_id").agg({"qty": "sum", "store_id": "max"}).union(rows.groupBy("qty").agg({"product_id": "sum", "store_id": "max"}))


kept("shared", shared, "two groupings read its one result", conf=NO_ADAPTIVE)
kept("shared_before_run", shared, "two groupings will read its one result")
kept("literal_rows", lambda spark: spark.sql("SELECT * FROM VALUES (1), (2) AS t(a)").repartition(4).groupBy("a").count(),
     "two rows", kind="tiny")
kept("small_range", lambda spark: spark.range(100).repartition(4).groupBy("id").count(), "a hundred rows", kind="tiny")

# ---- reshuffled-keys


def again(name, sql, reason, **more):
    more.setdefault("conf", NEVER)
    case("reshuffled-keys", "positive", name, sql, ("info", EXCHANGE, reason), **more)


def needed(name, sql, why, kind="negative", **more):
    more.setdefault("conf", NEVER)
    case("reshuffled-keys", kind, name, sql, why=why, **more)


BY_PRODUCT = "(SELECT product_id, SUM(qty) AS s FROM retail.sales GROUP BY product_id)"
BY_STORE = "(SELECT store_id, MAX(qty) AS m FROM retail.sales GROUP BY store_id)"
CAST = f"SELECT a.s, c.country FROM {BY_PRODUCT} a JOIN retail.customer c ON a.product_id = c.customer_id"
MORE = f"SELECT s.sale_id FROM {BY_STORE} a JOIN retail.sales s ON a.store_id = s.store_id AND a.m = s.qty"
UNION = (f"SELECT product_id, SUM(s) FROM (SELECT * FROM {BY_PRODUCT} UNION ALL "
         "SELECT product_id, SUM(qty) FROM retail.returns GROUP BY product_id) GROUP BY product_id")
again("cast", CAST, "cast")
again("cast_simple_mode", CAST, "cast", mode="simple")
again("cast_after", CAST, "cast", phase="after")
again("cast_no_adaptive", CAST, "cast", conf={**NEVER, **NO_ADAPTIVE})
again("cast_semi_join", f"SELECT country FROM retail.customer WHERE customer_id IN (SELECT product_id FROM {BY_PRODUCT})", "cast")
again("cast_of_date", "SELECT s.sale_id FROM (SELECT day, COUNT(*) AS n FROM retail.calendar GROUP BY day) a JOIN retail.sales s ON a.day = s.sold_at",
      "cast")
again("join_on_more_keys", MORE, "join-on-more-keys")
again("join_on_more_keys_simple_mode", MORE, "join-on-more-keys", mode="simple")
again("window_below_join", "SELECT s.sale_id, a.q FROM (SELECT store_id, product_id, SUM(qty) OVER (PARTITION BY store_id) AS q FROM retail.sales) a "
      "JOIN retail.sales s ON a.store_id = s.store_id AND a.product_id = s.product_id", "join-on-more-keys")
again("renamed", f"SELECT s.sale_id FROM (SELECT store_id AS k, m FROM {BY_STORE}) a JOIN retail.sales s ON a.k = s.store_id AND a.m = s.qty",
      "join-on-more-keys")
again("partition_count", lambda spark: spark.sql(f"SELECT * FROM {BY_PRODUCT}").join(
    sales(spark, "product_id", "qty").repartition(24, "product_id").groupBy("product_id").max("qty"), "product_id"), "partition-count",
      why="both sides are grouped already, into 16 and 24 partitions")
again("union", UNION, "union")
needed("number_follows_the_join", lambda spark: spark.sql(f"SELECT * FROM {BY_PRODUCT}").join(
    spark.table("retail.product").select("product_id", "name").repartition(24, "product_id"), "product_id"),
       "Spark gives the repartition the number of the other side")
needed("finer_group", "SELECT store_id, MAX(s) FROM (SELECT store_id, product_id, SUM(qty) AS s FROM retail.sales GROUP BY store_id, product_id) "
       "GROUP BY store_id", "the rows are partitioned by more keys")
needed("count_distinct", "SELECT store_id, COUNT(DISTINCT product_id) FROM retail.sales GROUP BY store_id", "the first shuffle is by both keys")
needed("null_side", f"SELECT a.store_id, COUNT(*) FROM retail.store t LEFT JOIN {BY_STORE} a ON t.store_id = a.store_id GROUP BY a.store_id",
       "the join spreads the NULLs of its right side")
needed("full_join", f"SELECT COALESCE(a.store_id, t.store_id), COUNT(*) FROM retail.store t FULL JOIN {BY_STORE} a ON t.store_id = a.store_id GROUP BY 1",
       "a full join keeps neither side's partitioning")
needed("kept_side", f"SELECT t.store_id, COUNT(*) FROM retail.store t LEFT JOIN {BY_STORE} a ON t.store_id = a.store_id GROUP BY t.store_id",
       "no second shuffle")
needed("wider_group", f"SELECT store_id, m, COUNT(*) FROM {BY_STORE} GROUP BY store_id, m", "no second shuffle")
needed("text_to_number", "SELECT s.sale_id FROM (SELECT store_code, COUNT(*) AS n FROM retail.store GROUP BY store_code) a JOIN retail.sales s "
       "ON a.store_code = s.store_id", "'01' and '1' are one number in two partitions")
needed("other_expression", "SELECT s.sale_id FROM (SELECT note, COUNT(*) AS n FROM retail.sales GROUP BY note) a JOIN retail.sales s "
       "ON upper(a.note) = s.note", "two notes in two partitions may be one in upper case")
needed("conf_allows_fewer_keys", MORE, "no second shuffle", conf={**NEVER, "spark.sql.requireAllClusterKeysForCoPartition": "false"})
needed("other_order", "SELECT s.sale_id FROM (SELECT store_id, product_id, COUNT(*) AS n FROM retail.sales GROUP BY store_id, product_id) a "
       "JOIN retail.sales s ON a.product_id = s.product_id AND a.store_id = s.store_id", "no second shuffle")
needed("union_keeps_it", UNION, "4.1 and later keep the partitioning", since="4.1")
needed("literal_rows", "SELECT t.b FROM (SELECT a, MAX(b) AS b FROM VALUES (1, 2), (2, 3) AS v(a, b) GROUP BY a) t "
       "JOIN retail.sales s ON t.a = s.store_id AND t.b = s.qty", "two rows", kind="tiny")

# ---- single-partition. Windows have a rule of their own.


def gathered(name, query, severity="warning", **more):
    case("single-partition", "positive", name, query, (severity, EXCHANGE, ""), **more)


def fine(name, query, why, kind="negative", **more):
    case("single-partition", kind, name, query, why=why, **more)


def apply_all(rows):
    return rows.groupBy().applyInPandas(lambda frame: frame, rows.schema)


def pandas_mean():
    import pandas
    from pyspark.sql.functions import pandas_udf

    def mean(values: pandas.Series) -> float:
        return values.mean()
    return pandas_udf(mean, "double")


gathered("pandas_groups", lambda spark: apply_all(sales(spark, "sale_id", "qty")))
gathered("pandas_groups_simple_mode", lambda spark: apply_all(sales(spark, "sale_id", "qty")), mode="simple")
gathered("pandas_groups_filtered", lambda spark: apply_all(sales(spark, "sale_id", "qty").where("qty > 3")))
gathered("pandas_aggregate", lambda spark: sales(spark, "qty").agg(pandas_mean()("qty")))
gathered("pandas_aggregate_no_adaptive", lambda spark: sales(spark, "qty").agg(pandas_mean()("qty")), conf=NO_ADAPTIVE)
gathered("pandas_aggregate_of_join", lambda spark: sales(spark, "product_id", "qty").join(spark.table("retail.product"), "product_id")
         .agg(pandas_mean()("qty")))
gathered("pandas_groups_of_report", lambda spark: apply_all(spark.sql(f"SELECT store_id, m FROM {BY_STORE}")), "info",
         why="a report of unknown size: info")
fine("global_aggregate", "SELECT SUM(qty), COUNT(*) FROM retail.sales", "one row for each task")
fine("global_aggregate_after", "SELECT SUM(qty), COUNT(*) FROM retail.sales", "one row for each task", phase="after")
fine("global_distinct", "SELECT COUNT(DISTINCT product_id) FROM retail.sales", "one row for each task")
fine("global_collect", "SELECT COLLECT_SET(qty) FROM retail.sales", "one row for each task")
fine("limit", "SELECT COUNT(*) FROM (SELECT sale_id FROM retail.sales LIMIT 100)", "a few rows for each task")
fine("scalar_subquery", "SELECT sale_id FROM retail.sales WHERE qty > (SELECT AVG(qty) FROM retail.sales)", "one row for each task")
fine("one_row", "SELECT RANK() OVER (ORDER BY n) FROM (SELECT COUNT(*) AS n FROM retail.sales)", "one row")
fine("pandas_of_limit", lambda spark: apply_all(sales(spark, "sale_id", "qty").limit(100)), "a hundred rows")
fine("pandas_with_key", lambda spark: sales(spark, "store_id", "qty").groupBy("store_id").applyInPandas(lambda frame: frame, "store_id int, qty int"),
     "a key")
fine("order_by_limit", "SELECT sale_id FROM retail.sales ORDER BY amount LIMIT 10", "no exchange")
fine("repartition", lambda spark: sales(spark, "sale_id").repartition(1), "one-task-output")
fine("group_limit", "SELECT * FROM (SELECT sale_id, RANK() OVER (ORDER BY amount) AS r FROM retail.sales) WHERE r <= 3",
     "each task leaves its three best", since="3.5")
fine("literal_rows", lambda spark: apply_all(spark.sql("SELECT a FROM VALUES (1), (2) AS t(a)")), "two rows", kind="tiny")
fine("small_range", lambda spark: apply_all(spark.range(1000)), "a thousand rows", kind="tiny")
fine("known_rows", lambda spark: apply_all(sales(spark, "sale_id", "qty")), "20,000 rows were counted", kind="tiny", phase="after")

# ---- unreused-exchange


def twice(name, sql, reason, **more):
    more.setdefault("conf", {**NEVER, **NO_ADAPTIVE})
    case("unreused-exchange", "positive", name, sql, ("info", EXCHANGE, reason), **more)


def once(name, sql, why, kind="negative", **more):
    more.setdefault("conf", {**NEVER, **NO_ADAPTIVE})
    case("unreused-exchange", kind, name, sql, why=why, **more)


def both(first, second):
    return f"{first} UNION ALL {second}"


FEWER = (f"SELECT a.m FROM {BY_STORE} a JOIN (SELECT DISTINCT store_id FROM retail.sales) b ON a.store_id = b.store_id")
GROUPED = "SELECT store_id, SUM(qty) FROM retail.sales{} GROUP BY store_id"
JOINED = ("SELECT {} AS k, COUNT(*) FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id GROUP BY 1",
          "SELECT {} AS k, COUNT(*) FROM retail.product p JOIN retail.sales s ON s.product_id = p.product_id GROUP BY 1")
ADAPTIVE = {"conf": NEVER, "phase": "after"}
twice("fewer_columns", FEWER, "columns-differ")
twice("fewer_columns_simple_mode", FEWER, "columns-differ", mode="simple")
twice("fewer_columns_after", FEWER, "columns-differ", **ADAPTIVE)
twice("more_functions", both(GROUPED.format(""), "SELECT store_id, SUM(qty) + MAX(qty) FROM retail.sales GROUP BY store_id"), "columns-differ")
twice("one_more_filter", both(GROUPED.format(""), GROUPED.format(" WHERE qty > 3")), "filter-differs")
twice("one_more_filter_after", both(GROUPED.format(""), GROUPED.format(" WHERE qty > 3")), "filter-differs", **ADAPTIVE)
twice("one_more_of_two", both(GROUPED.format(" WHERE qty > 3"), GROUPED.format(" WHERE qty > 3 AND note IS NOT NULL AND note <> 'x'")),
      "filter-differs")
twice("join_sides_swapped", both(JOINED[0].format("s.qty"), JOINED[1].format("s.qty")), "join-sides-swapped")
twice("reuse_off", both(GROUPED.format(""), GROUPED.format("")), "reuse-off", conf={**NO_ADAPTIVE, "spark.sql.exchange.reuse": "false"})
twice("reuse_off_before_run", both(GROUPED.format(""), GROUPED.format("")), "reuse-off", conf={"spark.sql.exchange.reuse": "false"})
once("equal", both(GROUPED.format(""), GROUPED.format("")), "reused")
once("equal_after", both(GROUPED.format(""), GROUPED.format("")), "reused", **ADAPTIVE)
once("not_run", both(GROUPED.format(""), GROUPED.format(" WHERE qty > 3")), "a plan that did not run shows no reuse", conf=NEVER)
once("equal_not_run", both(GROUPED.format(""), GROUPED.format("")), "will be reused", conf=NEVER)
once("other_filters", both(GROUPED.format(" WHERE qty > 3"), GROUPED.format(" WHERE qty < 2")), "other rows")
once("other_partitions", both(GROUPED.format(" WHERE channel = 'web'"), GROUPED.format(" WHERE channel = 'shop'")), "other rows")
once("other_keys", both(GROUPED.format(""), "SELECT product_id, SUM(qty) FROM retail.sales GROUP BY product_id"), "other keys")
once("other_functions", both(GROUPED.format(""), "SELECT store_id, MAX(product_id) FROM retail.sales GROUP BY store_id"), "both have columns of their own")
once("other_table", both("SELECT product_id, SUM(qty) FROM retail.sales GROUP BY product_id",
                         "SELECT product_id, SUM(qty) FROM retail.returns GROUP BY product_id"), "another table")
once("self_join", "SELECT a.qty, b.amount FROM retail.sales a JOIN retail.sales b ON a.sale_id = b.customer_id", "other keys")
once("one_exchange", GROUPED.format(""), "one exchange")
once("literal_rows", both("SELECT a, MAX(b) FROM VALUES (1, 2) AS t(a, b) GROUP BY a", "SELECT a, MIN(b) FROM VALUES (1, 2) AS t(a, b) GROUP BY a"),
     "a few rows of the query itself", kind="tiny")

# ---- lost-sort


def lost(name, query, **more):
    case("lost-sort", "positive", name, query, ("warning", "Sort", ""), **more)


def useful(name, query, why, kind="negative", **more):
    case("lost-sort", kind, name, query, why=why, **more)


ORDERED = "(SELECT sale_id, store_id, qty FROM retail.sales ORDER BY qty)"
lost("global_then_repartition", lambda spark: sales(spark, "sale_id", "qty").orderBy("qty").repartition(10))
lost("global_then_repartition_simple", lambda spark: sales(spark, "sale_id", "qty").orderBy("qty").repartition(10), mode="simple")
lost("global_then_repartition_after", lambda spark: sales(spark, "sale_id", "qty").orderBy("qty").repartition(10), phase="after")
lost("global_then_one", lambda spark: sales(spark, "sale_id", "qty").orderBy("qty").repartition(1))
lost("local_then_repartition", lambda spark: sales(spark, "sale_id", "qty").sortWithinPartitions("qty").repartition(4))
lost("subquery_below_window", f"SELECT sale_id, SUM(qty) OVER (PARTITION BY store_id) FROM {ORDERED}")
lost("filter_between", lambda spark: sales(spark, "sale_id", "qty").orderBy("qty").selectExpr("sale_id", "qty * 2 AS q").repartition(10),
     conf=NO_ADAPTIVE)
lost("rebalance", f"SELECT /*+ REBALANCE */ sale_id FROM {ORDERED}")
useful("before_column", lambda spark: sales(spark, "sale_id", "qty").orderBy("qty").repartition("sale_id"), "the optimizer drops it below a repartition by columns")
useful("before_range", lambda spark: sales(spark, "sale_id", "qty").orderBy("qty").repartitionByRange("sale_id"), "the optimizer drops it below a repartition by columns")
useful("sorted_after", lambda spark: sales(spark, "sale_id", "qty").repartition(1).sortWithinPartitions("qty"), "sorted after the shuffle")
useful("last", "SELECT sale_id FROM retail.sales ORDER BY qty", "nothing comes after it")
useful("window", "SELECT sale_id, RANK() OVER (PARTITION BY store_id ORDER BY qty) AS r FROM retail.sales ORDER BY r", "the window's own sort")
useful("merge_join", "SELECT s.store_id, COUNT(*) FROM retail.sales s JOIN retail.returns r ON s.sale_id = r.sale_id GROUP BY s.store_id",
       "the join's own sorts", conf=NEVER)
useful("limit", "SELECT COUNT(*) FROM (SELECT sale_id FROM retail.sales ORDER BY qty LIMIT 100)", "a limit takes the first")
useful("first_of_group", f"SELECT store_id, FIRST(sale_id) FROM {ORDERED} GROUP BY store_id", "FIRST takes the first row")
useful("collect_of_group", f"SELECT store_id, COLLECT_LIST(sale_id) FROM {ORDERED} GROUP BY store_id", "the list is in that order")
useful("sort_aggregate", "SELECT store_id, MAX(note) FROM retail.sales GROUP BY store_id", "the aggregate's own sort")
useful("row_numbers", lambda spark: sales(spark, "sale_id", "qty").orderBy("qty").selectExpr("sale_id", "monotonically_increasing_id() AS i")
       .repartition(10), "the order went into numbers")
useful("coalesced", lambda spark: sales(spark, "sale_id", "qty").orderBy("qty").coalesce(2), "coalesce moves nothing")
useful("removed_by_spark", f"SELECT store_id, COUNT(*) FROM {ORDERED} GROUP BY store_id", "the optimizer drops such a sort")
useful("literal_rows", lambda spark: spark.sql("SELECT a FROM VALUES (3), (2) AS t(a)").orderBy("a").repartition(4), "two rows", kind="tiny")

# ---- one-task-output


def one(name, query, kind, reason, severity="warning", **more):
    case("one-task-output", "positive", name, query, (severity, kind, reason), **more)


def many(name, query, why, kind="negative", **more):
    case("one-task-output", kind, name, query, why=why, **more)


one("coalesce", lambda spark: sales(spark, "sale_id", "qty").where("qty > 3").coalesce(1), "Coalesce", "coalesce")
one("coalesce_simple_mode", lambda spark: sales(spark, "sale_id", "qty").where("qty > 3").coalesce(1), "Coalesce", "coalesce", mode="simple")
one("coalesce_hint", "SELECT /*+ COALESCE(1) */ sale_id FROM retail.sales", "Coalesce", "coalesce")
one("coalesce_of_aggregate", lambda spark: spark.sql(f"SELECT * FROM {BY_PRODUCT}").coalesce(1), "Coalesce", "coalesce")
one("coalesce_of_join", lambda spark: sales(spark, "product_id", "qty").join(spark.table("retail.product").select("product_id", "name"),
                                                                             "product_id").coalesce(1), "Coalesce", "coalesce")
one("sorted_file", lambda spark: sales(spark, "sale_id", "qty").orderBy("qty").coalesce(1), "Coalesce", "sorted-file")
one("repartition", lambda spark: sales(spark, "sale_id", "qty").repartition(1), EXCHANGE, "repartition")
one("repartition_no_adaptive", lambda spark: sales(spark, "sale_id", "qty").repartition(1), EXCHANGE, "repartition", conf=NO_ADAPTIVE)
one("repartition_column", lambda spark: sales(spark, "sale_id", "qty").repartition(1, "qty"), EXCHANGE, "repartition")
one("repartition_hint", "SELECT /*+ REPARTITION(1) */ sale_id FROM retail.sales", EXCHANGE, "repartition")
one("repartition_sorted_within", lambda spark: sales(spark, "sale_id", "qty").repartition(1).sortWithinPartitions("qty"), EXCHANGE, "repartition",
    "info", why="the right form of one sorted file: info")
one("shuffle_partitions", "SELECT product_id, COUNT(*) FROM retail.sales GROUP BY product_id", EXCHANGE, "shuffle-partitions",
    conf={"spark.sql.shuffle.partitions": "1"})
one("shuffle_partitions_twice", f"SELECT s, COUNT(*) FROM {BY_PRODUCT} GROUP BY s", EXCHANGE, "shuffle-partitions",
    conf={"spark.sql.shuffle.partitions": "1"}, why="two shuffles, one cause")
many("coalesce_to_some", lambda spark: sales(spark, "sale_id").coalesce(4), "four tasks")
many("repartition_to_some", lambda spark: sales(spark, "sale_id").repartition(4), "four tasks")
many("coalesce_of_limit", lambda spark: sales(spark, "sale_id").limit(100).coalesce(1), "a hundred rows, in one partition anyway")
many("coalesce_of_total", lambda spark: sales(spark, "qty").groupBy().sum("qty").coalesce(1), "one row, in one partition anyway")
many("global_aggregate", "SELECT SUM(qty) FROM retail.sales", "nobody asked for one partition")
many("no_shuffle", "SELECT sale_id FROM retail.sales WHERE qty > 3", "nothing asks for one partition")
many("group", "SELECT product_id, COUNT(*) FROM retail.sales GROUP BY product_id", "sixteen partitions")
many("order_by_limit", "SELECT sale_id FROM retail.sales ORDER BY amount LIMIT 10", "no repartition")
many("repartition_of_limit", lambda spark: sales(spark, "sale_id").limit(100).repartition(1), "a hundred rows")
many("declared_small", lambda spark: spark.table("retail.promotion").repartition(1), "a declared table of 25 rows", kind="tiny")
many("literal_rows", lambda spark: spark.sql("SELECT a FROM VALUES (1), (2) AS t(a)").repartition(1), "two rows", kind="tiny")
many("small_range", lambda spark: spark.range(1000).selectExpr("id * 2 AS a").coalesce(1), "a thousand rows", kind="tiny")
many("known_rows", lambda spark: sales(spark, "sale_id", "qty").repartition(1), "20,000 rows were counted", kind="tiny", phase="after")

# ---- fixed-partitioning


def fixed(name, query, **more):
    case("fixed-partitioning", "positive", name, query, ("info", EXCHANGE, ""), **more)


def free(name, query, why, kind="negative", **more):
    case("fixed-partitioning", kind, name, query, why=why, **more)


fixed("round_robin", lambda spark: sales(spark, "sale_id").repartition(10))
fixed("round_robin_simple_mode", lambda spark: sales(spark, "sale_id").repartition(10), mode="simple")
fixed("round_robin_after", lambda spark: sales(spark, "sale_id").repartition(10), phase="after")
fixed("hash", lambda spark: sales(spark, "sale_id", "store_id").repartition(10, "store_id"))
fixed("range", lambda spark: sales(spark, "sale_id", "store_id").repartitionByRange(5, "store_id"))
fixed("hint", "SELECT /*+ REPARTITION(5) */ sale_id FROM retail.sales")
fixed("hint_with_column", "SELECT /*+ REPARTITION(5, store_id) */ sale_id FROM retail.sales")
fixed("side_of_a_join", lambda spark: sales(spark, "product_id", "qty").repartition(20, "product_id").join(
    spark.table("retail.product").select("product_id", "name"), "product_id"), conf=NEVER)
fixed("used_by_group", lambda spark: sales(spark, "product_id").repartition(20, "product_id").groupBy("product_id").count())
free("column", lambda spark: sales(spark, "sale_id", "store_id").repartition("store_id"), "AQE may merge and split")
free("range_column", lambda spark: sales(spark, "sale_id", "store_id").repartitionByRange("store_id"), "AQE may merge")
free("one", lambda spark: sales(spark, "sale_id").repartition(1), "one-task-output")
free("rebalance", "SELECT /*+ REBALANCE(store_id) */ sale_id, store_id FROM retail.sales", "AQE decides")
free("hint_without_number", "SELECT /*+ REPARTITION */ sale_id FROM retail.sales", "AQE decides")
free("distribute_by", "SELECT sale_id, store_id FROM retail.sales DISTRIBUTE BY store_id", "AQE may merge")
free("no_adaptive", lambda spark: sales(spark, "sale_id").repartition(10), "without AQE nothing is lost", conf=NO_ADAPTIVE)
free("group", "SELECT product_id, COUNT(*) FROM retail.sales GROUP BY product_id", "nobody asked for a number")
free("undone", lambda spark: round_robin(spark).groupBy("product_id").count(), "redundant-exchange says it")
free("coalesce", lambda spark: sales(spark, "sale_id").coalesce(3), "no shuffle", kind="negative")
free("small_group", "SELECT a, COUNT(*) FROM VALUES (1), (2) AS t(a) GROUP BY a", "nobody asked for a number", kind="tiny")

# ---- partition-size. The catalog is told sizes that the lake does not have.
HUGE = {"retail.sales": (4 * 10**12, 2 * 10**10)}


def sized(name, query, reason, **more):
    more.setdefault("mode", "cost")
    case("partition-size", "positive", name, query, ("warning", EXCHANGE, reason), **more)


def right(name, query, why, kind="negative", **more):
    more.setdefault("mode", "cost")
    case("partition-size", kind, name, query, why=why, **more)


SORTED = "SELECT sale_id, amount FROM retail.sales ORDER BY amount"
sized("huge_sort", SORTED, "too-large", statistics=HUGE)
sized("huge_sort_no_adaptive", SORTED, "too-large", statistics=HUGE, conf=NO_ADAPTIVE)
sized("huge_repartition", lambda spark: sales(spark, "sale_id", "qty").repartition(40, "qty"), "too-large", statistics=HUGE)
sized("huge_window", "SELECT SUM(qty) OVER (PARTITION BY store_id) FROM retail.sales", "too-large", statistics=HUGE)
sized("small_by_number", lambda spark: spark.table("retail.promotion").repartition(2000), "too-small", statistics={"retail.promotion": (4000, 25)})
sized("small_no_adaptive", "SELECT promotion_id FROM retail.promotion ORDER BY from_price", "too-small", statistics={"retail.promotion": (4000, 25)},
      conf={**NO_ADAPTIVE, "spark.sql.shuffle.partitions": "2000"})
right("small_adaptive", "SELECT promotion_id FROM retail.promotion ORDER BY from_price", "AQE will merge them",
      statistics={"retail.promotion": (4000, 25)}, conf={"spark.sql.shuffle.partitions": "2000"})
right("small_merged", "SELECT promotion_id FROM retail.promotion ORDER BY from_price", "AQE merged them", kind="healed", phase="after",
      mode="formatted", conf={"spark.sql.shuffle.partitions": "2000"})
right("aggregated", "SELECT store_id, COUNT(*) FROM retail.sales GROUP BY store_id", "the partial aggregate leaves an unknown rest", statistics=HUGE)
right("filtered", "SELECT sale_id FROM retail.sales WHERE note = 'note 3' ORDER BY qty", "what a filter leaves is an estimate of nothing known",
      statistics=HUGE)
right("joined", "SELECT s.sale_id, r.reason FROM retail.sales s JOIN retail.returns r ON s.sale_id = r.sale_id ORDER BY r.reason",
      "the optimizer's size of a join is that of all pairs", conf=NEVER)
right("middle", SORTED, "2 GiB in 16 partitions", statistics={"retail.sales": (3 * 10**9, 10**8)})
right("unknown", SORTED, "no sizes are known", mode="formatted")
right("after", SORTED, "400 KB", phase="after", mode="formatted", kind="tiny")
right("few_small", "SELECT promotion_id FROM retail.promotion ORDER BY from_price", "16 small partitions are no problem", kind="tiny",
      statistics={"retail.promotion": (4000, 25)}, conf=NO_ADAPTIVE)
