using System.Security.Authentication;
using Transfer.Sessions;
using Transfer.Testing;

namespace Transfer.FluentFtp.Tests;

/// <summary>Files over FluentFTP: the engine's promises hold, whatever the server does.</summary>
[TestFixture(FtpTestTls.None)]
[TestFixture(FtpTestTls.Explicit)]
[TestFixture(FtpTestTls.Implicit)]
public sealed class FileTests(FtpTestTls tls) : EmbeddedFixture
{
    private FtpTestServerOptions Options => new()
    {
        Tls = tls,
        RequireTls = tls != FtpTestTls.None,
        RequireTlsSessionReuse = tls != FtpTestTls.None,
        SslProtocols = SslProtocols.Tls12,
    };

    [Test]
    public async Task A_file_goes_up_and_comes_down_with_its_time()
    {
        var client = await StartAsync(Options);
        var sent = await client.UploadFileAsync(LocalFile("a.bin"), "a.bin");
        var got = await client.DownloadFileAsync("a.bin", Path.Combine(Scratch, "b.bin"));

        Assert.That((sent.Bytes, sent.Verified), Is.EqualTo((100_000L, VerificationMode.Size)));
        Assert.That((got.Bytes, got.Verified), Is.EqualTo((100_000L, VerificationMode.Size)));
        Assert.That(Store.ReadFile("/a.bin"), Is.EqualTo(Content(100_000)));
        Assert.That(File.ReadAllBytes(Path.Combine(Scratch, "b.bin")), Is.EqualTo(Content(100_000)));
        var time = new DateTimeOffset(2024, 2, 29, 23, 59, 58, TimeSpan.Zero);
        Assert.That((await client.GetEntryAsync("a.bin"))!.Modified, Is.EqualTo(time));
        Assert.That(File.GetLastWriteTimeUtc(Path.Combine(Scratch, "b.bin")), Is.EqualTo(new DateTime(2024, 2, 29, 23, 59, 58)));
    }

    [Test]
    public async Task A_file_is_replaced_by_a_rename_and_nothing_is_deleted()
    {
        var client = await StartAsync(Options);
        Store.AddFile("/a.bin", "old"u8);
        await client.UploadFileAsync(LocalFile("a.bin"), "a.bin", new UploadOptions { Overwrite = OverwriteMode.Always });

        Assert.That(Store.ReadFile("/a.bin"), Has.Length.EqualTo(100_000));
        Assert.That(Commands("STOR").Single(), Does.StartWith("STOR /.transfer-"));
        Assert.That(Commands("RNTO"), Is.EqualTo(new[] { "RNTO /a.bin" }));
        Assert.That(Commands("DELE"), Is.Empty);
    }

    [Test]
    public async Task A_refused_rename_keeps_the_old_file_and_leaves_nothing_else()
    {
        var client = await StartAsync(Options);
        Store.AddFile("/a.bin", "old"u8);
        Server.Faults.Reply("RNTO", "550 no", times: int.MaxValue);
        var error = await Assert.ThrowsAsync<TransferException>(() =>
            client.UploadFileAsync(LocalFile("a.bin"), "a.bin", new UploadOptions { Overwrite = OverwriteMode.Always }));

        Assert.That(error!.ServerCode, Is.EqualTo(550));
        Assert.That(Store.ReadFile("/a.bin"), Is.EqualTo("old"u8.ToArray()));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/a.bin" }));
    }

    [Test]
    public async Task A_server_that_renames_onto_no_file_has_the_old_one_moved_aside_meanwhile()
    {
        var client = await StartAsync(Options);
        Store.AddFile("/a.bin", "old"u8);
        Server.Faults.Reply("RNTO", "550 exists");
        await client.UploadFileAsync(LocalFile("a.bin"), "a.bin", new UploadOptions { Overwrite = OverwriteMode.Always });

        Assert.That(Store.ReadFile("/a.bin"), Has.Length.EqualTo(100_000));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/a.bin" }));
    }

    [Test]
    public async Task A_replaced_file_keeps_its_permissions()
    {
        var client = await StartAsync(Options);
        Store.AddFile("/a.bin", "old"u8);
        await client.SetMetadataAsync("a.bin", new FileMetadata { Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite });
        await client.UploadFileAsync(LocalFile("a.bin"), "a.bin", new UploadOptions { Overwrite = OverwriteMode.Always });
        Assert.That((await client.GetEntryAsync("a.bin"))!.Mode, Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task An_upload_whose_data_connection_is_cut_is_sent_again(bool reset)
    {
        var client = await StartAsync(Options);
        Server.Faults.CutData(30_000, "STOR", reset);
        var result = await client.UploadFileAsync(LocalFile("a.bin"), "a.bin");

        Assert.That(result.Attempts, Is.EqualTo(2));
        Assert.That(Store.ReadFile("/a.bin"), Is.EqualTo(Content(100_000)));
        Assert.That(Store.Files, Has.Count.EqualTo(1));
    }

    [Test]
    public async Task An_upload_that_is_cut_each_time_fails_and_the_old_file_stays()
    {
        var client = await StartAsync(Options);
        Store.AddFile("/a.bin", "old"u8);
        Server.Faults.CutData(30_000, "STOR", times: int.MaxValue);
        await Assert.CatchAsync<TransferException>(() =>
            client.UploadFileAsync(LocalFile("a.bin"), "a.bin", new UploadOptions { Overwrite = OverwriteMode.Always }));

        Assert.That(Store.ReadFile("/a.bin"), Is.EqualTo("old"u8.ToArray()));
        Assert.That(Store.Files, Has.Count.EqualTo(1));
    }

    [Test]
    public async Task An_upload_of_which_the_server_loses_bytes_is_no_success()
    {
        var client = await StartAsync(Options);
        Server.Faults.LoseData(30_000, "STOR", times: int.MaxValue);
        var error = await Assert.CatchAsync<TransferException>(() => client.UploadFileAsync(LocalFile("a.bin"), "a.bin"));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(Store.Files, Is.Empty);
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_download_whose_data_connection_is_cut_goes_on_where_it_was(bool reset)
    {
        var client = await StartAsync(Options);
        Store.AddFile("/a.bin", Content(24_000_000));
        // A reset drops what lies in both systems' buffers, some megabytes; a download goes on from 4 MiB on.
        Server.Faults.CutData(20_000_000, "RETR", reset);
        var target = Path.Combine(Scratch, "a.bin");
        await client.DownloadFileAsync("a.bin", target, new DownloadOptions { Resume = true, Journal = Path.Combine(Scratch, "journal") });

        Assert.That(File.ReadAllBytes(target).AsSpan().SequenceEqual(Content(24_000_000)));
        Assert.That(Commands("REST").Select(command => command != "REST 0"), Is.Not.Empty.And.All.True);
    }

    [Test]
    public async Task A_download_that_ends_early_with_a_226_is_no_success()
    {
        var client = await StartAsync(Options);
        Store.AddFile("/a.bin", Content(100_000));
        Server.Faults.LoseData(30_000, "RETR", times: int.MaxValue);
        await Assert.CatchAsync<TransferException>(() => client.DownloadFileAsync("a.bin", Path.Combine(Scratch, "a.bin")));
        Assert.That(File.Exists(Path.Combine(Scratch, "a.bin")), Is.False);
    }

    [Test]
    public async Task A_stream_is_read_from_the_offset_that_is_sought()
    {
        var client = await StartAsync(Options);
        Store.AddFile("/a.bin", Content(3_000_000));
        await using var stream = await client.OpenReadAsync("a.bin");
        stream.Seek(2_500_000, SeekOrigin.Begin);
        var part = new byte[1000];
        await stream.ReadExactlyAsync(part);
        Assert.That(part, Is.EqualTo(Content(3_000_000)[2_500_000..2_501_000]));
    }

    [Test]
    public async Task A_final_reply_that_never_comes_is_a_time_out_and_the_upload_counts_once_another_session_has_seen_it()
    {
        var client = await StartAsync(Options, configure: fluent => fluent.Config.ReadTimeout = 500);
        Server.Faults.OmitFinalReply("STOR");
        await client.UploadFileAsync(LocalFile("a.bin"), "a.bin");
        Assert.That(Store.ReadFile("/a.bin"), Is.EqualTo(Content(100_000)));
        Assert.That(Store.Files, Has.Count.EqualTo(1));
    }

    [Test]
    public async Task A_server_that_takes_no_more_bytes_is_a_time_out()
    {
        var impatient = new TransferClientOptions { MaxSessions = 1, IdleTimeout = TimeSpan.FromMilliseconds(500) };
        var client = await StartAsync(Options, impatient);
        Server.Faults.StallData(30_000, "STOR", times: int.MaxValue);
        var error = await Assert.CatchAsync<TransferException>(() => client.UploadFileAsync(LocalFile("a.bin", 30_000_000), "a.bin"));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task Another_certificate_is_refused()
    {
        if (tls == FtpTestTls.None) Assert.Pass("There is none.");
        var client = await StartAsync(Options, configure: fluent => fluent.ValidateCertificate += (_, e) => e.Accept = false);
        var error = await Assert.CatchAsync<TransferException>(() => client.PingAsync().AsTask());
        Assert.That(error!.Error, Is.EqualTo(TransferError.Tls));
    }
}
