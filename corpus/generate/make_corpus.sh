#!/usr/bin/env bash
# Makes the whole corpus again, one Spark after the other (about an hour on two cores).
#
#   setup_spark.sh [DIRECTORY] && PLANVET_SPARK_HOME=DIRECTORY make_corpus.sh
set -uo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
export PLANVET_SPARK_HOME="${PLANVET_SPARK_HOME:-$HOME/.cache/planvet-spark}"
failed=0
run() { # version, then what run.py takes
  local version="$1"
  shift
  nice -n 5 "$PLANVET_SPARK_HOME/spark-$version/bin/python" "$here/run.py" "$@" || failed=1
}

# Every query by two versions: in every mode by the first, by the second where modes differ in more than their form.
run 3.5.9
run 4.3.0 --subject joins
run 4.3.0 --modes formatted simple codegen --subject adaptive subqueries writes streaming
run 4.3.0 --modes formatted simple --subject aggregates filters nasty scans windows python typed

# A sample by two more, in formatted and simple mode: whole subjects, and these queries of the others.
sample_41="
  observe_metrics limit_tail limit_show command_result aggregate_sessions_distinct scan_long_path
  explain_result typed_external_rdd typed_groups aggregate_collated set_recursive pandas_aggregate
  pandas_window arrow_map arrow_groups arrow_cogroups python_table_argument scan_jdbc scan_jdbc_v2
  scan_jdbc_v2_join nasty_in_set nasty_literal_brackets nasty_expressions limit_offset limit_take_ordered
  scan_range write_insert_exchange write_create_table_as_random aggregate_count_distinct_many
  partition_filter_or_data stream_typed_state stream_transform_with_state stream_aggregate_append"
sample_33="
  limit_take_ordered aggregate_hash aggregate_sort aggregate_object
  aggregate_count_distinct_many aggregate_rollup window_rank window_unpartitioned window_time generate_explode
  generate_explode_outer scan_parquet_table scan_parquet_nested scan_orc scan_csv scan_json scan_text
  scan_range scan_values scan_one_row scan_rdd scan_jdbc scan_jdbc_v2 scan_v2_parquet partition_filter_equal
  partition_filter_or_data partition_filter_python_udf filter_kept_function filter_kept_or_with_function
  filter_kept_column_to_column filter_pushed_timestamp filter_pushed_in_set filter_pushed_widening_cast
  filter_python_udf filter_kept_higher_order write_insert write_insert_exchange write_create_table_as
  write_directory command_create_view command_explain_formatted nasty_literal_block nasty_odd_names
  nasty_expressions nasty_types nasty_in_set python_udf pandas_scalar pandas_map pandas_aggregate arrow_map
  typed_map typed_groups typed_external_rdd stream_aggregate_append stream_typed_state scan_long_path"
# shellcheck disable=SC2086
run 4.1.4 --modes formatted simple --subject joins adaptive subqueries windows filters --only $sample_41
# shellcheck disable=SC2086
run 3.3.4 --modes formatted simple --subject joins adaptive subqueries --only $sample_33

for kind in hive delta iceberg hudi comet; do
  run 3.5.9 --kind "$kind"
done
run 4.1.4 --kind comet
python3 "$here/coverage.py"
exit "$failed"
