"""Python in plans: row functions, pandas and Arrow functions of every shape, table functions."""
from spark_corpus.query import query, sql

COMET = ("core", "comet")


@query("BatchEvalPython in a projection", kinds=COMET, events=True)
def python_udf(spark):
    from pyspark.sql.functions import udf
    shout = udf(lambda text: text.upper() if text else None, "string")
    product = spark.table("retail.product")
    return product.select("product_id", shout(product["name"]).alias("loud")).where("product_id > 5")


@query("a function of a function, two functions over different columns")
def python_udf_nested(spark):
    from pyspark.sql.functions import udf
    double = udf(lambda number: number * 2, "double")
    shout = udf(lambda text: text.upper() if text else None, "string")
    product = spark.table("retail.product")
    return product.select(double(double(product["price"])), shout(product["name"]), double(product["dimension.width"]).alias("w"))


@query("functions with names: in the filter, the group key and the aggregate's argument")
def python_udf_everywhere(spark):
    from pyspark.sql.functions import udf

    @udf("int")
    def bucket_of(number):
        return number % 3

    @udf("boolean")
    def is_small(number):
        return number < 30

    sales = spark.table("retail.sales")
    return sales.where(is_small(sales["store_id"])).groupBy(bucket_of(sales["store_id"]).alias("b")).agg({"qty": "sum"}).where(is_small("b"))


@query("a Python function as join key")
def python_udf_join_key(spark):
    from pyspark.sql.functions import udf
    plus = udf(lambda number: number + 1, "int")
    store, promotion = spark.table("retail.store"), spark.table("retail.promotion")
    return store.join(promotion, plus(store["store_id"]) == promotion["product_id"]).select("store_id", "promotion_id")


@query("useArrow: ArrowEvalPython of a plain function", since="3.5")
def python_udf_arrow(spark):
    from pyspark.sql.functions import udf
    double = udf(lambda number: number * 2, "double", useArrow=True)
    return spark.table("retail.product").select(double("price").alias("d"))


@query("a registered function in SQL")
def python_udf_sql(spark):
    spark.udf.register("plus_one", lambda number: number + 1, "int")
    return spark.sql("SELECT plus_one(store_id) AS p, COUNT(*) AS n FROM retail.sales WHERE plus_one(qty) > 3 GROUP BY plus_one(store_id) HAVING plus_one(CAST(COUNT(*) AS INT)) > 5")


@query("ArrowEvalPython: a scalar pandas function", events=True)
def pandas_scalar(spark):
    import pandas as pd
    from pyspark.sql.functions import pandas_udf

    @pandas_udf("double")
    def half(prices: pd.Series) -> pd.Series:
        return prices / 2

    return spark.table("retail.product").select("product_id", half("price").alias("h")).where("h > 10")


@query("ArrowEvalPython: an iterator of pandas series, and a struct result")
def pandas_iterator(spark):
    from typing import Iterator
    import pandas as pd
    from pyspark.sql.functions import pandas_udf

    @pandas_udf("double")
    def half(batches: Iterator[pd.Series]) -> Iterator[pd.Series]:
        for prices in batches:
            yield prices / 2

    @pandas_udf("low double, high double")
    def range_of(prices: pd.Series) -> pd.DataFrame:
        return pd.DataFrame({"low": prices - 1, "high": prices + 1})

    return spark.table("retail.product").select(half("price").alias("h"), range_of("price").alias("r")).select("h", "r.low")


@query("AggregateInPandas / ArrowAggregatePython")
def pandas_aggregate(spark):
    import pandas as pd
    from pyspark.sql.functions import pandas_udf

    @pandas_udf("double")
    def mean(values: pd.Series) -> float:
        return float(values.mean())

    return spark.table("retail.sales").groupBy("store_id").agg(mean("qty").alias("m"))


@query("WindowInPandas / ArrowWindowPython")
def pandas_window(spark):
    import pandas as pd
    from pyspark.sql import Window
    from pyspark.sql.functions import pandas_udf

    @pandas_udf("double")
    def mean(values: pd.Series) -> float:
        return float(values.mean())

    sales = spark.table("retail.sales").where("sale_date = DATE'2024-01-10'")
    return sales.select("sale_id", mean("qty").over(Window.partitionBy("store_id")).alias("m"))


@query("MapInPandas")
def pandas_map(spark):
    def keep(batches):
        for batch in batches:
            yield batch[batch["qty"] > 3]

    return spark.table("retail.sales").select("sale_id", "qty").mapInPandas(keep, "sale_id long, qty int")


@query("PythonMapInArrow / MapInArrow", since="3.3")
def arrow_map(spark):
    def same(batches):
        yield from batches

    return spark.table("retail.sales").select("sale_id", "qty").mapInArrow(same, "sale_id long, qty int").groupBy("qty").count()


@query("FlatMapGroupsInPandas")
def pandas_groups(spark):
    def first(group):
        return group.head(1)

    return spark.table("retail.sales").select("store_id", "qty").groupBy("store_id").applyInPandas(first, "store_id int, qty int")


@query("FlatMapCoGroupsInPandas")
def pandas_cogroups(spark):
    def first(left, right):
        return left.head(1)

    store = spark.table("retail.store").select("store_id", "area")
    sales = spark.table("retail.sales").select("store_id", "qty")
    return store.groupBy("store_id").cogroup(sales.groupBy("store_id")).applyInPandas(first, "store_id int, area long")


@query("FlatMapGroupsInArrow", since="4.0")
def arrow_groups(spark):
    def first(group):
        return group.slice(0, 1)

    return spark.table("retail.sales").select("store_id", "qty").groupBy("store_id").applyInArrow(first, "store_id int, qty int")


@query("FlatMapCoGroupsInArrow", since="4.0")
def arrow_cogroups(spark):
    def first(left, right):
        return left.slice(0, 1)

    store = spark.table("retail.store").select("store_id", "area")
    sales = spark.table("retail.sales").select("store_id", "qty")
    return store.groupBy("store_id").cogroup(sales.groupBy("store_id")).applyInArrow(first, "store_id int, area long")


@query("BatchEvalPythonUDTF: a table function, alone and lateral", since="3.5")
def python_table_function(spark):
    from pyspark.sql.functions import udtf

    @udtf(returnType="number int, square int")
    class Squares:
        def eval(self, upto: int):
            for number in range(upto or 0):
                yield number, number * number

    spark.udtf.register("squares", Squares)
    return spark.sql("SELECT t.store_id, s.square FROM retail.store t, LATERAL squares(t.store_id) s WHERE s.number > 1")


@query("ArrowEvalPythonUDTF: a table function through Arrow", since="3.5")
def python_table_function_arrow(spark):
    from pyspark.sql.functions import lit, udtf

    @udtf(returnType="number int", useArrow=True)
    class Numbers:
        def eval(self, upto: int):
            for number in range(upto):
                yield number,

    return Numbers(lit(3))


@query("a table function over a table argument, partitioned and ordered", since="4.0")
def python_table_argument(spark):
    from pyspark.sql.functions import udtf

    @udtf(returnType="store_id int")
    class Stores:
        def eval(self, row):
            yield row["store_id"],

    spark.udtf.register("stores", Stores)
    return spark.sql("SELECT * FROM stores(TABLE(SELECT store_id, qty FROM retail.sales WHERE qty > 8) PARTITION BY store_id ORDER BY qty)")


@query("AttachDistributedSequence of pandas on Spark")
def pandas_on_spark_index(spark):
    frame = spark.table("retail.store").select("store_id")
    return frame.pandas_api().to_spark(index_col="index") if hasattr(frame, "pandas_api") else frame.to_pandas_on_spark().to_spark(index_col="index")
