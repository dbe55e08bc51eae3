#!/usr/bin/python3
"""How many vehicles one process and one emulator carry: figures of a fleet's reporters, and whether an update was lost.

usage: scale.py [--reporters N] [--seconds S] [--form loop|threads|both]

`make scale` runs 1,000 reporters for ten minutes. One line each: name value unit; those with a target end in ok or short, and one that is short
makes it exit 1.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

TOP = pathlib.Path(__file__).resolve().parents[2]
BUILD = TOP / "build"
PROVIDER = "scale-provider"
INTERVAL_S = 5
# The server may hear of a vehicle this much later than the interval: on a busy machine both ends wait for a processor.
SLACK_S = 2


def compiled(folder):
    program = folder / "scale"
    source = pathlib.Path(__file__).with_name("scale.c")
    library = [f"-L{BUILD}/lib", "-lmilepost", f"-Wl,-rpath,{BUILD}/lib"]
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{BUILD}/include", source, "-o", program, *library], check=True)
    return program


def get(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        return json.load(answer)


def cpu_s(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def figures(program, form, reporters, seconds):
    """What the fleet and the emulator say of one run."""
    emulator = subprocess.Popen(
        [BUILD / "bin" / "fleet-engine-emulator", "--port", "0", "--stdin", "--quiet", "--provider", PROVIDER, "--auto-create", "--history", "0"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        url = emulator.stdout.readline().split()[1]
        fleet = [program, form, str(reporters), str(seconds), url, url + "/token/driver/{vehicle}", PROVIDER]
        lines = subprocess.run(fleet, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        resources = get(url + "/control/statistics")
        emulator_s = cpu_s(emulator.pid)
    finally:
        emulator.stdin.close()
        emulator.wait(60)
    return lines, resources, emulator_s


def judged(form, lines, resources, emulator_s, reporters, seconds):
    """What the fleet measured, and what the two ends together show."""
    said = {line.split()[0]: float(line.split()[1]) for line in lines}
    vehicles = [resource for resource in resources if "/vehicles/" in resource["name"]]
    updates, requests = sum(v["updates"] for v in vehicles), max(1, sum(v["requests"] for v in vehicles))
    judgements = [
        # Counted by one side alone: an update or its answer was lost.
        ("lost", abs(updates - said[f"scale_{form}_taken"]), "updates", "<=", 0),
        ("refused_or_unanswered", said[f"scale_{form}_failed"], "updates", "<=", 0),
        # The OFFLINE besides those that were due, the last of which it may cut off.
        ("fewest", min((v["updates"] for v in vehicles), default=0), "updates", ">=", seconds // INTERVAL_S + 1),
        ("longest_gap", max((v["longestGapMs"] for v in vehicles), default=0) / 1000, "s", "<=", INTERVAL_S + SLACK_S),
        ("confirmed_at_the_end", said[f"scale_{form}_last_confirmed"], "vehicles", ">=", reporters),
    ]
    figures = [
        ("request", sum(v["requestBytes"] for v in vehicles) / requests, "bytes"),
        ("answer_body", sum(v["answerBytes"] for v in vehicles) / requests, "bytes"),
        ("emulator_cpu_per_update", emulator_s / max(1, updates) * 1e6, "us"),
    ]
    result = lines + [f"scale_{form}_{name} {value:.0f} {unit}" for name, value, unit in figures]
    for name, value, unit, relation, bound in judgements:
        is_good = value <= bound if relation == "<=" else value >= bound
        result.append(f"scale_{form}_{name} {value:g} {unit} {relation}{bound} {'ok' if is_good else 'short'}")
    return result


def run(reporters, seconds, form):
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(pathlib.Path(folder))
        lines = []
        for each in ["loop", "threads"] if form == "both" else [form]:
            lines += judged(each, *figures(program, each, reporters, seconds), reporters, seconds)
        return lines


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--reporters", type=int, default=1000)
    options.add_argument("--seconds", type=int, default=600)
    options.add_argument("--form", choices=["loop", "threads", "both"], default="loop")
    chosen = options.parse_args()
    lines = run(chosen.reporters, chosen.seconds, chosen.form)
    print("\n".join(lines))
    return 1 if any(line.endswith(" short") for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
