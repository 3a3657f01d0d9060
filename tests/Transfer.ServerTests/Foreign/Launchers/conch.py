"""Twisted's SSH server (conch), with the SFTP server that it has for users of a system."""
import sys

from launch import ADDRESS, PASSWORD, PORT, ROOT, SETTINGS, USER, become_user
from twisted.conch.avatar import ConchUser
from twisted.conch.interfaces import ISFTPServer
from twisted.conch.ssh import factory, filetransfer, keys, session
from twisted.conch.unix import SFTPServerForUnixConchUser
from twisted.cred import checkers, portal
from twisted.internet import reactor
from twisted.python import components, filepath, log
from zope.interface import implementer


class User(ConchUser):
    def __init__(self):
        ConchUser.__init__(self)
        self.channelLookup[b"session"] = session.SSHSession
        self.subsystemLookup[b"sftp"] = filetransfer.FileTransferServer

    def getUserGroupId(self):
        return SETTINGS["uid"], SETTINGS["gid"]

    def getHomeDir(self):
        return filepath.FilePath(ROOT)

    def _runAsUser(self, calls, *arguments, **named):
        """The process is that user already."""
        result = None
        for call in calls if isinstance(calls, list) else [(calls, arguments, named)]:
            result = call[0](*(call[1] if len(call) > 1 else ()), **(call[2] if len(call) > 2 else {}))
        return result


@implementer(portal.IRealm)
class Realm:
    def requestAvatar(self, avatarId, mind, *interfaces):
        return interfaces[0], User(), lambda: None


log.startLogging(sys.stdout)
components.registerAdapter(SFTPServerForUnixConchUser, User, ISFTPServer)
host = keys.Key.fromFile(SETTINGS["key"])
server = factory.SSHFactory()
server.publicKeys = {host.sshType(): host.public()}
server.privateKeys = {host.sshType(): host}
server.portal = portal.Portal(Realm(), [checkers.InMemoryUsernamePasswordDatabaseDontUse(**{USER: PASSWORD.encode()})])
reactor.listenTCP(PORT, server, interface=ADDRESS)
become_user()
reactor.run()
