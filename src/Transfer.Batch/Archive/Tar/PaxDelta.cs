using Transfer.Batch.Archive.Delta;

namespace Transfer.Batch.Archive.Tar;

/// <summary>The pax records about the delta of a file.</summary>
internal sealed class PaxDelta
{
    private long? _base;
    private long? _block;
    private long? _length;
    private byte[]? _hash;
    private byte[]? _baseHash;

    /// <summary>The delta; null: the entry is none.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: a part of the delta is missing, or the values contradict
    /// each other.</exception>
    public TarDelta? Value
    {
        get
        {
            if (_base is null && _block is null && _length is null && _hash is null && _baseHash is null) return null;
            return (_base, _block, _length, _hash) is ({ } length, { } block, { } total, { } hash)
                && block <= BlockShape.MostBlock && new BlockShape(length, (int)block, BlockShape.LeastStrong).IsValid
                && total <= PaxRecords.MostTotal
                    ? new TarDelta(length, (int)block, total, hash, _baseHash)
                    : throw PaxValue.Malformed();
        }
    }

    /// <summary>Takes a record. False: the record is not about deltas.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the record is malformed.</exception>
    public bool TryTake(string key, ReadOnlySpan<byte> value)
    {
        switch (key)
        {
            case TarFormat.DeltaBaseKey:
                _base = PaxValue.Number(value);
                return true;
            case TarFormat.DeltaBlockKey:
                _block = PaxValue.Number(value);
                return true;
            case TarFormat.DeltaLengthKey:
                _length = PaxValue.Number(value);
                return true;
            case TarFormat.DeltaHashKey:
                _hash = PaxValue.Hash(value);
                return true;
            case TarFormat.DeltaBaseHashKey:
                _baseHash = PaxValue.Hash(value);
                return true;
            default:
                return false;
        }
    }
}
