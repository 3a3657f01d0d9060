namespace Transfer.Batch.Archive.Tar;

/// <summary>The pax records about a slice of a file.</summary>
internal sealed class PaxSlice
{
    private long? _file;
    private long? _offset;
    private long? _total;

    /// <summary>The slice; null: the entry is none.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: a part of the slice is missing, or the values contradict
    /// each other.</exception>
    public TarSlice? Value
    {
        get
        {
            if (_file is null && _offset is null && _total is null) return null;
            return (_file, _offset, _total) is ({ } file, { } offset, { } total) && offset <= total && total <= PaxRecords.MostTotal
                ? new TarSlice(file, offset, total)
                : throw PaxValue.Malformed();
        }
    }

    /// <summary>Takes a record. False: the record is not about slices.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the record is malformed.</exception>
    public bool TryTake(string key, ReadOnlySpan<byte> value)
    {
        switch (key)
        {
            case TarFormat.SliceFileKey:
                _file = PaxValue.Number(value);
                return true;
            case TarFormat.SliceOffsetKey:
                _offset = PaxValue.Number(value);
                return true;
            case TarFormat.SliceTotalKey:
                _total = PaxValue.Number(value);
                return true;
            default:
                return false;
        }
    }
}
