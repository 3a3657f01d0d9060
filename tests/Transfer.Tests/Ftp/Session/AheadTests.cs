using Transfer.Sessions;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Data connections that are opened before it is known what for: on a long link, beside the log-in's round trips.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Category(Categories.Slow)]
public sealed class AheadTests : IDisposable
{
    private const int Sessions = 4;

    private static readonly byte[] Large = FtpHarness.Content(6 << 20, seed: 7);

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [TestCase(FtpTestTls.None)]
    [TestCase(FtpTestTls.Explicit)]
    public async Task Each_session_has_one_when_its_first_range_comes(FtpTestTls tls)
    {
        await using var ftp = await StartAsync(tls);
        ftp.Store.AddFile("/large", Large);

        await ftp.Client.DownloadFileAsync("/large", _folder["large"], new() { Segments = Sessions });

        Assert.That(File.ReadAllBytes(_folder["large"]).AsSpan().SequenceEqual(Large));
        foreach (var session in ftp.Work.GroupBy(c => c.Connection).Where(session => session.Any(c => c.Verb == "RETR")))
            Assert.That(session.First().Verb, Is.EqualTo("EPSV"), string.Join(' ', session));
        AssertOneEach(ftp);
    }

    [TestCase(FtpTestTls.None)]
    [TestCase(FtpTestTls.Explicit)]
    public async Task The_one_session_that_sends_a_file_has_one_too(FtpTestTls tls)
    {
        await using var ftp = await StartAsync(tls);
        var local = _folder.Add("file", Large[..10_000]);

        await ftp.Client.UploadFileAsync(local, "/in/file", new() { CreateDirectories = true });

        Same.Bytes(ftp.Store.ReadFile("/in/file"), Large.AsSpan(..10_000));
        // Announced with the log-in, and nothing else is in the end.
        var verbs = ftp.Work.Select(c => c.Verb).Where(verb => verb is "EPSV" or "MKD" or "STOR");
        Assert.That(verbs, Is.EqualTo(new[] { "EPSV", "MKD", "STOR" }));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    [TestCase(FtpTestTls.None, WorkKind.Download)]
    [TestCase(FtpTestTls.None, WorkKind.Upload)]
    [TestCase(FtpTestTls.Explicit, WorkKind.Download)]
    [TestCase(FtpTestTls.Explicit, WorkKind.Upload)]
    public async Task Each_session_of_a_folder_has_one_for_its_first_file_and_the_listing(FtpTestTls tls, WorkKind kind)
    {
        await using var ftp = await StartAsync(tls);
        await MoveFolderAsync(ftp, kind, files: 5 * Sessions, Sessions);
        foreach (var session in ftp.Work.GroupBy(c => c.Connection))
            Assert.That(session.First().Verb, Is.EqualTo("EPSV"), string.Join(' ', session));
        AssertOneEach(ftp);
    }

    [TestCase(FtpTestTls.None, WorkKind.Download)]
    [TestCase(FtpTestTls.None, WorkKind.Upload)]
    [TestCase(FtpTestTls.Explicit, WorkKind.Download)]
    [TestCase(FtpTestTls.Explicit, WorkKind.Upload)]
    public async Task The_first_of_a_batch_is_announced_with_the_batch_before(FtpTestTls tls, WorkKind kind)
    {
        await using var ftp = await StartAsync(tls);
        await MoveFolderAsync(ftp, kind, files: 20, sessions: 1);
        var verbs = string.Join(' ', ftp.Work.Select(c => c.Verb));
        // In front of what publishes the batch before, and the transfer it is for behind that, without one of its own.
        if (kind == WorkKind.Upload) Assert.That(verbs, Does.Match("SIZE (MFMT )?EPSV (RNFR RNTO )+STOR"));
        else Assert.That(verbs, Does.Contain("RETR EPSV SIZE RETR"));
        Assert.That(ftp.Work.Count(c => c.Verb == "EPSV") - ftp.Work.Count(c => c.Verb is "RETR" or "STOR" or "MLSD"),
            Is.Zero.Or.EqualTo(1), verbs);
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    [Test]
    public async Task What_was_announced_for_a_batch_that_does_not_come_is_in_nobodys_way()
    {
        await using var ftp = await StartAsync(FtpTestTls.None);
        // Each announces while files wait, and most find then that others have taken them.
        await MoveFolderAsync(ftp, WorkKind.Download, files: 30, Sessions);

        for (var i = 0; i < 2 * Sessions; i++)
        {
            await ftp.PutAsync($"/up{i}", Large[..10_000]);
            Same.Bytes(await ftp.GetAsync($"/up{i}"), Large.AsSpan(..10_000));
        }
        Assert.That(ftp.Server.TotalConnections, Is.LessThanOrEqualTo(Sessions), "No session was lost.");
    }

    [Test]
    public async Task One_that_nobody_wants_is_in_nobodys_way()
    {
        await using var ftp = await StartAsync(FtpTestTls.None);
        ftp.Store.AddFile("/small", [1, 2, 3]);

        await ftp.Client.DownloadFileAsync("/small", _folder["small"]);

        Assert.That(File.ReadAllBytes(_folder["small"]), Is.EqualTo(new byte[] { 1, 2, 3 }));
        for (var i = 0; i < 2 * Sessions; i++)
        {
            // The other way round: what was opened for a download is no use, and the server is told of another.
            await ftp.PutAsync($"/up{i}", Large[..10_000]);
            Same.Bytes(await ftp.GetAsync($"/up{i}"), Large.AsSpan(..10_000));
        }
        await ftp.Client.UploadDirectoryAsync(_folder.Path, "/in", new() { Sessions = Sessions });
        Assert.That(ftp.Store.ReadFile("/in/small"), Is.EqualTo(new byte[] { 1, 2, 3 }));
        Assert.That(ftp.Server.TotalConnections, Is.LessThanOrEqualTo(Sessions), "No session was lost.");
    }

    [Test]
    public async Task Where_it_is_refused_the_older_form_does_it()
    {
        await using var ftp = await StartAsync(FtpTestTls.None);
        ftp.Store.AddFile("/large", Large);
        ftp.Server.Faults.Reply("EPSV", "500 no", times: 99);

        await ftp.Client.DownloadFileAsync("/large", _folder["large"], new() { Segments = Sessions });

        Assert.That(File.ReadAllBytes(_folder["large"]).AsSpan().SequenceEqual(Large));
        Assert.That(ftp.Work.Any(c => c.Verb == "PASV"));
    }

    [Test]
    public async Task A_session_that_is_lost_meanwhile_costs_the_file_nothing()
    {
        await using var ftp = await StartAsync(FtpTestTls.None);
        ftp.Store.AddFile("/large", Large);
        ftp.Server.Faults.DropConnection("EPSV", skip: 1);

        var result = await ftp.Client.DownloadFileAsync("/large", _folder["large"], new() { Segments = Sessions });

        Assert.That(File.ReadAllBytes(_folder["large"]).AsSpan().SequenceEqual(Large));
        Assert.That(result.Bytes, Is.EqualTo(Large.Length));
    }

    [Test]
    public async Task An_upload_which_one_session_sends_opens_no_others()
    {
        await using var ftp = await StartAsync(FtpTestTls.None);
        await ftp.Client.UploadFileAsync(_folder.Add("large", Large), "/large");
        Assert.That(ftp.Store.ReadFile("/large").AsSpan().SequenceEqual(Large));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    [TestCase(FtpTestTls.None)]
    [TestCase(FtpTestTls.Explicit)]
    public async Task It_is_announced_with_the_log_in_before_what_the_server_is_asked(FtpTestTls tls)
    {
        await using var ftp = await StartAsync(tls, FtpHarness.Far with { BytesPerSecond = 5_000_000 });
        ftp.Store.AddFile("/large", Large);

        await ftp.Client.DownloadFileAsync("/large", _folder["large"], new() { Segments = Sessions });

        var sessions = ftp.Server.Commands.GroupBy(c => c.Connection).Where(session => session.Any(c => c.Verb == "RETR")).ToArray();
        Assert.That(sessions, Has.Length.InRange(2, Sessions), "a quick one may have moved a late one's part");
        foreach (var session in sessions)
        {
            var together = session.Where(c => c.Read == session.First(each => each.Verb == "PASS").Read).Select(c => c.Verb).ToArray();
            Assert.That(string.Join(' ', together), Does.Match("^USER PASS (PBSZ PROT )?OPTS TYPE EPSV( SYST FEAT PWD)?$"));
        }
    }

    [Test]
    public async Task A_server_that_answers_it_twice_is_asked_one_thing_at_a_time_and_the_file_arrives()
    {
        await using var ftp = await StartAsync(FtpTestTls.None);
        ftp.Store.AddFile("/large", Large);
        ftp.Server.Faults.ReplyTwice("EPSV");

        await ftp.Client.DownloadFileAsync("/large", _folder["large"], new() { Segments = Sessions });

        Assert.That(File.ReadAllBytes(_folder["large"]).AsSpan().SequenceEqual(Large));
        Assert.That(ftp.Server.Commands.Count(c => c.Verb == "FEAT"), Is.GreaterThan(1), "Another session had to ask again.");
    }

    [Test]
    public async Task What_was_opened_with_a_log_in_that_fails_is_closed_again()
    {
        await using var ftp = await StartAsync(FtpTestTls.None);
        ftp.Server.Faults.DropConnection("PWD");
        var local = _folder.Add("file", [1, 2, 3]);

        Assert.That(async () => await ftp.Client.UploadFileAsync(local, "/file"), Throws.InstanceOf<TransferConnectionException>());
        await ftp.Client.UploadFileAsync(local, "/file");

        Assert.That(ftp.Store.ReadFile("/file"), Is.EqualTo(new byte[] { 1, 2, 3 }));
    }

    [TestCase("/in/file", true, "MKD STOR")]
    [TestCase("/new/file", true, "MKD STOR")]
    [TestCase("/new/deep/file", true, "MKD STOR MKD MKD MKD STOR")]
    [TestCase("/file", true, "STOR")]
    [TestCase("/in/file", false, "STOR")]
    public async Task A_files_folder_is_made_on_the_way(string path, bool createsDirectories, string verbs)
    {
        await using var ftp = await StartAsync(FtpTestTls.None);
        ftp.Store.AddDirectory("/in");

        var result = await ftp.Client.UploadFileAsync(_folder.Add("file", Large[..10_000]), path,
            new() { CreateDirectories = createsDirectories });

        Same.Bytes(ftp.Store.ReadFile(path), Large.AsSpan(..10_000));
        Assert.That(string.Join(' ', ftp.Work.Select(c => c.Verb).Where(verb => verb is "MKD" or "STOR")), Is.EqualTo(verbs));
        Assert.That(result.Attempts, Is.EqualTo(1));
        Assert.That(ftp.Store.Files, Has.Count.EqualTo(1));
    }

    [Test]
    public async Task Where_a_files_folder_cannot_be_made_that_is_the_error()
    {
        await using var ftp = await StartAsync(FtpTestTls.None);
        ftp.Server.Faults.Reply("MKD", "550 no", times: 99);

        Assert.That(async () => await ftp.Client.UploadFileAsync(_folder.Add("file", [1]), "/new/file", new() { CreateDirectories = true }),
            Throws.InstanceOf<TransferException>().With.Property(nameof(TransferException.RemotePath)).EqualTo(
                "/new").And.Message.StartsWith("MKD"));
    }

    [Test]
    public async Task On_a_short_link_none_is_opened()
    {
        // By a clock that stands still: on a busy machine opening takes as long as on a long one.
        await using var ftp =
            await FtpHarness.StartAsync(options: FtpHarness.Options with { MaxSessions = Sessions, TimeProvider = new ManualTime() });
        ftp.Store.AddFile("/small", [1, 2, 3]);
        await ftp.Client.DownloadFileAsync("/small", _folder["small"]);
        Assert.That(ftp.Work[0].Verb, Is.Not.EqualTo("EPSV"));
    }

    private static Task<FtpHarness> StartAsync(FtpTestTls tls, LinkOptions? link = null) => FtpHarness.StartAsync(
        new FtpTestServerOptions { Tls = tls, Link = link ?? FtpHarness.Far }, FtpHarness.OptionsFor(tls) with { MaxSessions = Sessions });

    // Small files, each of which arrives as it was.
    private async Task MoveFolderAsync(FtpHarness ftp, WorkKind kind, int files, int sessions)
    {
        for (var i = 0; i < files; i++)
        {
            if (kind == WorkKind.Upload) _folder.Add($"f{i}", [(byte)i]);
            else ftp.Store.AddFile($"/in/f{i}", [(byte)i]);
        }

        var result = kind == WorkKind.Upload
            ? await ftp.Client.UploadDirectoryAsync(_folder.Path, "/in", new() { Sessions = sessions })
            : await ftp.Client.DownloadDirectoryAsync("/in", _folder.Path, new() { Sessions = sessions });

        Assert.That((result.Files, result.Failed), Is.EqualTo((files, 0)));
        for (var i = 0; i < files; i++)
        {
            Assert.That(kind == WorkKind.Upload ? ftp.Store.ReadFile($"/in/f{i}") : File.ReadAllBytes(_folder[$"f{i}"]),
                Is.EqualTo(new[] { (byte)i }));
        }
    }

    // What is opened ahead is the transfer's own; only a last one may find that others have taken the rest. One session may find that in
    // the middle: on a machine with much to do the files are planned more slowly than they go.
    private static void AssertOneEach(FtpHarness ftp)
    {
        var sessions = ftp.Work.GroupBy(c => c.Connection).ToArray();
        var unused = sessions.Select(
            session => session.Count(c => c.Verb == "EPSV") - session.Count(c => c.Verb is "RETR" or "STOR" or "MLSD" or "LIST")).ToArray();
        var heard = string.Join('\n', sessions.Select(session => string.Join(' ', session)));
        Assert.That(unused, Has.All.InRange(0, 2), heard);
        Assert.That(unused.Sum(), Is.LessThanOrEqualTo(sessions.Length + 1), heard);
    }
}
