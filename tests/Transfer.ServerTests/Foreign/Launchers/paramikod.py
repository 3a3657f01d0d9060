"""A server over paramiko, in the way of the servers of tests that applications have: a thread a connection, and a folder as its root."""
import os
import socket
import threading

import paramiko
from launch import ADDRESS, PASSWORD, PORT, ROOT, SETTINGS, USER, become_user

KEY = paramiko.Ed25519Key(filename=SETTINGS["key"])


class Server(paramiko.ServerInterface):
    def get_allowed_auths(self, username):
        return "password"

    def check_auth_password(self, username, password):
        return paramiko.AUTH_SUCCESSFUL if (username, password) == (USER, PASSWORD) else paramiko.AUTH_FAILED

    def check_channel_request(self, kind, chanid):
        return paramiko.OPEN_SUCCEEDED


class Handle(paramiko.SFTPHandle):
    def stat(self):
        return paramiko.SFTPAttributes.from_stat(os.fstat(self.readfile.fileno()))

    def chattr(self, attr):
        paramiko.SFTPServer.set_file_attr(self.filename, attr)
        return paramiko.SFTP_OK


def answers_errors(method):
    def call(*arguments):
        try:
            result = method(*arguments)
            return paramiko.SFTP_OK if result is None else result
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno)

    return call


class Files(paramiko.SFTPServerInterface):
    def _local(self, path):
        return ROOT + self.canonicalize(path)

    @answers_errors
    def list_folder(self, path):
        entries = []
        for name in os.listdir(self._local(path)):
            entries.append(paramiko.SFTPAttributes.from_stat(os.lstat(os.path.join(self._local(path), name)), name))
        return entries

    @answers_errors
    def stat(self, path):
        return paramiko.SFTPAttributes.from_stat(os.stat(self._local(path)))

    @answers_errors
    def lstat(self, path):
        return paramiko.SFTPAttributes.from_stat(os.lstat(self._local(path)))

    @answers_errors
    def open(self, path, flags, attr):
        file = os.open(self._local(path), flags, 0o666 if attr.st_mode is None else attr.st_mode)
        handle = Handle(flags)
        handle.filename = self._local(path)
        mode = "rb" if not flags & (os.O_WRONLY | os.O_RDWR) else "ab" if flags & os.O_APPEND else "wb" if flags & os.O_WRONLY else "r+b"
        handle.readfile = handle.writefile = os.fdopen(file, mode)
        return handle

    @answers_errors
    def remove(self, path):
        os.remove(self._local(path))

    @answers_errors
    def rename(self, oldpath, newpath):
        os.rename(self._local(oldpath), self._local(newpath))

    @answers_errors
    def mkdir(self, path, attr):
        os.mkdir(self._local(path))
        if attr is not None:
            paramiko.SFTPServer.set_file_attr(self._local(path), attr)

    @answers_errors
    def rmdir(self, path):
        os.rmdir(self._local(path))

    @answers_errors
    def chattr(self, path, attr):
        paramiko.SFTPServer.set_file_attr(self._local(path), attr)


def serve(connection):
    transport = paramiko.Transport(connection)
    transport.add_server_key(KEY)
    transport.set_subsystem_handler("sftp", paramiko.SFTPServer, Files)
    try:
        transport.start_server(server=Server())
    except (EOFError, paramiko.SSHException) as error:
        print(error, flush=True)
        transport.close()


listener = socket.create_server((ADDRESS, PORT), backlog=100)
become_user()
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
