"""Subqueries: scalar, nested, reused, correlated; dynamic pruning; bloom filters; cached plans."""
from spark_corpus.query import query, sql

NO_BROADCAST = {"spark.sql.autoBroadcastJoinThreshold": "-1"}

sql("subquery_scalar", "one scalar subquery in a filter", "SELECT sale_id FROM retail.sales WHERE amount > (SELECT AVG(cost) FROM retail.product)",
    events=True, kinds=("core", "comet"))
sql("subquery_scalar_merged", "two scalar subqueries over one table: merged (3.3 on), reused",
    "SELECT sale_id, (SELECT MAX(price) FROM retail.product) AS a, (SELECT MIN(price) FROM retail.product) AS b FROM retail.sales "
    "WHERE amount < (SELECT MAX(price) FROM retail.product)", events=True)
sql("subquery_nested", "a scalar subquery inside of a scalar subquery",
    "SELECT sale_id FROM retail.sales WHERE qty > (SELECT COUNT(*) FROM retail.store WHERE area > (SELECT MIN(from_price) * 100 FROM retail.promotion))",
    events=True)
sql("subquery_reused", "ReusedSubquery in two operators",
    "SELECT store_id, SUM(qty) AS q FROM retail.sales WHERE qty > (SELECT AVG(qty) FROM retail.returns) GROUP BY store_id "
    "HAVING SUM(qty) > (SELECT AVG(qty) FROM retail.returns)")
sql("subquery_reused_no_adaptive", "subqueries with AQE off",
    "SELECT store_id, SUM(qty) AS q FROM retail.sales WHERE qty > (SELECT AVG(qty) FROM retail.returns) GROUP BY store_id "
    "HAVING SUM(qty) > (SELECT AVG(qty) FROM retail.returns)", conf={"spark.sql.adaptive.enabled": "false"})
sql("subquery_correlated", "a correlated scalar subquery is a LeftOuter join",
    "SELECT t.store_id, (SELECT SUM(s.qty) FROM retail.sales s WHERE s.store_id = t.store_id) AS q FROM retail.store t")
sql("subquery_in_projection", "IN and EXISTS in the select list: ExistenceJoin",
    "SELECT p.product_id, p.product_id IN (SELECT product_id FROM retail.promotion) AS promoted, EXISTS (SELECT 1 FROM retail.returns r "
    "WHERE r.product_id = p.product_id) AS returned FROM retail.product p", since="3.4")
sql("subquery_in_partition_filter", "a scalar subquery in a partition filter",
    "SELECT sale_id FROM retail.sales WHERE sale_date = (SELECT MAX(day) FROM retail.calendar WHERE weekday = 3)")
sql("subquery_in_join", "a subquery in a join condition, with an adaptive plan of its own",
    "SELECT s.sale_id FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id AND s.amount > (SELECT AVG(x.m) FROM "
    "(SELECT store_id, MAX(amount) AS m FROM retail.sales GROUP BY store_id) x) - p.price", events=True)

sql("pruning_dynamic", "dynamic partition pruning that reuses the broadcast: SubqueryBroadcast",
    "SELECT s.sale_id, d.weekday FROM retail.sales s JOIN retail.calendar d ON s.sale_date = d.day WHERE d.weekday = 2", events=True,
    kinds=("core", "comet"))
sql("pruning_dynamic_no_adaptive", "dynamic partition pruning with AQE off",
    "SELECT s.sale_id, d.weekday FROM retail.sales s JOIN retail.calendar d ON s.sale_date = d.day WHERE d.weekday = 2",
    conf={"spark.sql.adaptive.enabled": "false"})
sql("pruning_dynamic_subquery", "dynamic partition pruning by an own subquery: no broadcast to reuse",
    "SELECT s.sale_id, d.weekday FROM retail.sales s JOIN retail.calendar d ON s.sale_date = d.day WHERE d.weekday = 2",
    conf={**NO_BROADCAST, "spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly": "false"})
sql("pruning_dynamic_off", "dynamic partition pruning switched off",
    "SELECT s.sale_id, d.weekday FROM retail.sales s JOIN retail.calendar d ON s.sale_date = d.day WHERE d.weekday = 2",
    conf={"spark.sql.optimizer.dynamicPartitionPruning.enabled": "false"})
sql("pruning_two_columns", "dynamic pruning on two partition columns",
    "SELECT s.sale_id FROM retail.sales s JOIN retail.calendar d ON s.sale_date = d.day JOIN "
    "(SELECT DISTINCT IF(store_id % 2 = 0, 'web', 'shop') AS channel FROM retail.store WHERE region = 'north') c ON s.channel = c.channel WHERE d.weekday < 2")
sql("pruning_bloom_filter", "a runtime bloom filter: might_contain over a subquery",
    "SELECT s.sale_id, r.reason FROM retail.skewed s JOIN retail.returns r ON s.sale_id = r.sale_id WHERE r.qty = 3 AND r.reason IS NOT NULL",
    conf={**NO_BROADCAST, "spark.sql.optimizer.runtime.bloomFilter.enabled": "true",
          "spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold": "1",
          "spark.sql.optimizer.runtime.bloomFilter.creationSideThreshold": "100MB"}, since="3.3", events=True)
sql("pruning_semi_join_filter", "a runtime IN-subquery filter",
    "SELECT s.sale_id, r.reason FROM retail.skewed s JOIN retail.returns r ON s.sale_id = r.sale_id WHERE r.qty = 3",
    conf={**NO_BROADCAST, "spark.sql.optimizer.runtime.bloomFilter.enabled": "false",
          "spark.sql.optimizer.runtimeFilter.semiJoinReduction.enabled": "true",
          "spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold": "1"}, since="3.3", until="3.5")


@query("a cached plan: InMemoryTableScan", events=True)
def cache_simple(spark):
    hot = spark.table("retail.sales").where("qty > 7").cache()
    return hot.groupBy("store_id").count()


@query("a named cached table")
def cache_named(spark):
    spark.sql("CACHE TABLE hot_product AS SELECT product_id, name, price FROM retail.product WHERE price > 50")
    return spark.sql("SELECT s.sale_id, h.name FROM retail.sales s JOIN hot_product h ON s.product_id = h.product_id WHERE h.price < 400")


@query("a cached plan inside of a cached plan, both adaptive", events=True)
def cache_nested(spark):
    per_store = spark.table("retail.sales").groupBy("store_id").sum("qty").cache()
    joined = per_store.join(spark.table("retail.store"), "store_id").cache()
    return joined.groupBy("region").count()


@query("a cached plan used twice, one of them filtered")
def cache_twice(spark):
    hot = spark.sql("SELECT store_id, SUM(qty) AS q FROM retail.sales GROUP BY store_id").cache()
    return hot.alias("a").join(hot.where("q > 2000").alias("b"), "store_id")


@query("a cached plan that is already materialised")
def cache_materialised(spark):
    hot = spark.sql("SELECT customer_id, COUNT(*) AS n FROM retail.sales GROUP BY customer_id").cache()
    hot.count()
    return hot.where("n > 10").orderBy("n")


@query("a checkpoint and a local checkpoint: Scan ExistingRDD")
def cache_checkpoint(spark):
    return spark.table("retail.sales").where("qty > 7").localCheckpoint().groupBy("store_id").count()
