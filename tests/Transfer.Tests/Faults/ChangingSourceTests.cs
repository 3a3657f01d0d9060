using Transfer.Ftp;
using Transfer.Sessions;
using Transfer.Testing;
using Transfer.Tests.Ftp.Session;
using Transfer.Tests.Testing;
using Transfer.TestSupport.Ftp;

namespace Transfer.Tests.Faults;

/// <summary>Files that change at the server while one session reads them arrive in one state, or fail.</summary>
[CancelAfter(60_000)]
public sealed class ChangingSourceTests
{
    private const int Length = 3 << 20;
    private const int Half = Length / 2;

    private static readonly byte[] Old = Samples.Bytes(Length, 1);

    public enum Server
    {
        Ftp,
        Sftp,
    }

    [Test]
    public async Task A_file_that_is_rewritten_in_place_while_it_is_read_arrives_in_one_state([Values] Server kind,
        [Values(0, -1_000_000, 1_000_000)] int longer, [Values] bool stream)
    {
        var now = Samples.Bytes(Length + longer, 2);
        await using var source = await Source.StartAsync(kind, store => ChangingStore.RewriteAsync(store, "/f", now));
        using var folder = new TempFolder();
        var (bytes, result) = await GetAsync(source, folder, stream);
        Same.Bytes(bytes, now);
        Assert.That((result.Attempts, result.Verified, result.ResumedAt), Is.EqualTo((longer > 0 && kind == Server.Ftp ? 3 : 2,
            VerificationMode.Size, 0L)));
    }

    [Test]
    public async Task A_file_that_is_rewritten_during_the_last_attempt_fails_and_the_old_one_stays([Values] Server kind,
        [Values(0, -1_000_000, 1_000_000)] int longer)
    {
        var now = Samples.Bytes(Length + longer, 2);
        await using var source = await Source.StartAsync(kind, store => ChangingStore.RewriteAsync(store, "/f", now), attempts: 1);
        using var folder = new TempFolder();
        folder.Add("f", "before");
        var error = await FtpHarness.FailsAsync(() => source.Client.DownloadFileAsync("/f", folder["f"],
            new() { Overwrite = OverwriteMode.Always }));
        Assert.That((error.Error, File.ReadAllText(folder["f"])), Is.EqualTo((TransferError.Integrity, "before")));
        Assert.That(folder.Files, Is.EqualTo(new[] { "f" }));
    }

    [Test]
    public async Task A_stream_that_cannot_be_written_again_gets_an_error_behind_the_bytes_of_two_states([Values] Server kind,
        [Values(0, -1_000_000, 1_000_000)] int longer)
    {
        var now = Samples.Bytes(Length + longer, 2);
        await using var source = await Source.StartAsync(kind, store => ChangingStore.RewriteAsync(store, "/f", now));
        await using var sink = new Forward();
        var error = await FtpHarness.FailsAsync(() => source.Client.DownloadAsync("/f", sink));
        Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
    }

    [Test]
    public async Task A_copy_of_a_file_that_is_rewritten_meanwhile_has_one_state([Values] Server kind,
        [Values(0, -1_000_000, 1_000_000)] int longer)
    {
        var now = Samples.Bytes(Length + longer, 2);
        await using var source = await Source.StartAsync(kind, store => ChangingStore.RewriteAsync(store, "/f", now));
        await using var target = await FtpHarness.StartAsync();
        await source.Client.CopyFileAsync("/f", target.Client, "/g");
        Same.Bytes(target.Store.ReadFile("/g"), now);
        Assert.That(target.Store.Files, Is.EqualTo(new[] { "/g" }));
    }

    [Test]
    public async Task A_file_to_which_bytes_are_appended_meanwhile_is_fetched_once([Values] Server kind, [Values] bool stream)
    {
        byte[] more = [1, 2, 3];
        await using var source = await Source.StartAsync(kind, store => ChangingStore.AppendAsync(store, "/f", more));
        using var folder = new TempFolder();
        var (bytes, result) = await GetAsync(source, folder, stream);
        // Over SFTP the length at the OPEN counts.
        Same.Bytes(bytes, kind == Server.Ftp ? [.. Old, .. more] : Old);
        Assert.That((result.Attempts, result.ResumedAt), Is.EqualTo(kind == Server.Ftp ? (2, (long)Length) : (1, 0L)));
    }

    [Test]
    public async Task A_log_that_grows_goes_on_into_a_stream_that_is_written_once([Values] Server kind)
    {
        byte[] more = [1, 2, 3];
        await using var source = await Source.StartAsync(kind, store => ChangingStore.AppendAsync(store, "/f", more));
        await using var sink = new Forward();
        await source.Client.DownloadAsync("/f", sink);
        Same.Bytes(sink.Bytes.ToArray(), kind == Server.Ftp ? [.. Old, .. more] : Old);
    }

    [Test]
    public async Task A_file_that_grew_and_was_replaced_is_not_put_together_from_both([Values(2, 3)] int opening, [Values] bool stream)
    {
        var now = Samples.Bytes(Length + 500_000, 2);
        await using var source = await Source.StartAsync(Server.Ftp, store => ChangingStore.AppendAsync(store, "/f", new byte[1000]),
            (store, opened) =>
            {
                // Before the comparison of the seam, and between the comparison and the rest.
                if (opened == opening) store.AddFile("/f", now, Samples.Time);
            });
        using var folder = new TempFolder();
        var (bytes, result) = await GetAsync(source, folder, stream);
        Same.Bytes(bytes, now);
        Assert.That((result.Bytes, result.Attempts, result.ResumedAt), Is.EqualTo((now.Length, opening, 0)));
    }

    private static async Task<(byte[] Bytes, TransferResult Result)> GetAsync(Source source, TempFolder folder, bool stream)
    {
        if (stream)
        {
            using var sink = new MemoryStream();
            var result = await source.Client.DownloadAsync("/f", sink);
            return (sink.ToArray(), result);
        }
        var done = await source.Client.DownloadFileAsync("/f", folder["f"]);
        Assert.That(folder.Files, Is.EqualTo(new[] { "f" }));
        return (folder.Read("f"), done);
    }

    private sealed class Source(TransferClient client, IAsyncDisposable server) : IAsyncDisposable
    {
        public TransferClient Client => client;

        public static async Task<Source> StartAsync(Server kind, Func<MemoryStore, ValueTask> change,
            Action<MemoryStore, int>? opening = null, int attempts = 3)
        {
            var retry = Samples.SoonAgain with { Attempts = attempts };
            var store = new MemoryStore();
            store.AddFile("/f", Old, Samples.Time);
            var front = new ChangingStore(store, "/f", Half, change) { Opening = opened => opening?.Invoke(store, opened) };
            if (kind == Server.Sftp)
            {
                var sftp = await SftpServerHarness.StartAsync(new SftpTestServerOptions { Store = front });
                return new Source(sftp.Client(options => options with { Retry = retry }), sftp);
            }
            var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Store = store }, front: _ => front);
            return new Source(new FtpTransferClient(ftp.Server.Uri, FtpHarness.Options with { Retry = retry }), ftp);
        }

        public async ValueTask DisposeAsync()
        {
            await client.DisposeAsync();
            await server.DisposeAsync();
        }
    }

    /// <summary>A stream that is written once, in order.</summary>
    private sealed class Forward : SequentialStream
    {
        public MemoryStream Bytes { get; } = new();

        public override bool CanWrite => true;

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            await Bytes.WriteAsync(buffer, cancellationToken);

        public override void Flush()
        {
        }
    }
}
