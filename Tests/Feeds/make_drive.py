#!/usr/bin/python3
"""Make a drive through an invented town: its route and what a receiver says on the way. The same seed gives the same files.

Files written into --out:
  route.json  the answer of an OSRM v5 router: polyline6 geometry, three legs with steps and annotations
  drive.log   NMEA at 1 Hz: GGA, GSA, RMC
  drive.csv   the same fixes as the example program `follow` reads them
  truth.csv   where the vehicle truly was: time, metres along the route

Faults (--fault KIND@SECOND[:SECONDS[:ARGUMENT]], any number of times):
  gap     nothing is received
  nofix   the receiver speaks, without a position
  jump    the position is ARGUMENT metres further north (default 800)
  freeze  position and time repeat
  back    the receiver's clock is ARGUMENT seconds slow (default 3600)
"""
import argparse
import datetime
import json
import math
import os
import random

ORIGIN = (52.5, 13.4)
BLOCK_M = 170.0
WAYPOINT_WAIT_S, LIGHT_WAIT_S, END_WAIT_S = 25.0, 18.0, 12.0
ACCELERATION, BRAKING, TURN_SPEED = 1.6, 2.0, 4.5
TURN_COST_S = 4.0
NOISE_M, NOISE_CORRELATION_S = 2.5, 30.0


# ------------------------------------------------------------------------------------------------------------- geometry

def metres_per_degree(latitude):
    """Of latitude and of longitude on the WGS84 ellipsoid, from its two radii of curvature."""
    a, e2 = 6378137.0, 0.00669437999014
    w2 = 1 - e2 * math.sin(math.radians(latitude)) ** 2
    meridian, normal = a * (1 - e2) / w2 ** 1.5, a / math.sqrt(w2)
    return math.radians(meridian), math.radians(normal) * math.cos(math.radians(latitude))


def offset(point, east, north):
    per_latitude, _ = metres_per_degree(point[0])
    latitude = point[0] + north / per_latitude
    _, per_longitude = metres_per_degree((point[0] + latitude) / 2)
    return latitude, point[1] + east / per_longitude


def east_north(a, b):
    per_latitude, per_longitude = metres_per_degree((a[0] + b[0]) / 2)
    return (b[1] - a[1]) * per_longitude, (b[0] - a[0]) * per_latitude


def distance(a, b):
    return math.hypot(*east_north(a, b))


def bearing(a, b):
    return math.degrees(math.atan2(*east_north(a, b))) % 360


def polyline6(points):
    """Google's encoded polyline with six decimals."""
    text, previous = [], (0, 0)
    for point in points:
        current = tuple(round(value * 1e6) for value in point)
        for delta in (current[0] - previous[0], current[1] - previous[1]):
            bits = ~(delta << 1) if delta < 0 else delta << 1
            while bits >= 0x20:
                text.append(chr((0x20 | bits & 0x1F) + 63))
                bits >>= 5
            text.append(chr(bits + 63))
        previous = current
    return ''.join(text)


# ---------------------------------------------------------------------------------------------------------------- town

class Vertex:
    """A point of the route. kind: 'bend', 'crossing', 'turn' or 'waypoint'; street and limit hold from here on."""

    def __init__(self, point, kind, street, limit):
        self.point = tuple(round(value, 6) for value in point)
        self.kind, self.street, self.limit, self.along = kind, street, limit, 0.0


def walk(random_, blocks):
    """Crossings of the grid, none visited twice."""
    while True:
        path, heading = [(0, 0)], (1, 0)
        while len(path) <= blocks:
            left, right = (-heading[1], heading[0]), (heading[1], -heading[0])
            choices = [heading] * 3 + [left, right]
            random_.shuffle(choices)
            for choice in choices:
                step = (path[-1][0] + choice[0], path[-1][1] + choice[1])
                if step not in path:
                    path.append(step)
                    heading = choice
                    break
            else:
                break
        if len(path) > blocks:
            return path


def make_route(random_, length):
    blocks = max(6, round(length / BLOCK_M))
    path = walk(random_, blocks)
    turned = math.radians(random_.uniform(-20, 20))
    lines = {}

    def line(axis, number):
        """Where the street `number` lies, how fast it may be driven, and its name."""
        if (axis, number) not in lines:
            limit = random_.choice([8.33, 13.89, 13.89])
            name = ('Row %d' if axis else 'Lane %d') % (number + 50)
            lines[axis, number] = (number * BLOCK_M + random_.uniform(-25, 25), limit, name)
        return lines[axis, number]

    def place(crossing):
        x, y = line(0, crossing[0])[0], line(1, crossing[1])[0]
        return offset(ORIGIN, x * math.cos(turned) - y * math.sin(turned), x * math.sin(turned) + y * math.cos(turned))

    stops = {0, blocks // 3, 2 * blocks // 3, blocks - 1}
    vertices = []
    for index in range(blocks):
        here, there = path[index], path[index + 1]
        axis = 1 if here[1] == there[1] else 0
        _, limit, street = line(axis, here[1] if axis else here[0])
        a, b = place(here), place(there)
        east, north = east_north(a, b)
        bow = random_.uniform(-0.03, 0.03)
        middle = offset(a, east / 2 - north * bow, north / 2 + east * bow)
        turns = index > 0 and (there[0] - here[0], there[1] - here[1]) != (here[0] - path[index - 1][0], here[1] - path[index - 1][1])
        if index > 0:
            vertices.append(Vertex(a, 'turn' if turns else 'crossing', street, limit))
        vertices.append(Vertex(middle, 'waypoint' if index in stops else 'bend', street, limit))
    for before, after in zip(vertices, vertices[1:]):
        after.along = before.along + distance(before.point, after.point)
    return vertices


def osrm(vertices):
    def step(part, kind, before):
        pieces = list(zip(part, part[1:]))
        out_bearing = round(bearing(part[0].point, part[1].point)) if pieces else 0
        maneuver = {'type': kind, 'location': list(part[0].point[::-1]), 'bearing_before': before, 'bearing_after': out_bearing}
        if kind == 'turn':
            maneuver['modifier'] = 'right' if (out_bearing - before) % 360 < 180 else 'left'
        seconds = sum((b.along - a.along) / (0.85 * a.limit) for a, b in pieces) + (TURN_COST_S if kind == 'turn' else 0)
        points = [vertex.point for vertex in part] if pieces else [part[0].point] * 2
        return {'distance': round(part[-1].along - part[0].along, 1), 'duration': round(seconds, 1), 'weight': round(seconds, 1),
                'name': part[0].street, 'mode': 'driving', 'driving_side': 'right', 'geometry': polyline6(points),
                'maneuver': maneuver, 'intersections': [{'location': list(part[0].point[::-1]), 'bearings': [out_bearing],
                                                         'entry': [True]}]}

    def leg(part):
        cuts = [0] + [i for i, v in enumerate(part) if v.kind == 'turn'] + [len(part) - 1]
        steps, before = [], 0
        for first, last in zip(cuts, cuts[1:]):
            steps.append(step(part[first:last + 1], 'turn' if first else 'depart', before))
            before = round(bearing(part[last - 1].point, part[last].point))
        steps.append(step(part[-1:], 'arrive', before))
        pieces = list(zip(part, part[1:]))
        seconds = round(sum(s['duration'] for s in steps), 1)
        return {'distance': round(part[-1].along - part[0].along, 1), 'duration': seconds, 'weight': seconds,
                'summary': '%s, %s' % (part[0].street, part[-1].street), 'steps': steps,
                'annotation': {'distance': [round(b.along - a.along, 3) for a, b in pieces],
                               'duration': [round((b.along - a.along) / (0.85 * a.limit), 1) for a, b in pieces]}}

    ends = [i for i, v in enumerate(vertices) if v.kind == 'waypoint']
    legs = [leg(vertices[first:last + 1]) for first, last in zip(ends, ends[1:])]
    seconds = round(sum(l['duration'] for l in legs), 1)
    route = {'geometry': polyline6([v.point for v in vertices]), 'legs': legs, 'distance': round(vertices[-1].along, 1),
             'duration': seconds, 'weight_name': 'routability', 'weight': seconds}
    stops = [{'name': vertices[i].street, 'location': list(vertices[i].point[::-1]), 'distance': 0.0} for i in ends]
    return {'code': 'Ok', 'routes': [route], 'waypoints': stops}


# --------------------------------------------------------------------------------------------------------------- drive

def drive(random_, vertices):
    """(metres along, metres a second) once a second, from standing at the start to standing at the end."""
    crossings = [v.along for v in vertices if v.kind == 'crossing']
    light = random_.choice(crossings) if crossings else None
    limits = []
    for vertex in vertices[1:]:
        if vertex is vertices[-1]:
            limits.append((vertex.along, 0.0, END_WAIT_S))
        elif vertex.kind == 'waypoint':
            limits.append((vertex.along, 0.0, WAYPOINT_WAIT_S))
        elif vertex.along == light:
            limits.append((vertex.along - 6.0, 0.0, LIGHT_WAIT_S))
        elif vertex.kind == 'turn':
            limits.append((vertex.along, TURN_SPEED, 0.0))
    streets = [(v.along, v.limit) for v in vertices]
    along = speed = mood = 0.0
    wait, tick, dt, street, states = 5.0, 0, 0.1, 0, []
    while limits or wait > 0:
        if tick % 10 == 0:
            states.append((along, speed))
        tick += 1
        mood = 0.995 * mood + random_.gauss(0, 0.004)
        if wait > 0:
            wait -= dt
            continue
        while street + 1 < len(streets) and streets[street + 1][0] <= along:
            street += 1
        allowed = streets[street][1] * min(1.05, max(0.75, 0.92 + mood))
        for place, limit, _ in limits:
            if place - along > 150:
                break
            allowed = min(allowed, max(0.4, math.sqrt(limit ** 2 + 2 * BRAKING * max(0.0, place - along))))
        speed = max(0.0, min(allowed, speed + ACCELERATION * dt))
        place, limit, stop = limits[0]
        if along + speed * dt >= place:
            limits.pop(0)
            if limit == 0.0:
                along, speed, wait = place, 0.0, stop
                continue
        along += speed * dt
    return states


def place_at(vertices, along):
    for a, b in zip(vertices, vertices[1:]):
        if along <= b.along or b is vertices[-1]:
            share = min(1.0, (along - a.along) / (b.along - a.along))
            point = tuple(p + share * (q - p) for p, q in zip(a.point, b.point))
            return point, bearing(a.point, b.point)


def observe(random_, vertices, states, start, faults):
    """What the receiver makes of it: one dictionary a second, or None where nothing is received."""
    keep = math.exp(-1 / NOISE_CORRELATION_S)
    drift = [random_.gauss(0, NOISE_M) for _ in range(2)]
    last, seen = None, []
    for second, (along, speed) in enumerate(states):
        drift = [keep * d + random_.gauss(0, NOISE_M * math.sqrt(1 - keep ** 2)) for d in drift]
        point, course = place_at(vertices, along)
        east, north = (d + random_.gauss(0, 0.3) for d in drift)
        turning, doppler = random_.gauss(0, 1), random_.gauss(0, 0.08)
        active = {kind: argument for kind, first, last_, argument in faults if first <= second < last_}
        time = start + datetime.timedelta(seconds=second - active.get('back', 0))
        fix = {'time': time, 'point': offset(point, east, north + active.get('jump', 0)), 'speed': max(0.0, speed + doppler) if speed else 0.0,
               'course': (course + turning * 8 / max(1.0, speed)) % 360 if speed > 0.5 else None, 'valid': 'nofix' not in active}
        if 'freeze' in active and last:
            fix = last
        last = fix
        seen.append(None if 'gap' in active else fix)
    return seen


# -------------------------------------------------------------------------------------------------------------- output

def sentence(body):
    check = 0
    for character in body:
        check ^= ord(character)
    return '$%s*%02X\r\n' % (body, check)


def angle(value, width, letters):
    minutes = round(abs(value) * 60 * 1e5)
    return '%0*d%08.5f,%s' % (width, minutes // 6000000, minutes % 6000000 / 1e5, letters[value < 0])


def nmea(fix):
    clock, date = fix['time'].strftime('%H%M%S.00'), fix['time'].strftime('%d%m%y')
    if not fix['valid']:
        return (sentence('GPGGA,%s,,,,,0,00,99.9,,,,,,' % clock) + sentence('GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9')
                + sentence('GPRMC,%s,V,,,,,,,%s,,,N' % (clock, date)))
    where = angle(fix['point'][0], 2, 'NS') + ',' + angle(fix['point'][1], 3, 'EW')
    course = '' if fix['course'] is None else '%.2f' % fix['course']
    return (sentence('GPGGA,%s,%s,1,10,0.9,41.0,M,39.5,M,,' % (clock, where))
            + sentence('GPGSA,A,3,02,05,07,11,13,16,21,26,29,30,,,1.7,0.9,1.4')
            + sentence('GPRMC,%s,A,%s,%.3f,%s,%s,,,A' % (clock, where, fix['speed'] * 3600 / 1852, course, date)))


def stamp(time):
    return time.strftime('%Y-%m-%dT%H:%M:%S.') + '%03dZ' % (time.microsecond // 1000)


def row(fix):
    course = '' if fix['course'] is None else '%.2f' % fix['course']
    return '%s,%.7f,%.7f,5.0,%.2f,%s\n' % (stamp(fix['time']), *fix['point'], fix['speed'], course)


def parse_fault(text):
    defaults = {'gap': 0, 'nofix': 0, 'jump': 800, 'freeze': 0, 'back': 3600}
    kind, _, rest = text.partition('@')
    try:
        numbers = [float(part) for part in rest.split(':')]
    except ValueError:
        numbers = []
    if kind not in defaults or not 1 <= len(numbers) <= 3:
        raise argparse.ArgumentTypeError('%s is not KIND@SECOND[:SECONDS[:ARGUMENT]] with one of %s' % (text, ', '.join(defaults)))
    return kind, numbers[0], numbers[0] + (numbers[1] if len(numbers) > 1 else 1), numbers[2] if len(numbers) > 2 else defaults[kind]


def parse_start(text):
    start = datetime.datetime.strptime(text, '%Y-%m-%dT%H:%M:%SZ')
    if start.year < 2017:
        raise argparse.ArgumentTypeError('gpsd takes dates before 2017 for a week number rolled over')
    return start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--out', required=True, metavar='DIR')
    parser.add_argument('--length', type=float, default=4500, metavar='METRES', help='about how long the route is (default 4500)')
    parser.add_argument('--start', type=parse_start, default='2024-05-14T08:00:00Z', metavar='TIME', help='UTC, 2017 or later (default %(default)s)')
    parser.add_argument('--fault', type=parse_fault, action='append', default=[], metavar='KIND@SECOND[:SECONDS[:ARGUMENT]]')
    options = parser.parse_args()
    random_ = random.Random(options.seed)
    vertices = make_route(random_, options.length)
    states = drive(random_, vertices)
    seen = observe(random_, vertices, states, options.start, options.fault)

    os.makedirs(options.out, exist_ok=True)

    def write(name, lines):
        with open(os.path.join(options.out, name), 'w', newline='') as file:
            file.writelines(lines)

    write('route.json', [json.dumps(osrm(vertices), indent=1), '\n'])
    write('drive.log', ['# Date: %s\r\n' % options.start.date()] + [nmea(fix) for fix in seen if fix])
    write('drive.csv', ['time,lat,lon,accuracy_m,speed_mps,heading_deg\n'] + [row(fix) for fix in seen if fix and fix['valid']])
    times = [options.start + datetime.timedelta(seconds=second) for second in range(len(states))]
    write('truth.csv', ['time,along_m\n'] + ['%s,%.2f\n' % (stamp(time), along) for time, (along, _) in zip(times, states)])
    print('%s: %.0f m, %d s' % (options.out, vertices[-1].along, len(states)))


if __name__ == '__main__':
    main()
