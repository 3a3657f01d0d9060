using System.Security.Cryptography;
using System.Text;
using Transfer.Ftp;
using Transfer.Ftp.Protocol;
using Transfer.Ftp.Session;
using Transfer.Sessions;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Ways of transfer and what is asked of a server beside content.</summary>
public sealed class FeatureTests
{
    private static readonly byte[] Content = FtpHarness.Content(120_000, seed: 4);

    [TestCase("EPSV")]
    [TestCase("MLST MLSD")]
    [TestCase("SIZE")]
    [TestCase("MFMT")]
    [TestCase("FEAT")]
    [TestCase("EPSV MLST MLSD SIZE MFMT FEAT MDTM")]
    public async Task Servers_without_an_extension_are_served_without_it(string missing)
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { DisabledCommands = missing.Split(' ').ToHashSet() });
        await RoundTripAsync(ftp);
    }

    [TestCase("500 no")]
    [TestCase("522 no")]
    [TestCase("229 yes, but where?")]
    public async Task An_EPSV_that_is_announced_and_does_not_work_gives_way_to_PASV(string reply)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Server.Faults.Reply("EPSV", reply, times: 999);
        await RoundTripAsync(ftp);
        Assert.That(ftp.Work.Select(c => c.Verb), Does.Contain("PASV"));
    }

    [Test]
    public async Task A_listing_falls_back_to_PASV_too()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/a", Content);
        ftp.Server.Faults.Reply("EPSV", "500 no", times: 999);
        Assert.That(await ftp.Client.ListAsync("/d").CountAsync(), Is.EqualTo(1));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task In_active_mode_the_server_connects(bool older)
    {
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { DisabledCommands = older ? new HashSet<string> { "EPRT" } : [] },
            FtpHarness.Options with { DataMode = FtpDataMode.Active });
        await RoundTripAsync(ftp);
        Assert.That(ftp.Work.Select(c => c.Verb), Does.Contain(older ? "PORT" : "EPRT").And.Not.Contain("EPSV"));
    }

    [Test]
    public async Task Compressed_files_arrive_as_they_were()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { Deflate = true });
        await RoundTripAsync(ftp, smallest: 1);
        Assert.That(ftp.Work.Select(c => c.Text), Does.Contain("MODE Z"));
    }

    [Test]
    public async Task Servers_that_want_PRET_get_it()
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { RequirePret = true });
        await RoundTripAsync(ftp);
    }

    [TestCase(FtpPipelining.Off)]
    [TestCase(FtpPipelining.Batched)]
    public async Task A_refusal_of_PRET_is_the_reason_and_not_that_of_PASV_behind_it(FtpPipelining pipelining)
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { RequirePret = true },
            FtpHarness.Options with { Pipelining = pipelining });
        ftp.Store.AddFile("/f", [1]);
        ftp.Server.Faults.Reply("PRET", "553 no slave is online", times: 99);
        var error = await FtpHarness.FailsAsync(() => ftp.GetAsync("/f"));
        Assert.That((error.Error, error.ServerCode), Is.EqualTo((TransferError.Denied, 553)));
        Assert.That(error.Message, Does.Contain("no slave is online"));
    }

    [TestCase("drftpd welcomes you", ExpectedResult = true)]
    [TestCase("---------- Welcome to Pure-FTPd [privsep] [TLS] ----------", ExpectedResult = false)]
    public bool One_that_takes_PRET_for_the_sake_of_clients_does_not_get_it(string greeting) =>
        new FtpServerProfile(new FtpReply(220, [greeting]),
            FtpFeatureSet.Parse(new FtpReply(211, ["Extensions supported:", " EPSV", " PRET", "End"])), "/",
            new FtpReply(215, ["UNIX"])).WantsPret;

    [Test]
    public async Task Text_has_CR_LF_at_the_server_and_the_systems_line_ends_here()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { TransferType = FtpTransferType.Ascii });
        var text = Encoding.UTF8.GetBytes(string.Join(Environment.NewLine, Enumerable.Range(0, 9000)) + Environment.NewLine);
        await ftp.PutAsync("/t", text);
        Assert.That(await ftp.GetAsync("/t"), Is.EqualTo(text));
        Assert.That(ftp.Work.Select(c => c.Verb), Does.Not.Contain("SIZE"));
    }

    [Test]
    public async Task Names_travel_in_the_fallback_encoding_and_one_it_lacks_fails_alone()
    {
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { Utf8 = false, NameEncoding = Encoding.Latin1 },
            FtpHarness.Options with { FallbackEncoding = Encoding.Latin1 });
        using var folder = new TempFolder();
        foreach (var name in (string[])["grün", "plain", "日本"]) folder.Add(name, [1]);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/in");
        Assert.That((result.Files, result.Failed), Is.EqualTo((2L, 1L)));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/in/grün", "/in/plain" }));
        Assert.That(await ftp.Client.ListAsync("/in").Select(entry => entry.Name).ToListAsync(),
            Is.EquivalentTo(new[] { "grün", "plain" }));
    }

    [TestCase("/a\r\nDELE /keep")]
    [TestCase("/a\nx")]
    [TestCase("/a\0x")]
    public async Task Line_ends_in_paths_never_reach_the_server(string path)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/keep", Content);
        await ftp.Client.ConnectAsync();
        Func<Task>[] calls =
        [
            () => ftp.PutAsync(path, Content), () => ftp.GetAsync(path), () => ftp.Client.DeleteAsync(path).AsTask(),
            () => ftp.Client.MoveAsync("/keep", path).AsTask(), () => ftp.Client.CreateDirectoryAsync(path).AsTask(),
            () => ftp.Client.GetEntryAsync(path).AsTask(), () => ftp.Client.ListAsync(path).CountAsync().AsTask(),
        ];
        foreach (var call in calls)
            await Assert.CatchAsync<Exception>(call);
        Assert.That(ftp.Work, Is.Empty);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/keep" }));
    }

    [Test]
    public async Task Moves_replace_only_when_told()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/a", "a"u8);
        ftp.Store.AddFile("/b", "b"u8);
        Assert.That((await FtpHarness.FailsAsync(() => ftp.Client.MoveAsync("/a", "/b").AsTask())).Error, Is.EqualTo(TransferError.Exists));
        Assert.That(ftp.Store.ReadFile("/b"), Is.EqualTo("b"u8.ToArray()));
        await ftp.Client.MoveAsync("/a", "/b", overwrite: true);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/b" }));
        Assert.That(ftp.Store.ReadFile("/b"), Is.EqualTo("a"u8.ToArray()));
        Assert.That((await FtpHarness.FailsAsync(() => ftp.Client.MoveAsync("/none", "/c").AsTask())).Error,
            Is.EqualTo(TransferError.NotFound));
    }

    [Test]
    public async Task A_tree_is_deleted_whole()
    {
        await using var ftp = await FtpHarness.StartAsync();
        for (var i = 0; i < 300; i++) ftp.Store.AddFile($"/t/{i % 7}/{i % 3}/f{i}", [1]);
        ftp.Store.AddFile("/other", [1]);
        Assert.That(await ftp.Client.DeleteAsync("/t", recursive: true), Is.True);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/other" }));
        Assert.That(await ftp.Client.DeleteAsync("/t", recursive: true), Is.False);
    }

    [Test]
    public async Task Times_permissions_hashes_and_space()
    {
        await using var ftp =
            await FtpHarness.StartAsync(new FtpTestServerOptions { Store = new Transfer.Testing.MemoryStore(capacity: 1_000_000) });
        ftp.Store.AddFile("/a", Content);
        var time = new DateTimeOffset(2020, 2, 29, 12, 34, 56, TimeSpan.Zero);
        await ftp.Client.SetMetadataAsync("/a", new FileMetadata { Modified = time, Mode = UnixFileMode.UserRead });
        var entry = await ftp.Client.GetEntryAsync("/a");
        Assert.That((entry!.Modified, (await ftp.Store.GetAsync("/a"))!.Mode), Is.EqualTo((time, UnixFileMode.UserRead)));
        Assert.That(await ftp.Client.GetHashAsync("/a", "SHA-256"), Is.EqualTo(Convert.ToHexStringLower(SHA256.HashData(Content))));
        Assert.That(await ftp.Client.GetHashAsync("/a", "none"), Is.Null);
        Assert.That((await ftp.Client.GetSpaceAsync("/"))?.Available, Is.EqualTo(ftp.Store.FreeBytes));
    }

    [Test]
    public async Task Hashes_come_by_the_older_commands_too()
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { DisabledCommands = new HashSet<string> { "HASH" } });
        ftp.Store.AddFile("/a", Content);
        Assert.That(await ftp.Client.GetHashAsync("/a", "SHA-256"), Is.EqualTo(Convert.ToHexStringLower(SHA256.HashData(Content))));
        Assert.That(ftp.Work.Select(c => c.Verb), Does.Contain("XSHA256"));
    }

    [Test]
    public async Task A_session_the_server_ended_while_idle_is_replaced()
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { IdleTimeout = TimeSpan.FromMilliseconds(150) });
        await ftp.PutAsync("/a", Content);
        await Eventually.IsAsync(() => ftp.Server.CurrentConnections, 0);
        Same.Bytes(await ftp.GetAsync("/a"), Content);
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(2));
    }

    private static async Task RoundTripAsync(FtpHarness ftp, int smallest = 0)
    {
        using var up = new TempFolder();
        using var down = new TempFolder();
        for (var i = 0; i < 10; i++) up.Add($"f{i}", FtpHarness.Content(smallest + (3000 * i), i));
        var sent = await ftp.Client.UploadDirectoryAsync(up.Path, "/in");
        Assert.That((sent.Files, sent.Failed), Is.EqualTo((10L, 0L)),
            string.Join('\n', sent.Failures.Take(3).Select(f => f.Error?.Message)));
        var fetched = await ftp.Client.DownloadDirectoryAsync("/in", down.Path);
        Assert.That((fetched.Files, fetched.Failed), Is.EqualTo((10L, 0L)),
            string.Join('\n', fetched.Failures.Take(3).Select(f => f.Error?.Message)));
        foreach (var file in up.Files) Same.Bytes(down.Read(file), up.Read(file), file);
        Assert.That(ftp.Store.Files, Has.Count.EqualTo(10));
    }
}
