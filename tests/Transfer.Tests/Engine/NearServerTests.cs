using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>
/// Sessions that take long to open: over a long link more of them are opened at once, from a slow server nearby they are not.
/// </summary>
public sealed class NearServerTests
{
    private const int Most = 4;

    [TestCase(1, 1)]
    [TestCase(4.9, 1)]
    [TestCase(5, Most)]
    [TestCase(null, Most)]
    public async Task What_takes_long_without_long_round_trips_is_not_done_more_often_for_one_file(double? milliseconds, int sessions)
    {
        using var folder = new TempFolder();
        using (var file = File.Create(folder["file"])) file.SetLength(64 << 20);
        var time = new ManualTime();
        TimeSpan? trip = milliseconds is { } known ? TimeSpan.FromMilliseconds(known) : null;
        await using var client = new SlowClient(new MemoryStore(), time, trip);

        var upload = client.UploadFileAsync(folder["file"], "/file");
        await Eventually.TrueAsync(() => client.Asked == 1, "the first session");
        time.Advance(TimeSpan.FromMilliseconds(100));
        await Eventually.TrueAsync(() => client.Asked >= sessions, "all sessions");
        client.Go.SetResult();
        await upload.WaitAsync(Eventually.Hang);

        Assert.That(client.Asked, Is.EqualTo(sessions));
    }

    [TestCase(3, 1)]
    [TestCase(64 << 20, Most)]
    public async Task For_one_file_of_the_server_no_session_is_opened_beside_the_first_before_the_length_is_known(int length, int sessions)
    {
        var (store, time) = (new MemoryStore(), new ManualTime());
        store.AddFile("/file", new byte[length]);
        using var folder = new TempFolder();
        await using var client = new SlowClient(store, time, null);

        var download = client.DownloadFileAsync("/file", folder["file"]);
        await Eventually.TrueAsync(() => client.Asked == 1, "the first session");
        time.Advance(TimeSpan.FromMilliseconds(100));
        Assert.That(client.Asked, Is.EqualTo(1));
        client.Go.SetResult();
        await download.WaitAsync(Eventually.Hang);

        Assert.That(new FileInfo(folder["file"]).Length, Is.EqualTo(length));
        Assert.That(client.Asked, Is.EqualTo(sessions));
    }

    private sealed class SlowClient(MemoryStore store, TimeProvider time, TimeSpan? roundTrip)
        : TransferClient(new Uri("memory://host/"), new TransferClientOptions { MaxSessions = Most, TimeProvider = time })
    {
        private int _asked;

        public int Asked => Volatile.Read(ref _asked);

        public TaskCompletionSource Go { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        protected override async ValueTask<TransferSession> OpenSessionAsync(CancellationToken ct)
        {
            if (roundTrip is { } known) LearnRoundTrip(known);
            Interlocked.Increment(ref _asked);
            await Go.Task.WaitAsync(ct);
            return new MemorySession(store);
        }
    }
}
