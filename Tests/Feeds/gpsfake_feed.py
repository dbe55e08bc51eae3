#!/usr/bin/python3
"""Play a log of NMEA sentences with gpsfake, from the moment that a client is connected.

gpsfake itself waits for nobody; here it runs in single steps (-i), and the steps begin once a client is there.

Lines on stdout: `port N`, `listening`, `attached`, and `fed N` with the number of sentences.
"""
import argparse
import shutil
import subprocess
import sys
import tempfile
import time

import feeds


def play(options, port, scratch):
    with open(options.log, 'rb') as file:
        lines = file.readlines()
    # A TMPDIR of its own: gpsfake takes a control socket left by another for its own.
    command = ['gpsfake', '-i', '-q', '-W', '0', '-P', str(port), options.log]
    daemon = feeds.Daemon(command, port, environment={'TMPDIR': scratch}, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    try:
        feeds.wait_for('gpsfake to listen', lambda: daemon.process.poll() is not None or feeds.listens(port), 20)
        if daemon.process.poll() is not None:
            sys.exit('gpsfake ended with status %d' % daemon.process.returncode)
        feeds.say('listening')
        time.sleep(0.2)
        feeds.wait_for('a client', lambda: feeds.connections(1, port, (feeds.ESTABLISHED,)), options.wait)
        feeds.say('attached')
        # gpsd opens the terminal for the client, which takes a second, and empties it.
        time.sleep(1.5)
        # A step for each sentence, and one for the date.
        for _ in [line for line in lines if line.startswith((b'$', b'# Date:'))]:
            daemon.process.stdin.write(b'\n')
            daemon.process.stdin.flush()
        feeds.say('fed', sum(line.startswith(b'$') for line in lines))
        feeds.hold(options.hold)
    finally:
        daemon.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--log', required=True, help='NMEA sentences, as make_drive.py writes them')
    parser.add_argument('--port', type=int, default=0, help='where gpsd listens; 0, the default: a free one')
    parser.add_argument('--port-file', metavar='FILE', help='write the port there')
    parser.add_argument('--hold', action='store_true', help='run on after the last line until stdin closes; else for 2 s')
    parser.add_argument('--wait', type=float, default=60, metavar='SECONDS', help='how long to wait for a client (default 60)')
    options = parser.parse_args()
    feeds.exit_on_sigterm()
    port = options.port or feeds.free_port()
    feeds.announce_port(port, options.port_file)
    scratch = tempfile.mkdtemp(prefix='gpsfake-')
    try:
        play(options, port, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == '__main__':
    main()
