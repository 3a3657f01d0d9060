using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Ssh;

/// <summary>sshd wants new keys after every megabyte of either direction, while eight sessions keep both directions full.</summary>
[TestFixture(10)]
[TestFixture(1)]
[Parallelizable]
public sealed class RekeyTests(int sessionsPerConnection) : SshFixture(Often)
{
    private const int Sessions = 8;
    private const long Length = 16 << 20;

    private static readonly ServerVariant Often = ServerVariant.Sftp with { Name = "Rekey", SshSettings = "RekeyLimit 1M" };

    [Test]
    public async Task Nothing_is_lost_under_full_load_both_ways()
    {
        var logs = new LogLines();
        await using var client = Ssh.SftpClient(
            options => options with { MaxSessions = Sessions, SessionsPerConnection = sessionsPerConnection, LoggerFactory = logs });
        await using (var first = new PatternStream(Length)) await client.UploadAsync(first, Remote + "/0");

        var jobs = Enumerable.Range(1, Sessions).Select(i => i % 2 == 0 ? UploadAsync(i) : DownloadAsync());
        await Task.WhenAll(jobs);

        for (var i = 0; i <= Sessions; i += 2)
        {
            await using var expected = new PatternStream(Length);
            await using (var stored = File.OpenRead(Server.Local($"{Remote}/{i}"))) await stored.CopyToAsync(expected, 1 << 20);
            Assert.That(expected.Position, Is.EqualTo(Length));
        }

        Assert.That(Log.Split("Starting session").Length - 1, Is.GreaterThanOrEqualTo(Sessions));
        // Counted by us: the first exchanges are one a connection. sshd asks late, when what it counts has gone through.
        var again = logs.Of(LogLines.KeysExchanged).Count(line => line.Contains("first: False", StringComparison.Ordinal));
        TestContext.Out.WriteLine($"{again} further key exchanges");
        Assert.That(again, Is.GreaterThan(Sessions * Length / (1 << 20) / 4));

        async Task UploadAsync(int i)
        {
            await using var source = new PatternStream(Length);
            await client.UploadAsync(source, $"{Remote}/{i}");
        }

        async Task DownloadAsync()
        {
            await using var target = new PatternStream(Length);
            await client.DownloadAsync(Remote + "/0", target);
            Assert.That(target.Position, Is.EqualTo(Length));
        }
    }
}
