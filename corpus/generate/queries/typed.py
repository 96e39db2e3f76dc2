"""Typed Dataset operations, with Java functions (java/TypedFunctions.java)."""
from pyspark.sql import DataFrame

from spark_corpus.query import query


def function(spark, name):
    return getattr(spark._jvm.planvet, f"TypedFunctions${name}")()


def long_encoder(spark):
    return spark._jvm.org.apache.spark.sql.Encoders.LONG()


def longs(spark):
    """sale_id as a Dataset of Long."""
    rows = spark.table("retail.sales").select("sale_id")._jdf
    return rows.map(function(spark, "RowToLong"), long_encoder(spark))


def frame(spark, dataset):
    return DataFrame(dataset.toDF(), spark)


@query("MapElements twice: one deserialisation; a typed filter", events=True)
def typed_map(spark):
    mapped = longs(spark).map(function(spark, "Twice"), long_encoder(spark)).filter(function(spark, "IsEven"))
    return frame(spark, mapped)


@query("a typed filter below untyped columns")
def typed_filter(spark):
    encoder = long_encoder(spark)
    numbers = getattr(spark.table("retail.sales").select("sale_id")._jdf, "as")(encoder)
    return frame(spark, numbers.filter(function(spark, "IsEven"))).where("sale_id > 5").selectExpr("sale_id + 1 AS next")


@query("MapPartitions: flatMap and mapPartitions")
def typed_partitions(spark):
    mapped = longs(spark).flatMap(function(spark, "Both"), long_encoder(spark))
    return frame(spark, mapped.mapPartitions(function(spark, "Same"), long_encoder(spark)))


@query("AppendColumns and MapGroups")
def typed_groups(spark):
    grouped = longs(spark).groupByKey(function(spark, "Remainder"), long_encoder(spark))
    return frame(spark, grouped.mapGroups(function(spark, "Count"), long_encoder(spark)))


@query("AppendColumnsWithObject / reduceGroups")
def typed_reduce(spark):
    grouped = longs(spark).groupByKey(function(spark, "Remainder"), long_encoder(spark))
    return frame(spark, grouped.reduceGroups(function(spark, "Sum")))


@query("CoGroup")
def typed_cogroup(spark):
    encoder = long_encoder(spark)
    left = longs(spark).groupByKey(function(spark, "Remainder"), encoder)
    right = longs(spark).groupByKey(function(spark, "Twice"), encoder)
    return frame(spark, left.cogroup(right, function(spark, "Difference"), encoder))


@query("joinWith: structs on both sides")
def typed_join_with(spark):
    encoder = long_encoder(spark)
    left = getattr(spark.table("retail.store").selectExpr("area AS left_value")._jdf, "as")(encoder)
    right = getattr(spark.table("retail.customer").selectExpr("customer_id AS right_value")._jdf, "as")(encoder)
    condition = left.col("left_value").equalTo(right.col("right_value"))
    return DataFrame(left.joinWith(right, condition).toDF(), spark)


@query("ExternalRDD: a Dataset made of JVM objects")
def typed_external_rdd(spark):
    values = spark._jvm.java.util.ArrayList()
    for number in (1, 2, 3):
        values.add(number)
    rdd = spark._jvm.org.apache.spark.api.java.JavaSparkContext.fromSparkContext(spark.sparkContext._jsc.sc()).parallelize(values, 2)
    return frame(spark, spark._jsparkSession.createDataset(rdd.rdd(), spark._jvm.org.apache.spark.sql.Encoders.INT())).where("value > 1")
