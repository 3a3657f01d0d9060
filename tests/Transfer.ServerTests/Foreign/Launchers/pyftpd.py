"""pyftpdlib's asynchronous FTP server, plain or with TLS."""
from launch import ADDRESS, PASSWORD, PORT, ROOT, SETTINGS, USER, become_user
from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler, TLS_FTPHandler
from pyftpdlib.servers import FTPServer

handler = TLS_FTPHandler if SETTINGS["certificate"] else FTPHandler
handler.authorizer = DummyAuthorizer()
handler.authorizer.add_user(USER, PASSWORD, ROOT, perm="elradfmwMT")
handler.passive_ports = range(PORT + 1, PORT + SETTINGS["ports"])
if SETTINGS["certificate"]:
    handler.certfile = SETTINGS["certificate"]
    handler.tls_control_required = handler.tls_data_required = True
    handler.ssl_context = handler.get_ssl_context()
server = FTPServer((ADDRESS, PORT), handler)
become_user()
server.serve_forever()
