"""Streams: the micro-batch of each stateful operator, of stateless streams and of each kind of sink."""
import shutil

from spark_corpus import capture
from spark_corpus.neutral import lake_directory
from spark_corpus.query import query

NO_CODEGEN = tuple(mode for mode in capture.MODES if mode != "codegen")
SCHEMA = "event_id long, user_id int, page string, at timestamp, ms int"
DATA_BATCH = {"spark.sql.streaming.noDataMicroBatches.enabled": "false", "spark.sql.shuffle.partitions": "3"}


def events(spark, watermark=True):
    stream = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", "1").json(f"{lake_directory()}/retail/event/*")
    return stream.withWatermark("at", "10 minutes") if watermark else stream


def checkpoint(name):
    """A fresh folder inside of the lake: checkpoint paths are printed in plans."""
    path = f"{lake_directory()}/checkpoint/{name}"
    shutil.rmtree(path, ignore_errors=True)
    return path


def run(spark, directory, frame, mode="append", sink="noop", batch=None):
    """Runs a stream over all that is there; the folder's name is the query's name in the event log."""
    writer = frame.writeStream.outputMode(mode).queryName("planvet:" + directory.rsplit("/", 1)[1]) \
        .option("checkpointLocation", checkpoint(directory.rsplit("/", 1)[1]))
    if batch is not None:
        writer = writer.foreachBatch(batch)
    else:
        writer = writer.format(sink)
    writer = writer.trigger(availableNow=True)
    capture.micro_batch(spark, writer.start(), directory, NO_CODEGEN)


@query("a stateless stream", conf=DATA_BATCH, since="3.3")
def stream_stateless(spark, directory):
    run(spark, directory, events(spark, False).where("ms > 50").select("event_id", "page"))


@query("a stream joined with a table", conf=DATA_BATCH, since="3.3")
def stream_static_join(spark, directory):
    store = spark.table("retail.store").withColumnRenamed("store_id", "user_id")
    run(spark, directory, events(spark, False).join(store, "user_id").select("event_id", "region"))


@query("StateStoreRestore and StateStoreSave, append, watermark", conf=DATA_BATCH, since="3.3", events=True)
def stream_aggregate_append(spark, directory):
    from pyspark.sql.functions import window
    run(spark, directory, events(spark).groupBy(window("at", "5 minutes"), "page").count())


@query("the last, empty batch of the same stream: LocalTableScan below the state", conf={"spark.sql.shuffle.partitions": "3"}, since="3.3")
def stream_aggregate_no_data(spark, directory):
    from pyspark.sql.functions import window
    run(spark, directory, events(spark).groupBy(window("at", "5 minutes"), "page").count())


@query("update mode without a watermark: unbounded state", conf=DATA_BATCH, since="3.3")
def stream_aggregate_update(spark, directory):
    run(spark, directory, events(spark, False).groupBy("page").count(), "update")


@query("complete mode with a sort", conf=DATA_BATCH, since="3.3")
def stream_aggregate_complete(spark, directory):
    run(spark, directory, events(spark, False).groupBy("page").agg({"ms": "avg"}).sort("page"), "complete")


@query("StreamingDeduplicate", conf=DATA_BATCH, since="3.3")
def stream_deduplicate(spark, directory):
    run(spark, directory, events(spark).dropDuplicates(["user_id", "at"]))


@query("StreamingDeduplicateWithinWatermark", conf=DATA_BATCH, since="3.5")
def stream_deduplicate_within_watermark(spark, directory):
    run(spark, directory, events(spark).dropDuplicatesWithinWatermark(["user_id"]))


@query("StreamingSymmetricHashJoin Inner with time bounds", conf=DATA_BATCH, since="3.3", events=True)
def stream_join(spark, directory):
    from pyspark.sql.functions import expr
    left = events(spark).selectExpr("user_id AS left_user", "at AS left_at", "page")
    right = events(spark).selectExpr("user_id AS right_user", "at AS right_at", "ms")
    run(spark, directory, left.join(right, expr("left_user = right_user AND right_at BETWEEN left_at AND left_at + INTERVAL 5 MINUTES")))


@query("StreamingSymmetricHashJoin LeftOuter", conf=DATA_BATCH, since="3.3")
def stream_join_outer(spark, directory):
    from pyspark.sql.functions import expr
    left = events(spark).selectExpr("user_id AS left_user", "at AS left_at", "page")
    right = events(spark).where("ms > 90").selectExpr("user_id AS right_user", "at AS right_at", "ms")
    run(spark, directory, left.join(right, expr("left_user = right_user AND right_at BETWEEN left_at AND left_at + INTERVAL 5 MINUTES"), "leftOuter"))


@query("StreamingSymmetricHashJoin without bounds: state for ever", conf=DATA_BATCH, since="3.3")
def stream_join_unbounded(spark, directory):
    left = events(spark, False).selectExpr("user_id", "page")
    right = events(spark, False).where("ms > 95").selectExpr("user_id", "ms")
    run(spark, directory, left.join(right, "user_id"))


@query("session windows: SessionWindowStateStoreRestore and -Save, MergingSessions", conf=DATA_BATCH, since="3.3")
def stream_sessions(spark, directory):
    from pyspark.sql.functions import session_window
    run(spark, directory, events(spark).groupBy(session_window("at", "2 minutes"), "user_id").count())


@query("StreamingGlobalLimit and StreamingLocalLimit", conf=DATA_BATCH, since="3.3")
def stream_limit(spark, directory):
    run(spark, directory, events(spark, False).select("event_id").limit(7))


@query("FlatMapGroupsInPandasWithState", conf=DATA_BATCH, since="3.4")
def stream_pandas_state(spark, directory):
    import pandas as pd
    from pyspark.sql.streaming.state import GroupStateTimeout

    def count(key, groups, state):
        total = (state.get[0] if state.exists else 0) + sum(len(group) for group in groups)
        state.update((total,))
        yield pd.DataFrame({"user_id": [key[0]], "total": [total]})

    run(spark, directory, events(spark, False).groupBy("user_id")
        .applyInPandasWithState(count, "user_id int, total long", "total long", "update", GroupStateTimeout.NoTimeout), "update")


@query("TransformWithStateInPandas", conf={**DATA_BATCH, "spark.sql.streaming.stateStore.providerClass":
                                           "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"}, since="4.0")
def stream_transform_with_state(spark, directory):
    import pandas as pd
    from pyspark.sql.streaming import StatefulProcessor

    class Count(StatefulProcessor):
        def init(self, handle):
            self.total = handle.getValueState("total", "total long")

        def handleInputRows(self, key, rows, timers):
            total = (self.total.get()[0] if self.total.exists() else 0) + sum(len(batch) for batch in rows)
            self.total.update((total,))
            yield pd.DataFrame({"user_id": [key[0]], "total": [total]})

        def close(self):
            pass

    run(spark, directory, events(spark, False).groupBy("user_id").transformWithStateInPandas(Count(), "user_id int, total long", "Update", "None"), "update")


@query("foreachBatch: the plan of a query inside of it", conf=DATA_BATCH, since="3.3")
def stream_foreach_batch(spark, directory):
    def write(frame, number):
        if number == 0:
            capture.data_frame(frame.sparkSession, frame.groupBy("page").count(), directory + "/inside", NO_CODEGEN)

    run(spark, directory, events(spark, False).select("page", "ms"), batch=write)


@query("file sink", conf=DATA_BATCH, since="3.3")
def stream_file_sink(spark, directory):
    frame = events(spark, False).where("ms > 90").select("page", "ms")
    writer = frame.writeStream.queryName("planvet:stream_file_sink").format("parquet").partitionBy("page") \
        .option("path", f"{lake_directory()}/out/stream").option("checkpointLocation", checkpoint("stream_file_sink"))
    capture.micro_batch(spark, writer.trigger(availableNow=True).start(), directory, NO_CODEGEN)


@query("memory sink, two watermarks, a union of streams", conf=DATA_BATCH, since="3.3")
def stream_union(spark, directory):
    run(spark, directory, events(spark).select("page", "at").union(events(spark).where("ms > 20").select("page", "at")).groupBy("page", "at").count())


@query("rate source", conf=DATA_BATCH, since="3.3")
def stream_rate(spark, directory):
    frame = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", "5").option("numPartitions", "2").load()
    query_ = frame.selectExpr("value % 3 AS r").writeStream.queryName("planvet:stream_rate").format("noop") \
        .option("checkpointLocation", checkpoint("stream_rate")).start()
    while query_.lastProgress is None:
        query_.awaitTermination(0.2)
    query_.stop()
    capture.micro_batch(spark, query_, directory, NO_CODEGEN)


@query("FlatMapGroupsWithState of a typed stream", conf=DATA_BATCH, since="3.3")
def stream_typed_state(spark, directory):
    from pyspark.sql import DataFrame
    jvm = spark._jvm
    functions, encoder = jvm.planvet, jvm.org.apache.spark.sql.Encoders.LONG()
    numbers = events(spark, False).select("event_id")._jdf.map(getattr(functions, "TypedFunctions$RowToLong")(), encoder)
    grouped = numbers.groupByKey(getattr(functions, "TypedFunctions$Remainder")(), encoder)
    counted = grouped.mapGroupsWithState(getattr(functions, "TypedFunctions$RunningCount")(), encoder, encoder,
                                         jvm.org.apache.spark.sql.streaming.GroupStateTimeout.NoTimeout())
    run(spark, directory, DataFrame(counted.toDF(), spark), "update")
