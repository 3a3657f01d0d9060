using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>A session whose transfer waits for the local end owes nobody progress.</summary>
[Category(Categories.Slow)]
public sealed class PauseTests
{
    private static readonly byte[] Content = FtpHarness.Content(3_000_000);

    // More than twice the idle time-out of these sessions.
    private static readonly TimeSpan Long = TimeSpan.FromSeconds(1);

    [Test]
    public async Task Paused_for_longer_than_the_idle_time_out_a_transfer_goes_on_where_it_stood([Values] bool upload)
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Impatient);
        ftp.Store.AddFile("/a", Content);
        using var stream = new PausingStream(upload ? Content : []);
        await using var transfer = upload ? ftp.Client.StartUpload(stream, "/b") : ftp.Client.StartDownload("/a", stream);
        stream.Job.SetResult(transfer);
        await Eventually.TrueAsync(() => transfer.IsPaused);
        await Task.Delay(Long);
        Assert.That(transfer.Completion.IsCompleted, Is.False);
        transfer.Resume();
        Assert.That((await transfer.Completion.WaitAsync(TimeSpan.FromSeconds(50))).Retries, Is.Zero);
        Same.Bytes(upload ? await ftp.GetAsync("/b") : stream.ToArray(), Content);
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    [Test]
    public async Task A_reader_that_takes_its_time_loses_nothing()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Impatient);
        ftp.Store.AddFile("/a", FtpHarness.Content(20_000_000));
        await using var stream = await ftp.Client.OpenReadAsync("/a");
        await Task.Delay(Long);
        using var copy = new MemoryStream();
        await stream.CopyToAsync(copy);
        Assert.That(copy.Length, Is.EqualTo(20_000_000));
    }

    // More entries than the client reads ahead, and more bytes than the system takes for it: the server is still at its listing.
    [TestCase("MLSD")]
    [TestCase("LIST")]
    public async Task A_listing_whose_reader_takes_its_time_loses_nothing(string command)
    {
        var server = new FtpTestServerOptions { DisabledCommands = command == "LIST" ? new HashSet<string> { "MLSD", "MLST" } : [] };
        // The server needs a while for so many entries.
        await using var ftp = await FtpHarness.StartAsync(server, FtpHarness.Options with { IdleTimeout = Long });
        const int Count = 40_000;
        var name = new string('x', 200);
        for (var i = 0; i < Count; i++) ftp.Store.AddFile($"/d/{name}{i}", []);
        var entries = 0;
        await foreach (var entry in ftp.Client.ListAsync("/d"))
        {
            if (entries++ == 0) await Task.Delay(3 * Long);
        }
        Assert.That(entries, Is.EqualTo(Count));
    }
}
