#!/usr/bin/python3
"""Every figure of `make bench`, one line each: name value unit target ok|short. Exits 1 while any is short.

The speed of the core comes from milepost-bench, beside its peers in the same run; size and memory are measured here, on the library as it ships.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import scale

TOP = pathlib.Path(__file__).resolve().parents[2]
BUILD = TOP / "build"
PROVIDER, VEHICLE = "bench-provider", "bench-vehicle"
# Upper limits. The size: the Swift runtime inside makes up most of it. Memory: beyond the C libraries that a unit has anyway; what is resident
# and not private can be dropped and read again, and how much of it the kernel maps around a page fault varies from 1.5 to 2.6 MB.
TARGETS = {
    "tracker_update_allocations": 0,
    "library_size": 7500,
    "loading_peak_per_limit": 1.0,
    "memory_loaded_resident": 3072,
    "memory_loaded_private_dirty": 512,
    "memory_reporting_private_dirty": 1024,
}


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def compiled(name, folder, *link):
    """The program made of one of the C files beside this one."""
    program = folder / name
    source = pathlib.Path(__file__).with_name(name + ".c")
    run("cc", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{BUILD}/include", source, "-o", program, *link)
    return program


def footprint(program):
    """What it prints of a process that loads the library and reports to the emulator."""
    emulator = subprocess.Popen(
        [BUILD / "bin" / "fleet-engine-emulator", "--port", "0", "--stdin", "--quiet", "--provider", PROVIDER, "--vehicle", VEHICLE],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        url = emulator.stdout.readline().split()[1]
        return run(program, BUILD / "lib" / "libmilepost.so", url, url + "/token/driver/{vehicle}", PROVIDER, VEHICLE)
    finally:
        emulator.stdin.close()
        emulator.wait(10)


def loading_peak(program, folder):
    """The most memory that loading takes, as a part of 8 times the file and 64 bytes a point: the worst of the formats."""
    return max(float(line.split()[-1]) for line in run(program, folder, "100000"))


def judged(line):
    name, value, unit = line.split()
    target = TARGETS[name]
    return f"{name} {value} {unit} <={target} {'ok' if float(value) <= target else 'short'}"


def main():
    core = subprocess.run([BUILD / "bin" / "milepost-bench"], stdout=subprocess.PIPE, text=True)
    lines = core.stdout.splitlines()
    os.sync()  # the kernel counts a mapped page of a file that is not on disk yet as private and dirty
    measured = [f"library_size {os.stat(BUILD / 'lib' / 'libmilepost.so').st_size // 1024} kB"]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        library = [f"-L{BUILD}/lib", "-lmilepost", f"-Wl,-rpath,{BUILD}/lib", "-lm"]
        measured += run(compiled("allocations", folder, *library))
        measured.append(f"loading_peak_per_limit {loading_peak(compiled('loading', folder, *library), folder)} ratio")
        measured += footprint(compiled("footprint", folder, "-ldl"))
    lines += [judged(line) for line in measured if line.split()[0] in TARGETS]
    lines += scale.run(reporters=200, seconds=10, form="loop")
    print("\n".join(lines))
    return 1 if core.returncode not in (0, 1) or any(line.endswith(" short") for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
