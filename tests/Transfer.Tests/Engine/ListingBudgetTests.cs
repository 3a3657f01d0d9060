using Transfer.Listings;

namespace Transfer.Tests.Engine;

/// <summary>The memory of listings is bounded by bytes; what meets the limit is never taken for complete.</summary>
public sealed class ListingBudgetTests
{
    [Test]
    public void Shares_take_together_what_the_budget_has_and_give_it_back()
    {
        var budget = new ListingBudget(1 << 20);
        using var first = budget.Open("/a");
        var second = budget.Open("/b");
        Assert.That(first.TryTake(600 << 10), Is.True);
        Assert.That(second.TryTake(600 << 10), Is.False);
        Assert.That(second.TryTake(400 << 10), Is.True);
        second.Dispose();
        second.Dispose();
        Assert.That(first.TryTake(400 << 10), Is.True);
        first.Dispose();
        Assert.That(budget.Used, Is.Zero);
    }

    [Test]
    public void The_error_tells_the_limit_and_the_folder()
    {
        using var share = new ListingBudget(1000).Open("/d/e");
        var error = Assert.Throws<TransferException>(() =>
        {
            while (true) share.Take("a name");
        });
        Assert.That((error!.Error, error.RemotePath, error.IsTransient), Is.EqualTo((TransferError.Partial, "/d/e", false)));
        Assert.That(error.Message, Does.Contain("/d/e").And.Contain("1000 bytes").And.Contain("--max-listing"));
    }

    [Test]
    public void Entries_come_out_as_they_went_in([Values(0, 1, 16, 17, 1024, 1025, 5000)] int count)
    {
        using var share = new ListingBudget(long.MaxValue).Open("/");
        var list = new EntryList(share);
        for (var i = 0; i < count; i++) list.Add(new TreeEntry($"{i}", RemoteEntryType.File, i, 0));
        Assert.That(list.ToList().Select(entry => entry.RawLength), Is.EqualTo(Enumerable.Range(0, count)));
    }

    [Test]
    public async Task A_folder_whose_listing_meets_the_limit_fails_and_the_others_are_moved()
    {
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store, Small);
        store.AddFile("/d/small/a", [1]);
        for (var i = 0; i < 5000; i++) store.AddFile($"/d/large/{i:D5}", [1]);
        using var here = new TempFolder();
        for (var round = 0; round < 2; round++)
        {
            var result = await client.DownloadDirectoryAsync("/d", here[$"{round}"]);
            Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 1L)), "what the first job took is given back");
            Assert.That((result.Failures[0].Path, result.Failures[0].Error!.Error), Is.EqualTo(("large", TransferError.Partial)));
        }
    }

    [Test]
    public async Task A_synchronisation_deletes_nothing_where_a_listing_meets_the_limit()
    {
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store, Small);
        store.AddFile("/d/large/new", [1]);
        for (var i = 0; i < 5000; i++) store.AddFile($"/d/large/{i:D5}", [1]);
        using var here = new TempFolder();
        here.Add("large/old", [1]);
        var result = await client.SynchronizeAsync(here.Path, "/d", SyncDirection.Down, new SyncOptions { Delete = true });
        Assert.That((result.Deleted, result.Failed), Is.EqualTo((0L, 1L)));
        Assert.That(here.Files, Is.EqualTo(new[] { "large/old" }));
    }

    [Test]
    public async Task What_only_the_target_has_stays_where_it_finds_no_room()
    {
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store, Small with { MaxListingBytes = 300_000 });
        for (var folder = 0; folder < 10; folder++)
        {
            for (var i = 0; i < 1000; i++) store.AddFile($"/d/{folder}/{i:D5}", [1]);
        }
        using var here = new TempFolder();
        for (var folder = 0; folder < 10; folder++) here.Add($"{folder}/kept", [1]);
        var result = await client.SynchronizeAsync(here.Path, "/d", SyncDirection.Up, new SyncOptions { Delete = true });
        Assert.That(result.Failed, Is.GreaterThan(0));
        Assert.That(result.Failures.Select(failure => failure.Error!.Error), Is.All.EqualTo(TransferError.Partial));
    }

    [Test]
    public async Task A_deletion_of_a_folder_that_meets_the_limit_fails_and_can_be_repeated()
    {
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store, Small);
        for (var i = 0; i < 5000; i++) store.AddFile($"/d/{i:D5}", [1]);
        var error = await Assert.CatchAsync<TransferException>(async () => await client.DeleteAsync("/d", recursive: true));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Partial), error.Message);
        for (var i = 0; i < 10 && (store["/d"] is not null); i++)
        {
            try
            {
                await client.DeleteAsync("/d", recursive: true);
            }
            catch (TransferException e) when (e.Error == TransferError.Partial)
            {
                // It goes on where it ended.
            }
        }
        Assert.That((store["/d"] is not null), Is.False);
    }

    [Test]
    public async Task A_deletion_where_no_entry_finds_room_ends_and_says_so()
    {
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store, Small with { MaxListingBytes = 64 });
        store.AddFile($"/d/{new string('n', 200)}", [1]);
        var error = await client.DeleteAsync("/d", recursive: true).AsTask().Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Partial), error.Message);
    }

    [Test]
    public async Task What_an_application_takes_one_by_one_is_not_limited()
    {
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store, Small);
        for (var i = 0; i < 5000; i++) store.AddFile($"/d/{i:D5}", [1]);
        var count = 0;
        await foreach (var entry in client.ListAsync("/d"))
        {
            // Longer than it takes to read as much ahead as there is memory for.
            if (count++ == 0) await Task.Delay(TimeSpan.FromMilliseconds(300));
        }

        Assert.That(count, Is.EqualTo(5000));
    }

    private static TransferClientOptions Small { get; } = new() { MaxListingBytes = 200_000 };
}
