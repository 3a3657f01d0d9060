using System.Collections.Concurrent;
using Transfer.Testing;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Ftp.Session;

/// <summary>
/// The control connection dies when all of a file was moved, and with it the 226: what is there is looked at, not moved again.
/// </summary>
[Category(Categories.Slow)]
public sealed class DoubtTests
{
    private const int Length = 300_000;

    private static readonly byte[] Old = FtpHarness.Content(1000, seed: 9);
    private static readonly byte[] New = FtpHarness.Content(Length, seed: 2);
    private static readonly PublishMode[] Ways = [PublishMode.Rename, PublishMode.Direct];
    private static readonly int[] Lengths = [0, 1, 65_536, 65_537, Length];

    [Test]
    public async Task An_upload_whose_226_never_comes_is_sent_once([ValueSource(nameof(Ways))] PublishMode publish,
        [ValueSource(nameof(Lengths))] int length)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/a", Old);
        ftp.Server.Faults.DropConnection("STOR", executed: true, times: 99);
        var content = New[..length];
        var result = await ftp.PutAsync("/d/a", content, Always with { Publish = publish });
        Assert.That((result.Bytes, result.Attempts, result.Verified), Is.EqualTo(((long)length, 1, VerificationMode.Size)));
        AssertSentOnce(ftp, content);
    }

    [Test]
    public async Task One_that_the_server_keeps_silent_about_is_sent_once()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Impatient);
        ftp.Server.Faults.OmitFinalReply("STOR", times: 99);
        ftp.Store.AddDirectory("/d");
        await ftp.PutAsync("/d/a", New);
        AssertSentOnce(ftp, New);
    }

    [TestCase("SIZE")]
    [TestCase("RNFR")]
    public async Task One_that_was_confirmed_before_its_session_was_lost_is_sent_once(string verb)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/a", Old);
        ftp.Server.Faults.DropConnection(verb);
        await ftp.PutAsync("/d/a", New);
        AssertSentOnce(ftp, New);
    }

    [Test]
    public async Task One_whose_hash_is_to_be_compared_is_sent_once()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/a", Old);
        ftp.Server.Faults.DropConnection("STOR", executed: true, times: 99);
        var result = await ftp.PutAsync("/d/a", New, Always with { Verify = VerificationMode.Hash });
        Assert.That(result.Verified, Is.EqualTo(VerificationMode.Hash));
        AssertSentOnce(ftp, New);
    }

    [Test]
    public async Task A_stream_that_is_read_once_is_sent_once()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/a", Old);
        ftp.Server.Faults.DropConnection("STOR", executed: true, times: 99);
        var stream = await ftp.Client.OpenWriteAsync("/d/a", new UploadOptions { Overwrite = OverwriteMode.Always });
        await using (stream.ConfigureAwait(false))
        {
            await stream.WriteAsync(New);
            await stream.CommitAsync();
        }
        AssertSentOnce(ftp, New);
    }

    [Test]
    public async Task A_server_that_is_still_writing_is_waited_for()
    {
        await using var ftp =
            await FtpHarness.StartAsync(new FtpTestServerOptions { DisabledCommands = new HashSet<string> { "MLST", "MLSD" } });
        ftp.Store.AddDirectory("/d");
        ftp.Server.Faults.DropConnection("STOR", executed: true, times: 99);
        ftp.Server.Faults.Reply("SIZE", "213 1000", path: "*.part");
        ftp.Server.Faults.Reply("SIZE", "213 200000", skip: 1, path: "*.part");
        await ftp.PutAsync("/d/a", New);
        AssertSentOnce(ftp, New);
    }

    [Test]
    public async Task One_that_is_not_whole_is_sent_again_without_a_warning([ValueSource(nameof(Ways))] PublishMode publish)
    {
        var said = new ConcurrentQueue<string>();
        await using var ftp = await FtpHarness.StartAsync(
            options: FtpHarness.Options with { LoggerFactory = new LogEvents(["StillInDoubt", "NotArrived"], said.Enqueue) });
        ftp.Store.AddFile("/d/a", Old);
        ftp.Server.Faults.LoseData(70_000, "STOR");
        ftp.Server.Faults.DropConnection("STOR", executed: true);
        await ftp.PutAsync("/d/a", New, Always with { Publish = publish });
        Assert.That(ftp.Work.Count(command => command.Verb == "STOR"), Is.EqualTo(2));
        Assert.That(said.Single(), Does.Contain(" is sent again, "));
        AssertThere(ftp, New);
    }

    [Test]
    public async Task One_that_ends_otherwise_is_sent_again([ValueSource(nameof(Ways))] PublishMode publish)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/a", Old);
        ftp.Server.Faults.CorruptData(Length - 1, "STOR");
        ftp.Server.Faults.DropConnection("STOR", executed: true);
        await ftp.PutAsync("/d/a", New, Always with { Publish = publish });
        Assert.That(ftp.Work.Count(command => command.Verb == "STOR"), Is.EqualTo(2));
        AssertThere(ftp, New);
    }

    [Test]
    public async Task An_old_file_that_looks_the_same_is_not_taken_for_the_new_one()
    {
        byte[] old = [.. Old, .. New.Skip(Old.Length)];
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/a", old);
        ftp.Server.Faults.DropConnection("STOR");
        await ftp.PutAsync("/d/a", New, Always with { Publish = PublishMode.Direct });
        AssertThere(ftp, New);
    }

    [Test]
    public async Task A_whole_folder_whose_226s_are_lost_arrives()
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Greeting = "Ready" });
        using var folder = new TempFolder();
        for (var i = 0; i < 12; i++) folder.Add($"f{i:00}", FtpHarness.Content(5000 + i, i));
        ftp.Server.Faults.DropConnection("STOR", executed: true, times: 99);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/in");
        Assert.That((result.Files, result.Failed), Is.EqualTo((12L, 0L)),
            string.Join('\n', result.Failures.Select(f => $"{f.Path} {f.Error?.Message}")));
        Assert.That(ftp.Store.Files, Has.Count.EqualTo(12));
        foreach (var file in ftp.Store.Files) Same.Bytes(ftp.Store.ReadFile(file), folder.Read(file[4..]), file);
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_download_whose_226_never_comes_is_fetched_once(bool sized)
    {
        var server = new FtpTestServerOptions
        {
            Greeting = "Ready",
            DisabledCommands = sized ? new HashSet<string>() : new HashSet<string> { "SIZE" }
        };
        await using var ftp = await FtpHarness.StartAsync(server, FtpHarness.Impatient);
        ftp.Store.AddFile("/d/a", New);
        ftp.Server.Faults.OmitFinalReply("RETR", times: 99);
        Same.Bytes(await ftp.GetAsync("/d/a"), New);
        Assert.That(ftp.Work.Count(command => command.Verb == "RETR"), Is.EqualTo(1));
    }

    [Test]
    public async Task A_download_that_lacks_bytes_and_its_226_is_fetched_again()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Impatient);
        ftp.Store.AddFile("/d/a", New);
        ftp.Server.Faults.SendData("RETR", New.AsMemory(0, 1000));
        ftp.Server.Faults.OmitFinalReply("RETR");
        Same.Bytes(await ftp.GetAsync("/d/a"), New);
        Assert.That(ftp.Work.Count(command => command.Verb == "RETR"), Is.EqualTo(2));
    }

    private static UploadOptions Always { get; } = new() { Overwrite = OverwriteMode.Always };

    private static void AssertSentOnce(FtpHarness ftp, byte[] content)
    {
        Assert.That(ftp.Work.Count(command => command.Verb == "STOR"), Is.EqualTo(1));
        AssertThere(ftp, content);
    }

    private static void AssertThere(FtpHarness ftp, byte[] content)
    {
        Same.Bytes(ftp.Store.ReadFile("/d/a"), content);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a" }));
    }
}
