#!/usr/bin/python3
"""Scores `follow` on real drives that carry a fleet's own live values, as a table.

usage: score.py DIR

DIR holds CSV files with the columns raw_location_time, lat, lon, accuracy_m, speed_mps, heading_deg, remaining_time_s, remaining_distance_m and
current_route_segment_s2_b64url (empty where not sent). A leg is a run of reports towards one stop, scored from the first movement until less than
a minute is left, on the last route it was given. Its columns: the mean absolute error of the remaining time, in per cent of what really was left,
of follow, of the fleet's own value, and of the declared time scaled by the remaining fraction; and how far follow's remaining metres are from the
fleet's, median, 99th percentile and most, where the trace holds the route. Without one the road driven stands for it, which is no test of metres.
"""
import base64
import csv
import datetime
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

FOLLOW = pathlib.Path(__file__).resolve().parents[2] / "build" / "bin" / "follow"
ARRIVED_M = 60
LEAST_LEFT_S = 60
NEW_ROUTE_M = 150


class Bytes:
    """Reads a compressed S2 polyline."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        self.at += count
        return self.data[self.at - count:self.at]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value


def every_second_bit(value):
    return sum((value >> 2 * bit & 1) << bit for bit in range(32))


def signed(value):
    return value >> 1 if value % 2 == 0 else -(value + 1 >> 1)


def place(face, p, q, level):
    """Latitude and longitude of a cell's centre."""
    u, v = ((4 * s * s - 1) / 3 if s >= 0.5 else (1 - 4 * (1 - s) ** 2) / 3 for s in ((p + 0.5) / 2**level, (q + 0.5) / 2**level))
    x, y, z = ((1, u, v), (-u, 1, v), (-u, -v, 1), (-1, -v, -u), (v, -1, -u), (v, u, -1))[face]
    return math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(y, x))


def decode_segment(text):
    data = Bytes(base64.urlsafe_b64decode(text))
    data.take(1)
    level = data.take(1)[0]
    count = data.varint()
    faces = []
    while len(faces) < count:
        run = data.varint()
        faces += [run % 6] * (run // 6)
    first = int.from_bytes(data.take(2 * ((level + 7) // 8)), "little")
    here, step = [every_second_bit(first), every_second_bit(first >> 1)], [0, 0]
    line = [place(faces[0], *here, level)]
    for face in faces[1:]:
        code = data.varint()
        step = [step[0] + signed(every_second_bit(code)), step[1] + signed(every_second_bit(code >> 1))]
        here = [here[0] + step[0], here[1] + step[1]]
        line.append(place(face, *here, level))
    return line


class Report:
    def __init__(self, row):
        number = lambda key: float(row[key]) if row[key] not in ("", "None") else None
        self.time = datetime.datetime.fromisoformat(row["raw_location_time"].replace("Z", "+00:00"))
        self.lat, self.lon = number("lat"), number("lon")
        self.accuracy, self.speed, self.heading = number("accuracy_m"), number("speed_mps"), number("heading_deg")
        self.left_s, self.left_m = number("remaining_time_s"), number("remaining_distance_m")
        self.segment = row["current_route_segment_s2_b64url"]

    def seconds_since(self, other):
        return (self.time - other.time).total_seconds()

    @property
    def clock(self):
        return self.time.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def legs_of(path):
    """Runs of reports towards one stop that was reached, each on its last route."""
    with open(path, newline="") as file:
        reports = sorted((Report(row) for row in csv.DictReader(file)), key=lambda report: report.time)
    runs, run = [], []
    for report in (r for r in reports if r.left_m is not None and r.left_s is not None):
        if run and (report.seconds_since(run[-1]) > 180 or report.left_m > run[-1].left_m * 1.5 + 500):
            runs.append(run)
            run = []
        run.append(report)
    for run in runs + [run]:
        if len(run) >= 8 and run[0].left_m > 700 and min(r.left_m for r in run) <= ARRIVED_M:
            rerouted = [i for i in range(1, len(run)) if run[i].left_m > run[i - 1].left_m + NEW_ROUTE_M]
            yield run[rerouted[-1] if rerouted else 0:]


def metres(a, b):
    return math.hypot((b[0] - a[0]) * 111132, (b[1] - a[1]) * 111320 * math.cos(math.radians(a[0])))


def route_of(leg, arrival):
    """The line to follow, and whether it is the route that was sent."""
    sent = next((r.segment for r in leg[:6] if r.segment), None)
    if sent:
        return decode_segment(sent), True
    line = []
    for r in (r for r in leg if r.lat is not None and r.seconds_since(arrival) <= 60):
        if not line or metres(line[-1], (r.lat, r.lon)) > 12:
            line.append((r.lat, r.lon))
    return line, False


def follow(leg, line, folder):
    """What follow says of each fix, by its time."""
    coordinates = [[lon, lat] for lat, lon in line]
    total = {"distance": leg[0].left_m, "duration": leg[0].left_s}
    route = {"code": "Ok", "waypoints": [{"location": coordinates[0]}, {"location": coordinates[-1]}],
             "routes": [{**total, "legs": [{**total, "steps": []}], "geometry": {"type": "LineString", "coordinates": coordinates}}]}
    (folder / "route.json").write_text(json.dumps(route))
    with open(folder / "fixes.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["time", "lat", "lon", "accuracy_m", "speed_mps", "heading_deg"])
        rows.writerows([r.clock, r.lat, r.lon, r.accuracy, r.speed, r.heading] for r in leg if r.lat is not None)
    done = subprocess.run([FOLLOW, folder / "route.json", folder / "fixes.csv"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return {answer["time"]: answer for answer in map(json.loads, done.stdout.splitlines())}


def score(leg, folder):
    """The leg's row of the table; None where too little of it can be scored."""
    arrival = next(r for r in leg if r.left_m <= ARRIVED_M)
    start = next((r for r in leg if (r.speed or 0) > 2), leg[0])
    line, is_real = route_of(leg, arrival)
    if leg[0].left_m < 300 or len(line) < 2:
        return None
    answers = follow(leg, line, folder)
    errors, off_m, missing = {"follow": [], "fleet": [], "fraction": []}, [], 0
    for r in leg:
        left = arrival.seconds_since(r)
        if r.time < start.time or left < LEAST_LEFT_S:
            continue
        answer = answers.get(r.clock)
        if answer is None or answer["remaining_s"] is None or answer["remaining_m"] is None:
            missing += 1
            continue
        said = {"follow": answer["remaining_s"], "fleet": r.left_s, "fraction": leg[0].left_s * r.left_m / leg[0].left_m}
        for name, seconds in said.items():
            errors[name].append(abs(seconds - left) / left)
        if is_real:
            off_m.append(abs(answer["remaining_m"] - r.left_m))
    if len(errors["follow"]) < 5:
        return None
    return {name: 100 * statistics.mean(values) for name, values in errors.items()} | {
        "metres": leg[0].left_m, "fixes": len(errors["follow"]), "missing": missing, "off_m": sorted(off_m)}


def percentile(values, fraction):
    return f"{values[int(fraction * (len(values) - 1))]:.1f}" if values else "-"


def print_row(name, row):
    print(f"{name:<36} {row['metres']:>6.0f} {row['fixes']:>5} {row['missing']:>7} {row['follow']:>7.1f} {row['fleet']:>7.1f} {row['fraction']:>8.1f} "
          f"{percentile(row['off_m'], 0.5):>8} {percentile(row['off_m'], 0.99):>8} {percentile(row['off_m'], 1):>8}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n\n")[1])
    print(f"{'leg':<36} {'metres':>6} {'fixes':>5} {'missing':>7} {'follow%':>7} {'fleet%':>7} {'scaled%':>8} {'median_m':>8} {'p99_m':>8} {'most_m':>8}")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(pathlib.Path(sys.argv[1]).glob("*.csv")):
            with open(path) as file:
                if "remaining_time_s" not in file.readline():
                    continue
            for number, leg in enumerate(legs_of(path)):
                row = score(leg, pathlib.Path(folder))
                if row:
                    rows.append(row)
                    print_row(f"{path.stem}#{number}", row)
    if not rows:
        sys.exit(f"score.py: no leg in {sys.argv[1]} can be scored")
    mean = {key: statistics.mean(row[key] for row in rows) for key in ("metres", "follow", "fleet", "fraction")}
    print_row("mean", mean | {"fixes": sum(r["fixes"] for r in rows), "missing": sum(r["missing"] for r in rows),
                              "off_m": sorted(value for row in rows for value in row["off_m"])})


if __name__ == "__main__":
    main()
