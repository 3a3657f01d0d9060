"""An SFTP server whose log-in is keyboard-interactive (RFC 4256), with codes that count once.

Arguments: port, host key, the file of known codes, rounds as JSON (a list of rounds, each a list of [prompt, echo, "password" | "code"]), password, banner.
Writes one line an event on standard output: "log-in begun", "accepted", "failed".
"""
import asyncio
import json
import sys
import warnings

warnings.filterwarnings("ignore")
import asyncssh  # noqa: E402

PORT, HOST_KEY, CODES, ROUNDS = int(sys.argv[1]), sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
PASSWORD, BANNER = sys.argv[5], sys.argv[6]
used = set()


def say(text):
    print(text, flush=True)


def is_right(kind, answer):
    if kind == "password":
        return answer == PASSWORD
    with open(CODES, encoding="ascii") as file:
        known = set(file.read().split())
    if answer not in known or answer in used:
        return False
    used.add(answer)
    return True


class Server(asyncssh.SSHServer):
    def connection_made(self, conn):
        self._conn = conn
        self._round = -1

    def begin_auth(self, username):
        say("log-in begun")
        if BANNER:
            self._conn.send_auth_banner(BANNER)
        return True

    def password_auth_supported(self):
        return False

    def kbdint_auth_supported(self):
        return True

    def get_kbdint_challenge(self, username, lang, submethods):
        self._round = -1
        return self._next()

    def validate_kbdint_response(self, username, responses):
        asked = ROUNDS[self._round]
        if len(responses) != len(asked) or not all(is_right(each[2], answer) for each, answer in zip(asked, responses)):
            say("failed")
            return False
        if self._round + 1 < len(ROUNDS):
            return self._next()
        say("accepted")
        return True

    def _next(self):
        self._round += 1
        return "", "", "", [(each[0], each[1]) for each in ROUNDS[self._round]]


async def main():
    await asyncssh.create_server(Server, "127.0.0.1", PORT, server_host_keys=[HOST_KEY], sftp_factory=True, reuse_address=True)
    say("ready")
    await asyncio.Event().wait()


asyncio.run(main())
