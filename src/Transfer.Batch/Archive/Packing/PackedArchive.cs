using Transfer.Batch.Archive.Format;
using Transfer.Batch.Carriers;

namespace Transfer.Batch.Archive.Packing;

/// <summary>An archive of a folder.</summary>
internal sealed class PackedArchive : OutgoingArchive
{
    private readonly FolderArchives _owner;
    private readonly List<PackedWriting> _writings = [];
    private long _moved;
    private int _begun;

    public PackedArchive(FolderArchives owner, ArchivePlan plan, long index)
    {
        _owner = owner;
        Plan = plan;
        Index = index;
    }

    public override long Index { get; }

    public ArchivePlan Plan { get; }

    public override ReadOnlyMemory<byte> Digest
    {
        get { lock (_writings) return _writings.Count == 0 ? default : _writings[^1].Digest; }
    }

    public override async ValueTask WriteToAsync(Stream destination, CancellationToken ct)
    {
        _owner.Begin();
        try
        {
            using var memory = await _owner.TakeMemoryAsync(ct).ConfigureAwait(false);
            _owner.CountBytes(-_moved);
            _moved = 0;
            var writer = _owner.CreateWriter(this, destination, isAgain: _begun++ > 0);
            await using var writerEnd = writer.ConfigureAwait(false);
            var packer = _owner.CreatePacker(writer);
            await packer.PackAsync(Plan, ct).ConfigureAwait(false);
            _owner.CountBytes(_moved = packer.Bytes);
            lock (_writings) _writings.Add(PackedWriting.Of(Plan, writer.Digest));
        }
        finally
        {
            _owner.EndWriting(this);
        }
    }

    /// <summary>Writes the archive as a part of a plain tar stream. The receipt has no digest.</summary>
    public async ValueTask WritePlainAsync(PayloadWriter payload, MetFolders folders, CancellationToken ct)
    {
        _owner.Begin();
        try
        {
            var packer = _owner.CreatePacker(payload);
            await packer.PackEntriesAsync(Plan, folders, ct).ConfigureAwait(false);
            _owner.CountBytes(_moved = packer.Bytes);
            lock (_writings) _writings.Add(PackedWriting.Of(Plan, []));
        }
        finally
        {
            _owner.EndWriting(this);
        }
    }

    public override void Confirm(ArchiveReceipt receipt)
    {
        // Also the digest of an earlier writing, which arrived although the lane was lost: the receiver has the items in the state of that
        // writing.
        PackedWriting? writing;
        lock (_writings) writing = _writings.Find(one => receipt.Digest.Span.SequenceEqual(one.Digest));
        if (writing is not null)
        {
            _owner.Settle(this, writing, receipt);
        }
        else
        {
            Fail(
                new TransferException(
                    TransferError.Integrity, $"The receiver confirms archive {Index} with other bytes than it was sent."));
        }
    }

    public override void Fail(TransferException error) => _owner.Fail(this, error);
}
