#!/usr/bin/env bash
# How long 10,000 plan files take, beside what reads as many files for other reasons: grep, and ruff on small Python
# files (from pip, if it is there). All in one run, each after a first one that filled the caches.
#
#   tests/bench/ten_thousand_files.sh [PLANVET]
set -eu
cd "$(dirname "$0")/../.."
planvet=$(realpath "${1:-build/release/planvet}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/plans" "$work/python"
: >"$work/plans/planvet.toml"
mapfile -t corpus < <(find corpus/spark-3.5.9 corpus/spark-4.3.0 -name '*.formatted.txt' | sort)
for ((i = 0; i < 10000; i++)); do
  folder=$((i / 100))
  [[ $((i % 100)) -ne 0 ]] || mkdir -p "$work/plans/$folder" "$work/python/$folder"
  cp "${corpus[$((i % ${#corpus[@]}))]}" "$work/plans/$folder/$i.txt"
  printf 'import os\n\n\ndef path_%d(name):\n    return os.path.join("%d", name)\n' $i $i >"$work/python/$folder/m$i.py"
done
echo "$(find "$work/plans" -name '*.txt' | wc -l) plans, $(du -sm --apparent-size "$work/plans" | cut -f1) MB; $(nproc) cores"

measure() {
  local name=$1 begin end
  shift
  "$@" >/dev/null 2>&1 || [[ $? -eq 1 ]]
  begin=$(date +%s.%N)
  /usr/bin/time -f %M -o "$work/memory" "$@" >/dev/null 2>&1 || [[ $? -eq 1 ]]
  end=$(date +%s.%N)
  printf '%-34s %6.2f s  %5d MB\n' "$name" "$(echo "$end - $begin" | bc)" $(($(tail -1 "$work/memory") / 1024))
}

measure "planvet check" "$planvet" check "$work/plans"
measure "planvet check -j 1" "$planvet" check "$work/plans" -j 1
measure "planvet check --format json" "$planvet" check "$work/plans" --format json
"$planvet" baseline write "$work/plans" >/dev/null
measure "planvet check, with a baseline" "$planvet" check "$work/plans"
measure "grep -r" grep -rE 'BroadcastNestedLoopJoin|CartesianProduct' "$work/plans"
if command -v ruff >/dev/null; then
  measure "ruff check, 10,000 Python files" ruff check --no-cache "$work/python"
else
  echo "no ruff here: pip install ruff"
fi
