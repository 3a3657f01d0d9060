using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Sessions for the deletion of a tree: more where a session has few commands under way at once.</summary>
[Category(Categories.Slow)]
public sealed class ChangingSessionsTests
{
    // Of few folders, so that the listings need one session alone.
    private const int Folders = 3;
    private const int Files = 700;

    [TestCase("(vsFTPd 3.0.5)", FtpTestTls.None, 1)]
    [TestCase("ProFTPD 1.3.8 Server", FtpTestTls.Explicit, 1)]
    [TestCase("ProFTPD 1.3.8 Server", FtpTestTls.None, 1)]
    [TestCase("Another server", FtpTestTls.None, 4)]
    public async Task A_log_in_pays_where_the_commands_take_many_round_trips(string greeting, FtpTestTls tls, int sessions)
    {
        await using var ftp = await FtpHarness.StartAsync(
            new() { Greeting = greeting, Tls = tls, Link = FtpHarness.Far }, FtpHarness.OptionsFor(tls) with { MaxSessions = 4 });
        for (var i = 0; i < Folders * Files; i++) ftp.Store.AddFile($"/d/{i % Folders:D2}/f{i}", [1]);
        await ftp.Client.DeleteAsync("/d", recursive: true).Soon();
        Assert.That(ftp.Store.Files, Is.Empty);
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(sessions));
        Assert.That(ftp.Work.Where(c => c.Verb == "DELE").Select(c => c.Argument), Is.Unique.And.Exactly(Folders * Files).Items);
        Assert.That(ftp.Work.Where(c => c.Verb == "DELE").Select(c => c.Connection).Distinct().Count(), Is.EqualTo(sessions));
    }
}
