using Transfer.Batch;

namespace Transfer.Tests.Batch.Spool;

/// <summary>The handles of senders and fetchers of a spool.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class SpoolJobTests : IDisposable
{
    private readonly SpoolHarness _spool = new();
    private readonly TaskCompletionSource _goOn = new();
    private readonly WatchedClient _client;

    public SpoolJobTests()
    {
        _spool.Fill(files: 30, large: 0);
        _client = new WatchedClient(_spool.Root) { OnCreate = _ => _goOn.Task };
    }

    public void Dispose()
    {
        _client.Dispose();
        _spool.Dispose();
    }

    [Test]
    public async Task A_paused_sender_stores_nothing_and_tells_of_all_items_when_it_has_gone_on()
    {
        await using var job = Send();
        job.Pause();
        _goOn.SetResult();
        await Eventually.TrueAsync(() => _spool.Jobs.Length > 0);
        await Task.Delay(50);
        Assert.That((job.Completion.IsCompleted, _client.Uploads.Count), Is.EqualTo((false, 0)), "its folder is made, and no file begins");
        job.Resume();
        var items = new Collected<ItemResult>();
        Assert.That((await job.TellAsync(items).Soon()).Files, Is.EqualTo(30));
        Assert.That(items.Values.Select(item => item.Path), Is.EquivalentTo(TempFolder.FilesIn(_spool.From)));

        await using var fetch = Fetcher().StartFetch(_spool.To("ann"), readItems: true);
        var fetched = new Collected<ItemResult>();
        Assert.That((await fetch.TellAsync(fetched).Soon()).Files, Is.EqualTo(30));
        Assert.That(fetched.Values, Has.Count.EqualTo(30));
        _spool.AssertSame("ann");
    }

    [Test]
    public async Task A_sender_that_is_stopped_before_it_has_stored_anything_ends_as_cancelled()
    {
        await using var job = Send();
        var stopping = job.StopAsync();
        _goOn.SetResult();
        await stopping.Soon();
        Assert.That(job.Completion.IsCanceled);
        Assert.That(_spool.Jobs.SelectMany(folder => Directory.GetFiles(folder, "*.tfa")), Is.Empty);
    }

    [Test]
    public async Task A_fetcher_that_waits_ends_when_it_is_stopped()
    {
        await using var job = Fetcher(wait: true).StartFetch(_spool.To("ann"));
        await job.StopAsync().Soon();
        Assert.That(job.Completion.IsCanceled);
    }

    private TransferJob Send() =>
        new SpoolSender(_client, "spool", _spool.SenderKey, _spool.SenderOptions with { Sessions = 1 }).StartSend(_spool.From,
            _spool.Recipients("ann"), readItems: true);

    private SpoolFetcher Fetcher(bool wait = false) =>
        new(_client, "spool", "ann", _spool.Key("ann"), _spool.FetcherOptions("ann") with { Wait = wait });
}
