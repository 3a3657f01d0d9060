"""Runs a program at a terminal, types a line when it asks for one, and prints what the terminal showed.

Arguments: the end of the question, what is typed, the program and its arguments. Ends with the program's exit code.
"""
import os
import pty
import sys
import termios
import time

question, answer = sys.argv[1].encode(), sys.argv[2].encode()
child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = "dumb"
    os.execvp(sys.argv[3], sys.argv[3:])

shown, typed = b"", False
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    shown += part
    if not typed and question in shown:
        # The terminal itself shows what comes before the program reads.
        while termios.tcgetattr(terminal)[3] & termios.ECHO:
            time.sleep(0.01)
        typed = True
        os.write(terminal, answer + b"\r")

sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
