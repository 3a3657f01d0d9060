using Transfer.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Verification by hash: by the server's HASH, by an older command, or by reading back.</summary>
public sealed class HashVerificationTests
{
    private static readonly byte[] Content = FtpHarness.Content(300_000);

    [TestCase("", "HASH", 0, "SHA-256")]
    [TestCase("HASH", "XSHA256", 0, "SHA-256")]
    [TestCase("HASH XSHA256 XSHA512 XSHA1 XSHA", "XMD5", 0, "MD5")]
    [TestCase("HASH XSHA256 XSHA512 XSHA1 XSHA XMD5 MD5", null, 1, "SHA-256")]
    public async Task The_best_that_the_server_has_is_used_and_told(string disabled, string? command, int readBacks, string algorithm)
    {
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { DisabledCommands = disabled.Split(' ', StringSplitOptions.RemoveEmptyEntries).ToHashSet() });
        var result = await ftp.PutAsync("/a", Content, new UploadOptions { Verify = VerificationMode.Hash });
        Assert.That((result.Verified, result.HashAlgorithm, result.HashSource),
            Is.EqualTo((VerificationMode.Hash, algorithm, command is null ? HashSource.ReadBack : HashSource.Server)));
        Same.Bytes(ftp.Store.ReadFile("/a"), Content);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/a" }));
        Assert.That(ftp.Work.Count(c => c.Verb == "RETR"), Is.EqualTo(readBacks));
        if (command is not null) Assert.That(ftp.Work.Count(c => c.Verb == command), Is.EqualTo(1));

        using var target = new MemoryStream();
        Assert.That((await ftp.Client.DownloadAsync("/a", target, new() { Verify = VerificationMode.Hash })).Verified,
            Is.EqualTo(VerificationMode.Hash));
        Same.Bytes(target.ToArray(), Content);
        Assert.That(ftp.Work.Count(c => c.Verb == "RETR"), Is.EqualTo(2 * readBacks + 1));
    }

    [Test]
    public async Task Content_that_was_damaged_on_its_way_is_found_and_not_published([Values] bool upload, [Values] bool readBack)
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions
        {
            DisabledCommands = readBack ? new HashSet<string> { "HASH", "XSHA256", "XSHA512", "XSHA1", "XSHA", "XMD5", "MD5" } : [],
        });
        ftp.Store.AddFile("/a", Content);
        ftp.Server.Faults.CorruptData(70_000, upload ? "STOR" : "RETR");
        using var folder = new TempFolder();
        var error = await FtpHarness.FailsAsync(() => upload
            ? ftp.PutAsync("/b", Content, new UploadOptions { Verify = VerificationMode.Hash })
            : ftp.Client.DownloadFileAsync("/a", Path.Combine(folder.Path, "a"), new() { Verify = VerificationMode.Hash }));
        Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/a" }));
        Assert.That(folder.Files, Is.Empty);
    }

    [Test]
    public async Task What_cannot_be_read_back_for_the_moment_is_read_again_and_not_sent_again()
    {
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions
            { DisabledCommands = new HashSet<string> { "HASH", "XSHA256", "XSHA512", "XSHA1", "XSHA", "XMD5", "MD5" } });
        ftp.Server.Faults.RefuseData("RETR");
        var result = await ftp.PutAsync("/a", Content, new UploadOptions { Verify = VerificationMode.Hash });
        Assert.That((result.Attempts, result.Verified), Is.EqualTo((1, VerificationMode.Hash)));
        Assert.That((ftp.Work.Count(c => c.Verb == "STOR"), ftp.Work.Count(c => c.Verb == "RETR")), Is.EqualTo((1, 2)));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/a" }));
    }

    [Test]
    public async Task A_hash_that_the_server_refuses_is_no_reason_to_do_without()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Server.Faults.Reply("HASH", "550 no", times: 99);
        await FtpHarness.FailsAsync(() => ftp.PutAsync("/a", Content, new UploadOptions { Verify = VerificationMode.Hash }));
        Assert.That(ftp.Store.Files, Is.Empty);
    }

    [Test]
    public async Task Content_that_is_converted_on_its_way_is_refused([Values] bool upload)
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { TransferType = FtpTransferType.Ascii });
        ftp.Store.AddFile("/a", Content);
        var error = await FtpHarness.FailsAsync(() => upload
            ? ftp.PutAsync("/b", Content, new UploadOptions { Verify = VerificationMode.Hash })
            : ftp.Client.DownloadAsync("/a", new MemoryStream(), new() { Verify = VerificationMode.Hash }));
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/a" }));
    }
}
