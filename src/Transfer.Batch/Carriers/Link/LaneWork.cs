namespace Transfer.Batch.Carriers.Link;

/// <summary>The work of one lane. Thread-safe.</summary>
internal sealed class LaneWork(LaneBoard board, int number) : IDisposable
{
    private readonly Lock _gate = new();
    private long _archive;
    private long _bytes;
    private long _moved;
    private int _underWay;

    /// <summary>An archive begins.</summary>
    public void Begin(long archive)
    {
        lock (_gate) (_archive, _bytes, _underWay) = (archive, 0, _underWay + 1);
    }

    /// <summary>Bytes of the archive that began last have moved.</summary>
    public void Moved(int bytes)
    {
        lock (_gate) (_bytes, _moved) = (_bytes + bytes, _moved + bytes);
    }

    /// <summary>Archives are complete, or lost.</summary>
    public void End(int archives = 1)
    {
        lock (_gate) _underWay -= archives;
    }

    /// <summary>The work at this moment; null: none.</summary>
    public TransferLane? Describe()
    {
        lock (_gate)
        {
            if (_underWay == 0) return null;
            return new TransferLane
            {
                Number = number,
                Path = $"archive {_archive}",
                Bytes = _bytes,
                Files = _underWay,
                Moved = _moved,
            };
        }
    }

    public void Dispose() => board.Remove(this);
}
