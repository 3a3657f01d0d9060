using Transfer.Batch.Carriers;

namespace Transfer.Batch.Archive.Packing;

/// <summary>An archive of a folder.</summary>
internal sealed class PackedArchive : OutgoingArchive
{
    private readonly FolderArchives _owner;
    private readonly List<byte[]> _digests = [];
    private long _moved;
    private int _writings;

    public PackedArchive(FolderArchives owner, ArchivePlan plan, long index)
    {
        _owner = owner;
        Plan = plan;
        Index = index;
    }

    public override long Index { get; }

    public ArchivePlan Plan { get; }

    public override async ValueTask WriteToAsync(Stream destination, CancellationToken ct)
    {
        _owner.Begin();
        try
        {
            _owner.Moved(-_moved);
            _moved = 0;
            var writer = _owner.CreateWriter(this, destination, isAgain: _writings++ > 0);
            await using var writerEnd = writer.ConfigureAwait(false);
            var packer = _owner.CreatePacker(writer);
            await packer.PackAsync(Plan, ct).ConfigureAwait(false);
            _owner.Moved(_moved = packer.Bytes);
            lock (_digests) _digests.Add(writer.Digest);
        }
        finally
        {
            _owner.Written(this);
        }
    }

    public override void Confirm(ArchiveReceipt receipt)
    {
        // Also that of an earlier writing, which arrived although its lane was lost.
        bool known;
        lock (_digests) known = _digests.Exists(digest => receipt.Digest.Span.SequenceEqual(digest));
        if (known) _owner.Settle(this, receipt);
        else Fail(new TransferException(TransferError.Integrity, $"The receiver confirms archive {Index} with other bytes than it was sent."));
    }

    public override void Fail(TransferException error) => _owner.Fail(this, error);
}
