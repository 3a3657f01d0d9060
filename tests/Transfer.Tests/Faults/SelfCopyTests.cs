using Transfer.Testing;
using Transfer.Tests.Ftp.Session;
using Transfer.Tests.Testing;

namespace Transfer.Tests.Faults;

/// <summary>
/// Copies of files onto themselves with <see cref="PublishMode.Direct"/>, which would empty each file before it is read: refused, by
/// whatever names the one folder is known to the two clients.
/// </summary>
[CancelAfter(60_000)]
public sealed class SelfCopyTests
{
    private static readonly byte[] Content = Samples.Bytes(3_000_000);

    private TempFolder _folder = null!;

    /// <summary>The two clients of the folder.</summary>
    public enum Ways
    {
        /// <summary>One client of an FTP server.</summary>
        OneFtp,

        /// <summary>One client of an SFTP server.</summary>
        OneSftp,

        /// <summary>Clients of two FTP servers.</summary>
        FtpFtp,

        /// <summary>Clients of two SFTP servers.</summary>
        SftpSftp,

        /// <summary>Clients of an SFTP and an FTP server.</summary>
        SftpFtp,

        /// <summary>Clients of this machine.</summary>
        FileFile,

        /// <summary>Clients of an FTP server and of this machine.</summary>
        FtpFile,
    }

    [SetUp]
    public void SetUp()
    {
        _folder = new TempFolder();
        _folder.Add("d/a", Content);
        _folder.Add("d/sub/b", Content);
    }

    [TearDown]
    public void TearDown() => _folder.Dispose();

    [Test]
    public async Task A_file_is_not_emptied([Values] Ways ways, [Values("d/a", "l/a")] string to, [Values] bool removes)
    {
        await using var ends = await StartAsync(ways, to);
        var options = new UploadOptions { Overwrite = OverwriteMode.Always, Publish = PublishMode.Direct, RemoveSource = removes };
        var error = await ends.From.CopyFileAsync("d/a", ends.To, to, options).Failure<TransferException>();
        Assert.That(error.Message, Does.Contain("its own source"));
        AssertWhole();
    }

    [Test]
    public async Task A_folder_is_not_emptied([Values] Ways ways, [Values("d", "l")] string to, [Values] bool synchronizes)
    {
        await using var ends = await StartAsync(ways, to);
        var options = new DirectoryOptions { Overwrite = OverwriteMode.Always, Publish = PublishMode.Direct };
        try
        {
            var sync = new SyncOptions { Publish = PublishMode.Direct, Compare = SyncComparison.Hash };
            var result = await (synchronizes
                ? ends.From.SynchronizeAsync("d", ends.To, to, sync) : ends.From.CopyDirectoryAsync("d", ends.To, to, options)).Soon();
            if (!synchronizes) Assert.That((result.Files, result.Failed), Is.EqualTo((0L, 2L)));
        }
        catch (TransferException e)
        {
            Assert.That(e.Message, Does.Contain("its own source"));
        }
        AssertWhole();
    }

    [Test]
    public async Task A_local_file_is_not_emptied([Values] bool up, [Values("d/a", "l/a")] string to)
    {
        await using var ends = await StartAsync(Ways.FileFile, to);
        Task job = up
            ? ends.From.UploadFileAsync(_folder[to], "d/a", new() { Overwrite = OverwriteMode.Always, Publish = PublishMode.Direct })
            : ends.From.DownloadFileAsync("d/a", _folder[to], new() { Overwrite = OverwriteMode.Always, Publish = PublishMode.Direct });
        Assert.That((await job.Failure<TransferException>()).Error, Is.EqualTo(TransferError.Unsupported));
        AssertWhole();
    }

    [Test]
    public async Task A_local_folder_is_not_emptied([Values] bool up, [Values("d", "l")] string to)
    {
        await using var ends = await StartAsync(Ways.FileFile, to);
        var options = new DirectoryOptions { Overwrite = OverwriteMode.Always, Publish = PublishMode.Direct };
        Task job = up
            ? ends.From.UploadDirectoryAsync(_folder[to], "d", options) : ends.From.DownloadDirectoryAsync("d", _folder[to], options);
        Assert.That((await job.Failure<TransferException>()).Error, Is.EqualTo(TransferError.Unsupported));
        AssertWhole();
    }

    [Test]
    public async Task A_served_folder_is_not_emptied_by_a_download()
    {
        await using var ends = await StartAsync(Ways.OneFtp, "");
        var options = new DownloadOptions { Overwrite = OverwriteMode.Always, Publish = PublishMode.Direct };
        Assert.That((await ends.From.DownloadFileAsync("d/a", _folder["d/a"], options).Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Unsupported));
        AssertWhole();
    }

    // No look at folders and names shows that: the bytes that do not come are missed.
    [Test]
    public async Task A_file_emptied_by_another_name_counts_as_failed([Values(Ways.FtpFtp, Ways.SftpSftp)] Ways ways)
    {
        await using var ends = await StartAsync(ways, "");
        await new DirectoryStore(_folder.Path).CreateHardLinkAsync("/d/a", "/d/other");
        var options = new UploadOptions { Overwrite = OverwriteMode.Always, Publish = PublishMode.Direct };
        var error = await ends.From.CopyFileAsync("d/a", ends.To, "d/other", options).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Integrity), error.ToString());
    }

    [Test]
    public async Task Two_folders_are_two([Values] Ways ways)
    {
        _folder.Add("t/a", Samples.Bytes(Content.Length, 5));
        await using var ends = await StartAsync(ways, "");
        var options = new DirectoryOptions { Overwrite = OverwriteMode.Always, Publish = PublishMode.Direct };
        var result = await ends.From.CopyDirectoryAsync("d", ends.To, "t", options).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((2L, 0L)));
        Same.Bytes(_folder.Read("t/a"), Content);
        AssertWhole("t/a", "t/sub/b");
    }

    private void AssertWhole(params string[] others)
    {
        Same.Bytes(_folder.Read("d/a"), Content);
        Same.Bytes(_folder.Read("d/sub/b"), Content);
        Assert.That(_folder.Files.Where(file => !file.StartsWith("l/", StringComparison.Ordinal)),
            Is.EquivalentTo((string[])["d/a", "d/sub/b", .. others]));
    }

    private async Task<Ends> StartAsync(Ways ways, string to)
    {
        if (to.Contains('l', StringComparison.Ordinal)) Directory.CreateSymbolicLink(_folder["l"], "d");
        var ends = new Ends();
        ends.From = ways switch
        {
            Ways.OneFtp or Ways.FtpFtp or Ways.FtpFile => await ends.FtpAsync(_folder.Path),
            Ways.FileFile => ends.Local(_folder.Path),
            _ => await ends.SftpAsync(_folder.Path),
        };
        ends.To = ways switch
        {
            Ways.OneFtp or Ways.OneSftp => ends.From,
            Ways.SftpSftp => await ends.SftpAsync(_folder.Path),
            Ways.FileFile or Ways.FtpFile => ends.Local(_folder.Path),
            _ => await ends.FtpAsync(_folder.Path),
        };
        return ends;
    }

    private sealed class Ends : IAsyncDisposable
    {
        private readonly Stack<IAsyncDisposable> _open = new();

        public TransferClient From { get; set; } = null!;

        public TransferClient To { get; set; } = null!;

        public async Task<TransferClient> FtpAsync(string root)
        {
            var server = Opened(await FtpTestServer.StartAsync(new() { Store = new DirectoryStore(root) }));
            return Opened(new Transfer.Ftp.FtpTransferClient(server.Uri, FtpHarness.Options with { MaxSessions = 2 }));
        }

        public async Task<TransferClient> SftpAsync(string root)
        {
            var server = Opened(await SftpServerHarness.StartAsync(new() { Store = new DirectoryStore(root) }));
            return Opened(server.Client(options => options with { MaxSessions = 2 }));
        }

        public TransferClient Local(string root) => Opened(Transfer.Tests.Local.LocalTransferClientTests.Open(root));

        public async ValueTask DisposeAsync()
        {
            while (_open.TryPop(out var open)) await open.DisposeAsync();
        }

        private T Opened<T>(T open)
            where T : IAsyncDisposable
        {
            _open.Push(open);
            return open;
        }
    }
}
