using Transfer.Testing;
using Transfer.Tests.Ftp.Session;
using Transfer.Tests.Testing;

namespace Transfer.Tests.Engine;

/// <summary>Contents that are longer than their length: nothing is cut and counted as whole, in any protocol.</summary>
[TestFixture("ftp")]
[TestFixture("ftpes")]
[TestFixture("sftp")]
[TestFixture("file")]
public sealed class AnnouncedLengthTests(string scheme)
{
    private TempFolder _local = null!;
    private IAsyncDisposable? _server;
    private TransferClient _client = null!;

    [SetUp]
    public async Task Connect()
    {
        _local = new TempFolder();
        if (scheme == "file")
        {
            _client = new LocalTransferClient(new Uri($"file://{_local.Path}/"));
        }
        else if (scheme == "sftp")
        {
            var sftp = await SftpServerHarness.StartAsync();
            (_server, _client) = (sftp, sftp.Client());
        }
        else
        {
            var tls = scheme == "ftp" ? FtpTestTls.None : FtpTestTls.Explicit;
            var ftp = await FtpHarness.StartAsync(new() { Tls = tls }, FtpHarness.OptionsFor(tls));
            (_server, _client) = (ftp, ftp.Client);
        }
    }

    [TearDown]
    public async Task Close()
    {
        await _client.DisposeAsync();
        if (_server is not null) await _server.DisposeAsync();
        _local.Dispose();
    }

    [TestCase(1)]
    [TestCase(12_345)]
    [TestCase(1 << 18)]
    [TestCase(1 << 19)]
    public async Task A_stream_that_is_longer_than_its_length_fails(int announced)
    {
        foreach (var more in new[] { 1, 300_000 })
        {
            using var stream = new OddStream(Samples.Bytes(announced + more), announced);
            var error = await _client.UploadAsync(stream, "f").Failure<TransferException>();
            Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
            Assert.That(error.Message, Does.Contain($"The stream announced {announced} bytes and has more."));
        }
        Assert.That(await _client.GetEntryAsync("f"), Is.Null);
    }

    [TestCase(0, 0)]
    [TestCase(0, 1)]
    [TestCase(0, 600_000)]
    [TestCase(-5, 600_000)]
    [TestCase(1, 1)]
    [TestCase(1 << 18, 1 << 18)]
    [TestCase(12_345, 12_345)]
    public async Task A_stream_without_a_length_and_an_honest_one_arrive_whole(int announced, int length)
    {
        var content = Samples.Bytes(length);
        using var stream = new OddStream(content, announced);
        var result = await _client.UploadAsync(stream, "f", new UploadOptions { Verify = VerificationMode.Hash }).Soon();
        Assert.That((result.Bytes, result.Verified), Is.EqualTo(((long)length, VerificationMode.Hash)));
        Assert.That((await _client.GetAsync("f")).AsSpan().SequenceEqual(content));
    }

    [Test]
    [Platform(Include = "Linux")]
    public async Task Files_without_a_length_arrive_whole([Values] VerificationMode verify)
    {
        const string folder = "/proc/sys/kernel/random";
        var content = await File.ReadAllBytesAsync(folder + "/boot_id");
        Assert.That((content.Length, new FileInfo(folder + "/boot_id").Length), Is.EqualTo((37, 0L)));
        await _client.UploadFileAsync(folder + "/boot_id", "one", new UploadOptions { Verify = verify }).Soon();
        Assert.That(await _client.GetAsync("one"), Is.EqualTo(content));
        var tree = await _client.UploadDirectoryAsync(folder, "tree",
            new DirectoryOptions { Verify = verify, Filter = new TransferFilter { Include = ["boot_id"] } }).Soon();
        Assert.That((tree.Files, tree.Failed), Is.EqualTo((1L, 0L)));
        Assert.That(await _client.GetAsync("tree/boot_id"), Is.EqualTo(content));
        await using var source = new LocalTransferClient(new Uri("file:///proc/"));
        await source.CopyFileAsync("sys/kernel/random/boot_id", _client, "copy", new UploadOptions { Verify = verify }).Soon();
        Assert.That(await _client.GetAsync("copy"), Is.EqualTo(content));
        await source.DownloadFileAsync("sys/kernel/random/boot_id", _local["down"], new DownloadOptions { Verify = verify }).Soon();
        Assert.That(await File.ReadAllBytesAsync(_local["down"]), Is.EqualTo(content));
    }

    private sealed class OddStream(byte[] content, long length) : MemoryStream(content)
    {
        public override long Length => length;
    }
}
