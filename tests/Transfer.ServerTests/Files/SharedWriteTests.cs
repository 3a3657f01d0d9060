using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Files;

/// <summary>vsftpd as its administrator may have it: an upload does not wait for another one into the same file.</summary>
[Parallelizable]
[TestFixtureSource(nameof(Servers))]
public sealed class SharedWriteTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int Length = (24 << 20) + 4321;
    private const int Segments = 4;
    private const int TrialUploads = 4;
    private const string Unlocked = "lock_upload_files=NO";
    private const string Deletes = Unlocked + "\ndelete_failed_uploads=YES";

    public static IEnumerable<TestFixtureData> Servers => new[]
    {
        ServerVariant.Plain with { Name = "Unlocked", VsftpdSettings = Unlocked },
        ServerVariant.ExplicitReuse with { Name = "UnlockedExplicitReuse", VsftpdSettings = Unlocked },
        ServerVariant.Plain with { Name = "UnlockedDeletes", VsftpdSettings = Deletes },
    }.Select(variant => new TestFixtureData(ServerKind.Vsftpd, variant));

    private bool TakesSegments => Variant.VsftpdSettings == Unlocked;

    [Test]
    public async Task A_file_is_uploaded_by_several_sessions_unless_the_server_deletes_what_breaks_off()
    {
        var content = Bytes.Random(Length);
        using var logs = new LogLines();
        await using var client = Client(options => options with { MaxSessions = Segments, LoggerFactory = logs });

        var result = await client.UploadFileAsync(LocalFile("file", content), Remote + "/file", new() { Segments = Segments });

        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/file")), content);
        Assert.That((result.Bytes, result.Verified), Is.EqualTo(((long)Length, VerificationMode.Size)));
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "file" }));
        Assert.That(logs.Of(LogLines.WritesAlone), Has.Count.EqualTo(TakesSegments ? 0 : 1));
        var uploads = Count("\"STOR ");
        if (TakesSegments) Assert.That(uploads, Is.GreaterThanOrEqualTo(TrialUploads + 1 + Segments));
        else Assert.That(uploads, Is.EqualTo(TrialUploads + 1));
        Assert.That(uploads - Count("\"REST "), Is.EqualTo(2), "The trial's file and the other are begun once each.");
    }

    private int Count(string command) =>
        Log.Split('\n').Count(
            line => line.Contains("FTP command", StringComparison.Ordinal) && line.Contains(command, StringComparison.Ordinal));
}
