using Transfer.Batch.Carriers;
using Transfer.Batch.Carriers.Link;

namespace Transfer.Tests.Batch.Direct;

/// <summary>The receiver's memory of archives that are safe.</summary>
public sealed class ReceiptsTests
{
    [TestCase(true)]
    [TestCase(false)]
    public void Receipts_are_bounded_by_the_texts_in_them(bool areFailures)
    {
        var dropped = new List<long>();
        var receipts = new Receipts(dropped.Add);
        // A megabyte each.
        for (var i = 0; i < 200; i++) receipts.Add(i, Receipt(i));
        Assert.That(200 - dropped.Count, Is.InRange(30, 64));
        Assert.That(dropped, Is.EqualTo(Enumerable.Range(0, dropped.Count)), "the oldest");
        Assert.That(receipts.Find(199), Is.Not.Null);
        receipts.Forget(200);
        Assert.That(dropped, Has.Count.EqualTo(200));

        ArchiveReceipt Receipt(long index) => areFailures
            ? new(index, default, 0, [new ArchiveFailure(new string('p', 4000), TransferError.Denied, new string('m', 1 << 19))])
            : new(index, default, 0, []) { Skipped = [.. Enumerable.Repeat(new string('s', 4096), 128)] };
    }
}
