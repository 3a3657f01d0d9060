using Transfer.Watching;

namespace Transfer.Tests.Sync;

/// <summary>The sum of a watch's rounds.</summary>
public sealed class WatchTotalsTests
{
    [Test]
    public void A_round_that_was_stopped_counts_the_items_that_had_ended()
    {
        var totals = new WatchTotals(null, null);
        totals.Report(new ItemResult { Path = "sent", Result = new TransferResult { Bytes = 3 } });
        totals.Report(new ItemResult { Path = "there", Result = new TransferResult { Bytes = 9, Skipped = true } });
        totals.Report(new ItemResult { Path = "gone", Action = ItemAction.Delete });
        totals.AddBroken();
        totals.Report(new ItemResult { Path = "later", Result = new TransferResult { Bytes = 4 } });
        totals.Add(new JobResult { Files = 1, Bytes = 4, Unchanged = 1 }, _ => false);

        var result = totals.Result(TimeSpan.FromSeconds(1));

        Assert.That((result.Files, result.Bytes, result.Deleted, result.Unchanged), Is.EqualTo((2L, 7L, 1L, 1L)));
    }
}
