#!/usr/bin/python3
"""The whole of Milepost in half a minute: a made drive through the real gpsd, followed and reported by the sample program to the emulator.

usage: demo.py [--speed N]

Run it with `make demo`, which builds first. Exits 0 only if every report that was due arrived and was taken, and the vehicle arrived.
"""
import argparse
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import urllib.request

TOP = pathlib.Path(__file__).resolve().parent.parent
BIN = TOP / "build" / "bin"
FEEDS = TOP / "Tests" / "Feeds"
PROVIDER, VEHICLE = "demo-provider", "van-17"
INTERVAL_S = 5
# A report may be this much later than the interval: the time that its fix and its answer take.
SLACK_S = 1.5


class Programs:
    """What the demo started, so that all of it ends with the demo."""

    def __init__(self):
        self.started = []

    def start(self, *command):
        program = subprocess.Popen([str(c) for c in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.started.append(program)
        return program

    def end(self):
        for program in reversed(self.started):
            program.stdin.close()
            program.terminate()
        for program in self.started:
            program.wait(10)


def word_after(program, first):
    """The word that follows `first` in the program's next line that begins with it."""
    for line in program.stdout:
        words = line.split()
        if words and words[0] == first:
            return words[1]
    sys.exit(f"demo: {pathlib.Path(program.args[0]).name} ended before it was ready")


def ask(url, accept="application/json"):
    with urllib.request.urlopen(urllib.request.Request(url, headers={"Accept": accept}), timeout=10) as answer:
        return answer.read().decode()


def legs_of(route):
    return len(json.loads(route.read_text())["routes"][0]["legs"])


def missing(reports, legs):
    """What was due and did not come, one line each."""
    faults = [f"report {r['index']} was refused: {r['error']}" for r in reports if r["status"] != 200]
    for before, after in zip(reports, reports[1:]):
        gap = (after["monotonicMs"] - before["monotonicMs"]) / 1000
        if gap > INTERVAL_S + SLACK_S:
            faults.append(f"{gap:.1f} s without a report before report {after['index']}")
    ends = {json.dumps(r["body"]["currentRouteSegmentEndPoint"]) for r in reports if "currentRouteSegmentEndPoint" in r["body"]}
    if len(ends) != legs:
        faults.append(f"{len(ends)} of {legs} legs were sent")
    if not any(r["body"].get("navigationStatus") == "ARRIVED_AT_DESTINATION" for r in reports):
        faults.append("the arrival was not reported")
    if not reports or reports[-1]["body"] != {"vehicleState": "OFFLINE"}:
        faults.append("the last report did not set the vehicle OFFLINE")
    return faults


def run(programs, folder, speed):
    subprocess.run([FEEDS / "make_drive.py", "--seed", "17", "--out", folder], check=True, stdout=subprocess.DEVNULL)
    route = folder / "route.json"
    emulator = programs.start(BIN / "fleet-engine-emulator", "--port", "0", "--stdin", "--quiet", "--provider", PROVIDER, "--vehicle", VEHICLE)
    url = word_after(emulator, "listening")
    feed = programs.start(FEEDS / "feed_gpsd.py", "--log", folder / "drive.log", "--speed", speed, "--hold")
    port = word_after(feed, "port")
    print(f"A drive at {speed} times its speed: gpsd on port {port}, emulator at {url}\n", flush=True)
    unit = subprocess.run(
        [BIN / "telematics", "--provider", PROVIDER, "--vehicle", VEHICLE, "--service", "ondemand", "--online",
         "--gpsd", f"127.0.0.1:{port}", "--route", route, "--interval", str(INTERVAL_S), "--endpoint", url,
         "--token-url", url + "/token/driver/{vehicle}", "--expiry-key", "expiresInSeconds", "--exit-on-arrival", "--duration", "80"])
    reports = json.loads(ask(url + "/control/history?under=/v1/"))
    faults = missing(reports, legs_of(route))
    if unit.returncode != 0:
        faults.append(f"the sample program ended with status {unit.returncode}")
    print("\nWhat the emulator holds at the end:\n\n" + ask(url + "/", "text/plain").split("\n\n")[-1].strip() + "\n")
    return reports, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--speed", default="20", help="times real time (default 20)")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    programs = Programs()
    with tempfile.TemporaryDirectory(prefix="milepost-demo-") as folder:
        try:
            reports, faults = run(programs, pathlib.Path(folder), arguments.speed)
        finally:
            programs.end()
    for fault in faults:
        print("demo: " + fault, file=sys.stderr)
    print("demo: FAILED" if faults else f"demo: all {len(reports)} reports that were due arrived and were taken; the vehicle arrived.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
