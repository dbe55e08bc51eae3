#!/usr/bin/python3
"""Answer every GET with one token, or with what is no token.

usage: token_server.py STATUS BODY

In BODY, <seconds+N>, <unix-s+N> and <unix-ms+N> stand for N seconds from the moment of asking.
Prints `port N`, then `asked PATH` each time. Ends with its standard input.
"""
import http.server
import os
import re
import sys
import threading
import time


def expiry(match):
    life = int(match[2])
    return str({'seconds': life, 'unix-s': int(time.time()) + life, 'unix-ms': int(time.time() * 1000) + life * 1000}[match[1]])


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        print('asked', self.path, flush=True)
        body = re.sub(r'<(seconds|unix-s|unix-ms)\+(\d+)>', expiry, sys.argv[2]).encode()
        self.send_response(int(sys.argv[1]))
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    print('port', server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    while os.read(0, 4096):
        pass


if __name__ == '__main__':
    main()
