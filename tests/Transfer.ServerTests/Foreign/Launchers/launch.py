"""What the launchers share: their settings (one JSON object as the first argument), and the user that serves the files."""
import json
import os
import sys

SETTINGS = json.loads(sys.argv[1])
ADDRESS, PORT, ROOT = SETTINGS["address"], SETTINGS["port"], SETTINGS["root"]
USER, PASSWORD = SETTINGS["user"], SETTINGS["password"]


def become_user():
    """Called once keys and certificates, which are root's, have been read."""
    os.setgroups([])
    os.setgid(SETTINGS["gid"])
    os.setuid(SETTINGS["uid"])
    os.umask(0o022)
