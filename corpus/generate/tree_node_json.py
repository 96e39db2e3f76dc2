"""Makes corpus/tree_node_json/spark-VERSION.jsonl.zst with the pyspark that runs this: executedPlan.toJSON, SparkPlanInfo
and the text of the same plans, one line each.

    SPARK_VENV/bin/python corpus/generate/tree_node_json.py corpus/tree_node_json
"""

import json
import os

import subprocess
import sys
import tempfile

import pyspark
from pyspark.sql import SparkSession

QUERIES = {
    "filter_project": "select id+1 as x, upper(s) u from fact where k > 3 and s like 'a%' and d is not null",
    "broadcast_join": "select f.id, d.name from fact f join dim d on f.k = d.k where d.name <> 'n3'",
    "sort_merge_join": "select /*+ merge(d) */ f.id, d.name from fact f left join dim d on f.k = d.k and f.id > 5 "
    "order by f.id desc nulls last",
    "aggregate": "select k, count(*) c, sum(d) sd, max(s) ms, count(distinct s) cd, sum(id) filter (where id > 3) fs "
    "from fact group by k having count(*) > 2",
    "window_limit": "select * from (select id, k, row_number() over (partition by k order by id) rn, "
    "sum(id) over (partition by k) t from fact) where rn < 3 limit 7",
    "union_expand": "select k, s, sum(id) from fact group by rollup(k, s) union all select k, name, 1 from dim",
    "subquery": "select id from fact where id > (select max(k) from dim) and k in (select k from dim)",
    "nested_loop": "select * from dim a join dim b on a.k < b.k",
    "generate": "select id, e from fact lateral view explode(array(id, k)) t as e",
    "table": "select id, case when k = 1 then 'a' when k in (2,3,4) then 'b' else s end x, cast(id as double) / 3 q, "
    "coalesce(s,'-') z from fact_table where day = date'2024-01-02'",
    "take_ordered": "select id, s from fact order by id limit 5",
    "cartesian": "select /*+ shuffle_replicate_nl(a) */ a.k from dim a cross join dim b",
}
ADAPTIVE = ("broadcast_join", "aggregate", "subquery")


def plan_info(jvm, plan):
    info = jvm.org.apache.spark.sql.execution.SparkPlanInfo.fromSparkPlan(plan)
    mapper = jvm.com.fasterxml.jackson.databind.ObjectMapper()
    scala = getattr(jvm.com.fasterxml.jackson.module.scala, "DefaultScalaModule$")
    mapper.registerModule(scala.__getattr__("MODULE$"))
    return mapper.writeValueAsString(info)


def main():
    folder = tempfile.mkdtemp()
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.warehouse.dir", folder + "/wh")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.debug.maxToStringFields", "1000")
        .getOrCreate()
    )
    fact = spark.range(1000).selectExpr(
        "id", "id % 10 as k", "cast(id as string) as s", "cast(id as decimal(10,2)) as d",
        "cast('2024-01-01' as date) + cast(id % 30 as int) as day")
    fact.write.partitionBy("day").parquet(folder + "/fact")
    spark.range(10).selectExpr("id as k", "concat('n',id) as name").write.parquet(folder + "/dim")
    spark.read.parquet(folder + "/fact").createOrReplaceTempView("fact")
    spark.read.parquet(folder + "/dim").createOrReplaceTempView("dim")
    spark.read.parquet(folder + "/fact").write.saveAsTable("fact_table")
    rows = []

    def add(name, plan):
        row = {"name": name, "toJSON": json.loads(plan.toJSON()), "planInfo": json.loads(plan_info(spark._jvm, plan)),
               "text": plan.toString()}
        rows.append(json.dumps(row, separators=(",", ":")).replace(folder, "/data"))

    for adaptive in (True, False):
        spark.conf.set("spark.sql.adaptive.enabled", str(adaptive).lower())
        for name, query in QUERIES.items():
            if adaptive and name not in ADAPTIVE:
                continue
            frame = spark.sql(query)
            plan = frame._jdf.queryExecution().executedPlan()
            add(name + ("_adaptive" if adaptive else ""), plan)
            if adaptive:
                frame.collect()
                add(name + "_adaptive_ran", plan)
    out = os.path.join(sys.argv[1], f"spark-{pyspark.__version__}.jsonl")
    with open(out, "w") as file:
        file.write("\n".join(sorted(rows)) + "\n")
    subprocess.run(["zstd", "-19", "-q", "--rm", "-f", out], check=True)


main()
