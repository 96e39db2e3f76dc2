"""Stored applications: folders with a log as Spark wrote it, and the History Server's answers about it.

    eventlog.zst                  a log of one file, compressed again by zstd -19; or
    eventlog_v2_<id>/events_1_..  the parts of a rolling log: what Spark did not compress itself has .zst behind its name
    sql.json.zst                  /applications/<id>/sql?details=true&planDescription=true, all executions
    stages.json.zst               /applications/<id>/stages, all attempts, with quantiles over tasks
    case.json                     what the application is here for, its conf, ids and sizes
"""
import json
import os
import shutil
import subprocess

QUANTILES = "0,0.25,0.5,0.75,1.0"


def compress(path: str, content: bytes) -> None:
    subprocess.run(["zstd", "-19", "-q", "-f", "-o", path], input=content, check=True)


def decompressed(path: str) -> bytes:
    return subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout


def is_zstd(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(4) == b"\x28\xb5\x2f\xfd"


def application_id(file_name: str) -> str:
    name = file_name.removesuffix(".inprogress")
    for codec in (".zstd", ".lz4", ".snappy", ".lzf"):
        name = name.removesuffix(codec)
    return name.removeprefix("eventlog_v2_")


def store_log(log: str, directory: str) -> int:
    """A file or the folder of a rolling log; gives its bytes as they were written."""
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    if os.path.isfile(log):
        with open(log, "rb") as file:
            content = file.read()
        compress(f"{directory}/eventlog.zst", decompressed(log) if is_zstd(log) else content)
        return len(content)
    size = 0
    folder = f"{directory}/{os.path.basename(log)}"
    os.makedirs(folder)
    for name in os.listdir(log):
        part = f"{log}/{name}"
        if name.startswith("."):
            continue
        size += os.path.getsize(part)
        if not name.startswith("events_") or is_zstd(part):
            shutil.copyfile(part, f"{folder}/{name}")
            continue
        with open(part, "rb") as file:
            stem = name.removesuffix(".compact")
            compress(f"{folder}/{stem}.zst{name[len(stem):]}", file.read())
    return size


def restore_log(directory: str, file_name: str, logs: str) -> None:
    """The log as Spark wrote it, for a History Server."""
    if os.path.exists(f"{directory}/eventlog.zst"):
        with open(f"{logs}/{file_name.replace('.zstd', '')}", "wb") as file:
            file.write(decompressed(f"{directory}/eventlog.zst"))
        return
    folder = f"{directory}/{file_name}"
    os.makedirs(f"{logs}/{file_name}")
    for name in os.listdir(folder):
        target = f"{logs}/{file_name}/{name.replace('.zst.compact', '.compact').removesuffix('.zst')}"
        if ".zst" in name and ".zstd" not in name:
            with open(target, "wb") as file:
                file.write(decompressed(f"{folder}/{name}"))
        else:
            shutil.copyfile(f"{folder}/{name}", target)


def store_answers(answers, directory: str) -> None:
    with open(f"{directory}/case.json") as file:
        about = json.load(file)
    id = about["application_id"]
    sql = answers.get(f"{id}/sql?details=true&planDescription=true&length=1000000")
    stages = json.loads(answers.get(f"{id}/stages?withSummaries=true&quantiles={QUANTILES}"))
    for stage in stages:
        stage.pop("executorMetricsDistributions", None)  # nothing that a log tells
        if "taskMetricsDistributions" not in stage and stage["numCompleteTasks"] > 0:
            stage["taskMetricsDistributions"] = json.loads(answers.get(
                f"{id}/stages/{stage['stageId']}/{stage['attemptId']}/taskSummary?quantiles={QUANTILES}"))
    compress(f"{directory}/sql.json.zst", sql)
    compress(f"{directory}/stages.json.zst", json.dumps(stages, indent=1).encode())
    about.update(executions=len(json.loads(sql)), stage_attempts=len(stages))
    with open(f"{directory}/case.json", "w") as file:
        json.dump(about, file, indent=2)
        file.write("\n")
