using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Ssh;

/// <summary>sshd has no cipher but chacha20-poly1305@openssh.com, and wants new keys after every megabyte.</summary>
[TestFixture]
[Parallelizable]
public sealed class ChaChaTests()
    : SshFixture(ServerVariant.Sftp with { Name = "ChaCha", SshSettings = "Ciphers chacha20-poly1305@openssh.com\nRekeyLimit 1M" })
{
    private const long Length = 8 << 20;

    [Test]
    public async Task Files_go_both_ways_through_many_key_exchanges_that_are_strict()
    {
        var logs = new LogLines();
        await using var client = Client(options => options with { LoggerFactory = logs });

        await using (var source = new PatternStream(Length)) await client.UploadAsync(source, Remote + "/file");
        await using var target = new PatternStream(Length);
        await client.DownloadAsync(Remote + "/file", target);

        Assert.That((target.Position, new FileInfo(Server.Local(Remote + "/file")).Length), Is.EqualTo((Length, Length)));
        var exchanges = logs.Of(LogLines.KeysExchanged);
        Assert.That(exchanges, Is.All.Contain(", chacha20-poly1305@openssh.com, MAC the cipher's own").And.All.Contain("strict: True"));
        Assert.That(exchanges.Count(line => line.Contains("first: False", StringComparison.Ordinal)), Is.GreaterThan(4));
    }
}
