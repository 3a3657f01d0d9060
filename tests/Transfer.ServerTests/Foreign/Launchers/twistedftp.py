"""Twisted's FTP server over a folder."""
import sys

from launch import ADDRESS, PASSWORD, PORT, ROOT, SETTINGS, USER, become_user
from twisted.cred import checkers, credentials, error, portal
from twisted.internet import reactor
from twisted.protocols import ftp
from twisted.python import filepath, log
from zope.interface import implementer


class Realm(ftp.BaseFTPRealm):
    def getHomeDirectory(self, avatarId):
        return filepath.FilePath(ROOT)


@implementer(checkers.ICredentialsChecker)
class Checker:
    credentialInterfaces = (credentials.IUsernamePassword,)

    def requestAvatarId(self, given):
        if (given.username, given.password) != (USER, PASSWORD):
            raise error.UnauthorizedLogin()
        return given.username


log.startLogging(sys.stdout)
factory = ftp.FTPFactory(portal.Portal(Realm(ROOT), [Checker()]))
factory.passivePortRange = range(PORT + 1, PORT + SETTINGS["ports"])
reactor.listenTCP(PORT, factory, interface=ADDRESS)
become_user()
reactor.run()
