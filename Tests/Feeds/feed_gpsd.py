#!/usr/bin/python3
"""Run the real gpsd and feed it a log of NMEA sentences, losing none at any speed.

gpsd gets a tcp:// source that is this program, and attaches to it only once a client has sent ?WATCH: so feeding begins when somebody listens.

Lines on stdout: `port N`, `listening`, `attached` (somebody listens), `restarting`, and `fed N` with the number of sentences.
Exit status: 0 all was fed, 1 something failed; the reason is on stderr.
"""
import argparse
import re
import signal
import socket
import subprocess
import sys
import time

import feeds

TIME_OF_GGA = re.compile(rb'\$..GGA,(\d\d)(\d\d)(\d\d(?:\.\d+)?)')


class Pace:
    """Waits so that epochs, each begun by a GGA, come as they were made, so many times faster; 0 does not wait."""

    def __init__(self, speed):
        self.speed, self.due, self.last = speed, None, None

    def before(self, line):
        match = TIME_OF_GGA.match(line)
        if not self.speed or not match:
            return
        of_day = int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3])
        if self.due is None:
            self.due = time.monotonic()
        else:
            step = of_day - self.last
            # A clock that stands or steps says nothing of the pace.
            self.due += (step if 0 < step < 3600 else 1) / self.speed
        self.last = of_day
        time.sleep(max(0, self.due - time.monotonic()))


class Feed:
    def __init__(self, options):
        self.options = options
        self.port = options.port or feeds.free_port()
        self.source = socket.create_server(('127.0.0.1', 0))
        self.source.settimeout(options.wait)
        self.daemon = self.receiver = None

    def start(self):
        command = ['gpsd', '-N', '-b', '-S', str(self.port), 'tcp://127.0.0.1:%d' % self.source.getsockname()[1]]
        self.daemon = feeds.Daemon(command, self.port, stderr=subprocess.DEVNULL)
        feeds.wait_for('gpsd to listen', lambda: self.daemon.process.poll() is not None or feeds.listens(self.port), 10)
        if self.daemon.process.poll() is not None:
            sys.exit('gpsd ended with status %d' % self.daemon.process.returncode)
        feeds.say('listening')

    def attach(self):
        try:
            self.receiver, _ = self.source.accept()
        except socket.timeout:
            sys.exit('nobody asked gpsd for reports in %g s' % self.options.wait)
        feeds.say('attached')
        # gpsd looks at its source only after it has answered the client.
        time.sleep(0.3)

    def restart(self):
        """As if gpsd had crashed: comes back once its clients have hung up."""
        time.sleep(0.3)
        feeds.say('restarting')
        self.daemon.end(signal.SIGKILL)
        self.receiver.close()
        feeds.wait_for('the clients to hang up', lambda: not feeds.connections(2, self.port, (feeds.ESTABLISHED, feeds.CLOSE_WAIT)), 30)
        self.start()
        self.attach()

    def run(self):
        with open(self.options.log, 'rb') as file:
            # The date tells gpsd the century; other comments mean nothing to it.
            lines = [line for line in file if line.startswith((b'$', b'# Date:'))]
        feeds.announce_port(self.port, self.options.port_file)
        self.start()
        self.attach()
        pace = Pace(self.options.speed)
        for number, line in enumerate(lines):
            if number == self.options.restart_after:
                self.restart()
                # A gpsd just started does not know the date either.
                self.receiver.sendall(b''.join(first for first in lines[:1] if first.startswith(b'#')))
            pace.before(line)
            self.receiver.sendall(line)
        feeds.say('fed', sum(line.startswith(b'$') for line in lines))
        feeds.hold(self.options.hold)

    def end(self):
        if self.daemon:
            self.daemon.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--log', required=True, help='NMEA sentences, as make_drive.py writes them')
    parser.add_argument('--port', type=int, default=0, help='where gpsd listens; 0, the default: a free one')
    parser.add_argument('--port-file', metavar='FILE', help='write the port there')
    parser.add_argument('--speed', type=float, default=0, metavar='N', help='times as fast as it was driven; 0, the default: as fast as gpsd reads')
    parser.add_argument('--restart-after', type=int, metavar='LINES', help='kill gpsd after so many lines, and start it again')
    parser.add_argument('--hold', action='store_true', help='run on after the last line until stdin closes; else for 2 s')
    parser.add_argument('--wait', type=float, default=60, metavar='SECONDS', help='how long to wait for somebody who listens (default 60)')
    feeds.exit_on_sigterm()
    feed = Feed(parser.parse_args())
    try:
        feed.run()
    finally:
        feed.end()


if __name__ == '__main__':
    main()
