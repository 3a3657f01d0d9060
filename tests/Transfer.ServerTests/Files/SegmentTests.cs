using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Files;

/// <summary>
/// One large file over several sessions, where they can: downloads everywhere, uploads over SFTP, and where an FTP server is set up for it.
/// </summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Usual))]
[Parallelizable]
public sealed class SegmentTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int Length = (24 << 20) + 4321;
    private const int Segments = 4;

    private static readonly DateTime Modified = new(2024, 2, 29, 23, 59, 58, DateTimeKind.Utc);

    [Test]
    public async Task A_file_is_downloaded_by_several_sessions()
    {
        var content = Bytes.Random(Length);
        Server.Plant(Remote + "/file", content);
        var mark = Server.MarkLog();
        using var logs = new LogLines();
        await using var client = Client(options => options with { MaxSessions = Segments, LoggerFactory = logs });
        var target = Path.Combine(Scratch, "file");
        // Sessions that are open already: on a short link the file may be there before another one is.
        await Task.WhenAll(Enumerable.Range(0, Segments).Select(_ => client.GetEntryAsync(Remote + "/file").AsTask()));

        var result = await client.DownloadFileAsync(Remote + "/file", target, new() { Segments = Segments });

        Bytes.AssertSame(File.ReadAllBytes(target), content);
        Assert.That((result.Bytes, result.Verified), Is.EqualTo(((long)Length, VerificationMode.Size)));
        Assert.That(Directory.EnumerateFileSystemEntries(Scratch).Count(), Is.EqualTo(1));
        // On loopback the file may be there before a second session has begun; in process the sharing itself is tested.
        Assert.That(logs.Of(LogLines.JobEnded), Has.Some.Matches("download [0-9a-f]{8}: 1 files.*, [1-4] sessions"));

        // The sessions whose transfers were cut at a segment's end are as good as new.
        Server.Plant(Remote + "/small", content[..10_000]);
        using var again = new MemoryStream();
        for (var i = 0; i < 2 * Segments; i++) await client.DownloadAsync(Remote + "/small", again);
        Assert.That(again.Length, Is.EqualTo(10_000 * 2 * Segments));
        // Two of ProFTPD's sessions now and then choose the same port: one says 425 then, and is lost with the RETR that had left behind
        // EPSV. And a busy machine may
        // have a session stand still for so long that another one takes its range.
        var excused =
            Lines(Server.LogSince(mark), "unable to listen on") + Lines(logs.ToString(), "while other sessions had nothing to do");
        Assert.That(logs.Of(LogLines.SessionClosed), Has.Count.LessThanOrEqualTo(Math.Min(excused, 2)),
            () => "A session was lost.\n" + logs);

        static int Lines(string log, string text) => log.Split('\n').Count(line => line.Contains(text, StringComparison.Ordinal));
    }

    [Test]
    public async Task A_file_is_uploaded_by_several_sessions_where_the_server_takes_it_so()
    {
        var content = Bytes.Random(Length);
        using var logs = new LogLines();
        await using var client = Client(options => options with { MaxSessions = Segments, LoggerFactory = logs });

        var result = await client.UploadFileAsync(LocalFile("file", content, Modified), Remote + "/file", new() { Segments = Segments });

        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/file")), content);
        Assert.That((result.Bytes, result.Verified), Is.EqualTo(((long)Length, VerificationMode.Size)));
        Assert.That(File.GetLastWriteTimeUtc(Server.Local(Remote + "/file")), Is.EqualTo(Modified));
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "file" }));
        // SSH.NET writes whole files.
        var together = IsSftp && Kind != ServerKind.SshNet;
        Assert.That(logs.Of(LogLines.JobEnded),
            Has.Some.Matches(together ? "upload [0-9a-f]{8}: 1 files.*, [1-4] sessions" : "upload [0-9a-f]{8}: 1 files.*, 1 sessions"));
        Assert.That(logs.Of(LogLines.WritesAlone), Has.Count.EqualTo(together ? 0 : 1), "FTP servers as they are installed were tried.");
    }
}
