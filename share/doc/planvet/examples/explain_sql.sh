#!/bin/sh
# explain_sql.sh QUERY.sql...: writes the plan of each query to plans/QUERY.txt by `spark-sql`.
# For dbt: `dbt compile`, then explain_sql.sh target/compiled/PROJECT/models/**/*.sql
set -eu
mkdir -p plans
for query in "$@"; do
  name=$(basename "$query" .sql)
  {
    echo "-- planvet: name $name"
    spark-sql --silent -e "EXPLAIN FORMATTED $(cat "$query")"
  } | planvet snapshot >"plans/$name.txt"
done
