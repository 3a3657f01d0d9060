"""asyncssh's SFTP server."""
import asyncio
import warnings

from launch import ADDRESS, PASSWORD, PORT, SETTINGS, USER, become_user

warnings.filterwarnings("ignore")
import asyncssh  # noqa: E402


class Server(asyncssh.SSHServer):
    def begin_auth(self, username):
        return True

    def password_auth_supported(self):
        return True

    def validate_password(self, username, password):
        return (username, password) == (USER, PASSWORD)


async def main():
    key = asyncssh.read_private_key(SETTINGS["key"])
    await asyncssh.create_server(Server, ADDRESS, PORT, server_host_keys=[key], sftp_factory=True, reuse_address=True)
    become_user()
    await asyncio.Event().wait()


asyncio.run(main())
