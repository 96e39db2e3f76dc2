"""Joins: every operator, type and build side, and why a nested loop or a missed broadcast came out."""
from spark_corpus.query import sql

NO_BROADCAST = {"spark.sql.autoBroadcastJoinThreshold": "-1"}

sql("join_broadcast_hash_inner", "BroadcastHashJoin Inner BuildRight, by size",
    "SELECT s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id WHERE p.price > 100",
    codegen=True, events=True)
sql("join_sort_merge_inner", "SortMergeJoin Inner",
    "SELECT s.sale_id, p.name FROM retail.sales s JOIN retail.product p ON s.product_id = p.product_id",
    conf=NO_BROADCAST, events=True)
