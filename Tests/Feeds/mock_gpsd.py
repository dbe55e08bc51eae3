#!/usr/bin/python3
"""Stand in for gpsd where the real one cannot be made to fail: does on each connection what a script says.

A script is a text, one step a line; `connection` begins what the next connection gets. After the last, connections are refused.
  watch           wait for a line of the client's and print it
  line TEXT       send TEXT and a line end
  part TEXT       send TEXT alone
  bytes HEX       send these bytes
  overlong N      send a line of N bytes
  lines FILE      send a file
  sleep SECONDS
  silence         wait until the client hangs up
  reset           end the connection with a reset; without it, it ends in order
  # comment

Lines on stdout: `port N`, `connection N`, `received TEXT`, `done`.
"""
import argparse
import socket
import struct
import sys
import time

import feeds


def read_script(path):
    """A list of connections, each a list of (number of the line, verb, argument)."""
    scripts = [[]]
    with open(path) if path != '-' else sys.stdin as file:
        for number, text in enumerate(file, 1):
            verb, _, argument = text.rstrip('\n').partition(' ')
            if verb == 'connection':
                scripts.append([])
            elif verb and not verb.startswith('#'):
                scripts[-1].append((number, verb, argument))
    return [script for script in scripts if script]


def watch(client, _):
    line = b''
    while not line.endswith(b'\n'):
        byte = client.recv(1)
        if not byte:
            return
        line += byte
    feeds.say('received', line.decode(errors='replace').strip())


def lines(client, path):
    with open(path, 'rb') as file:
        client.sendall(file.read())


def silence(client, _):
    while client.recv(4096):
        pass


def reset(client, _):
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))


STEPS = {
    'watch': watch,
    'line': lambda client, text: client.sendall(text.encode() + b'\r\n'),
    'part': lambda client, text: client.sendall(text.encode()),
    'bytes': lambda client, text: client.sendall(bytes.fromhex(text)),
    'overlong': lambda client, count: client.sendall(b'{"class":"SKY",' + b' ' * (int(count) - 16) + b'}\r\n'),
    'lines': lines,
    'sleep': lambda _, seconds: time.sleep(float(seconds)),
    'silence': silence,
    'reset': reset,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--script', required=True, metavar='FILE', help='- for stdin')
    parser.add_argument('--port', type=int, default=0, help='0, the default: a free one')
    parser.add_argument('--port-file', metavar='FILE', help='write the port there')
    options = parser.parse_args()
    scripts = read_script(options.script)
    for number, verb, _ in (step for script in scripts for step in script):
        if verb not in STEPS:
            parser.error('line %d: no such step: %s' % (number, verb))
    with socket.create_server(('127.0.0.1', options.port)) as server:
        feeds.announce_port(server.getsockname()[1], options.port_file)
        for number, script in enumerate(scripts, 1):
            client, _ = server.accept()
            feeds.say('connection', number)
            with client:
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                try:
                    for _, verb, argument in script:
                        STEPS[verb](client, argument)
                except ConnectionError:
                    pass  # the client hung up: on to its next connection
    feeds.say('done')


if __name__ == '__main__':
    main()
