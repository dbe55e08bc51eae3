#!/usr/bin/python3
"""Terminate TLS in front of a plain server on loopback.

usage: tls_proxy.py CERTIFICATE KEY PORT

PORT is the plain server's. Prints `port N`, the proxy's own. Ends with its standard input.
"""
import os
import socket
import ssl
import sys
import threading


def copy(source, target):
    """Until one side is done; then both are."""
    try:
        while True:
            data = source.recv(65536)
            if not data:
                break
            target.sendall(data)
    except OSError:
        pass
    for side in (source, target):
        try:
            side.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(client, context, port):
    try:
        with context.wrap_socket(client, server_side=True) as secure, socket.create_connection(('127.0.0.1', port)) as plain:
            back = threading.Thread(target=copy, args=(plain, secure), daemon=True)
            back.start()
            copy(secure, plain)
            back.join()
    except OSError:
        pass  # a handshake that failed is the client's to tell


def accept(server, context, port):
    while True:
        client, _ = server.accept()
        threading.Thread(target=serve, args=(client, context, port), daemon=True).start()


def main():
    certificate, key, port = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = socket.create_server(('127.0.0.1', 0))
    print('port', server.getsockname()[1], flush=True)
    threading.Thread(target=accept, args=(server, context, int(port)), daemon=True).start()
    while os.read(0, 4096):
        pass


if __name__ == '__main__':
    main()
