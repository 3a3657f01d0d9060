using Transfer.ServerTests.Servers;
using Transfer.Sftp;

namespace Transfer.ServerTests.Ssh;

/// <summary>The keys of sshd, as they are without a log-in.</summary>
[TestFixture]
[Parallelizable]
public sealed class HostKeyReadingTests() : SshFixture(ServerVariant.Sftp)
{
    [Test]
    public async Task Every_key_is_read_as_ssh_keygen_shows_it()
    {
        var keys = await SshHostKeys.ReadAsync("localhost", Server.Port);
        Assert.That(keys.Select(key => $"{key.Bits} {key.Fingerprint}"), Is.EquivalentTo(SshKeys.Hosts.Select(KeygenShows)));
        var lines = SshKeys.Hosts.Select(file => FirstTwo(File.ReadAllText(file + ".pub")));
        Assert.That(keys.Select(key => key.PublicKey), Is.EquivalentTo(lines));
        Assert.That(Log, Does.Not.Contain("Accepted").And.Not.Contain("Failed"));
    }

    [Test]
    public async Task The_lines_are_known_hosts()
    {
        var keys = await SshHostKeys.ReadAsync("localhost", Server.Port);
        var known = TextFile("known_hosts", string.Join('\n', keys.Select(key => key.KnownHostsLine)));
        await using var client = Ssh.SftpClient(options => options with { HostKeys = new() { KnownHostsFiles = [known] } });
        await client.ConnectAsync();
    }

    // The length and the fingerprint.
    private static string KeygenShows(string file) => FirstTwo(Shell.Run(ServerFiles.SshKeygen, "-l", "-f", file + ".pub"));

    private static string FirstTwo(string line) => string.Join(' ', line.Split(' ').Take(2));
}
