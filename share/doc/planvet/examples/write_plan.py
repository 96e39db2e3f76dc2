"""Writes the plan of a DataFrame to plans/NAME.txt, for git and for `planvet check plans`. Call it from your tests."""
import contextlib
import io
import pathlib
import subprocess


def write_plan(frame, name, folder="plans"):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):  # explain() prints, also with Spark Connect
        frame.explain(mode="formatted")
    header = f"-- planvet: name {name}\n-- planvet: spark {frame.sparkSession.version}\n"
    path = pathlib.Path(folder, f"{name}.txt")
    path.parent.mkdir(parents=True, exist_ok=True)
    snapshot = subprocess.run(["planvet", "snapshot"], input=header + text.getvalue(), text=True, capture_output=True, check=True)
    path.write_text(snapshot.stdout)
