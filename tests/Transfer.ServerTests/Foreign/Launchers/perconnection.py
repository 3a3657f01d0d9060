"""A super-server, as inetd: a program for each connection, which has the socket as its standard input and output."""
import signal
import socket
import subprocess

from launch import ADDRESS, PORT, SETTINGS

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
listener = socket.create_server((ADDRESS, PORT), backlog=100)
while True:
    connection, _ = listener.accept()
    subprocess.Popen(SETTINGS["program"], stdin=connection, stdout=connection)
    connection.close()
