"""What the feeds share. No program of its own."""
import os
import select
import signal
import socket
import subprocess
import sys
import time

ESTABLISHED, CLOSE_WAIT = '01', '08'


def say(*words):
    """One line for the program that started the feed."""
    print(*words, flush=True)


def announce_port(port, port_file):
    if port_file:
        with open(port_file + '.part', 'w') as file:
            file.write('%d\n' % port)
        os.rename(port_file + '.part', port_file)
    say('port', port)


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def connections(column, port, states):
    """How many TCP sockets of this host have the port at their end (column 1) or at the other (column 2)."""
    count = 0
    for table in ('/proc/net/tcp', '/proc/net/tcp6'):
        try:
            with open(table) as file:
                rows = [line.split() for line in file][1:]
        except OSError:
            continue
        count += sum(row[column].endswith(':%04X' % port) and row[3] in states for row in rows)
    return count


def wait_for(what, condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit('%s: waited %g s for %s' % (os.path.basename(sys.argv[0]), seconds, what))
        time.sleep(0.02)


def listens(port):
    try:
        socket.create_connection(('127.0.0.1', port), 1).close()
        return True
    except OSError:
        return False


def exit_on_sigterm():
    """So that `finally` runs."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))


def hold(until_stdin_closes):
    """Gives clients time to read: until our own stdin closes, or two seconds."""
    if until_stdin_closes:
        while os.read(0, 4096):
            pass
    else:
        select.select([], [], [], 2)


def search_path():
    """Debian keeps gpsd where only root's PATH looks."""
    return os.environ.get('PATH', '/usr/bin:/bin') + ':/usr/local/sbin:/usr/sbin:/sbin'


class Daemon:
    """A process that ends with us, also when we are killed: a watcher reads a pipe of ours and kills it when that closes."""

    def __init__(self, command, port, **options):
        self.key = '0x%08X' % (0x47700000 + port)
        environment = dict(os.environ, PATH=search_path(), GPSD_SHM_KEY=self.key, **options.pop('environment', {}))
        self.process = subprocess.Popen(command, env=environment, **options)
        script = 'read _; kill -9 %d; ipcrm -M %s' % (self.process.pid, self.key)
        self.watcher = subprocess.Popen(['sh', '-c', script], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)

    def end(self, number=signal.SIGTERM):
        self.watcher.kill()
        self.watcher.wait()
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        # gpsd leaves its shared memory behind.
        subprocess.run(['ipcrm', '-M', self.key], stderr=subprocess.DEVNULL, check=False)
