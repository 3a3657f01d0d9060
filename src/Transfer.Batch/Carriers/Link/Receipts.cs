namespace Transfer.Batch.Carriers.Link;

/// <summary>The archives of a job that are safe or refused at the receiver, in bounded memory. Not thread-safe.</summary>
internal sealed class Receipts
{
    // The memory for receipts that may be requested again, in bytes. Each names files, with a message of any length.
    private const long MostRemembered = 64 << 20;
    private const int OfReceipt = 128;
    private const int OfFailure = 128;
    private const int OfSkipped = 32;

    // The most refused archives on record; of further ones only the number that the sender gave up is known.
    private const int MostRefused = 1000;

    private readonly Action<long> _onDrop;
    private readonly Dictionary<long, ArchiveReceipt> _receipts = [];
    private readonly Dictionary<long, TransferException> _refused = []; // and not received since
    private long _remembered;
    private long _forgotten; // receipts below were dropped

    /// <param name="onDrop">Receives the number of each archive that will not arrive again.</param>
    public Receipts(Action<long> onDrop) => _onDrop = onDrop;

    /// <summary>The receipt of an archive that is safe; null: none is remembered.</summary>
    public ArchiveReceipt? Find(long index) => _receipts.GetValueOrDefault(index);

    /// <summary>Whether the sender has settled the archive.</summary>
    public bool IsForgotten(long index) => index < _forgotten;

    // The number comes from the sender: the loops may not cost more than there are receipts.
    /// <summary>Drops the receipts of archives that the sender has settled.</summary>
    public void Forget(long below)
    {
        if (below - _forgotten > _receipts.Count)
        {
            foreach (var index in _receipts.Keys.Where(index => index < below).ToList()) Drop(index);
        }
        else
        {
            for (var index = _forgotten; index < below; index++) Drop(index);
        }
        _forgotten = Math.Max(_forgotten, below);
    }

    // An honest sender settles archives. The oldest receipts are dropped; those archives, if sent again, are treated as by a restarted
    // receiver.
    /// <summary>Adds the receipt of an archive that is safe.</summary>
    public void Add(long index, ArchiveReceipt receipt)
    {
        _refused.Remove(index);
        _receipts[index] = receipt;
        _remembered += WeightOf(receipt);
        while (_remembered > MostRemembered && _receipts.Count > 1) Drop(_receipts.Keys.Min());
    }

    /// <summary>Adds an archive that was refused.</summary>
    public void Refuse(long index, TransferException error)
    {
        if (_refused.Count < MostRefused || _refused.ContainsKey(index)) _refused[index] = error;
    }

    /// <summary>The archives that never became safe.</summary>
    /// <param name="givenUp">The number of archives that the sender gave up.</param>
    public List<LostArchive> Lost(long givenUp)
    {
        if (givenUp == 0) return [];
        List<LostArchive> lost = [.. _refused.OrderBy(pair => pair.Key).Select(pair => new LostArchive(pair.Key, pair.Value))];
        var others = givenUp - lost.Count;
        if (others > 0)
        {
            lost.Add(
                new LostArchive(null,
                    new TransferException(TransferError.Lost, $"The sender gave up {others} archives that had not come.")));
        }

        return lost;
    }

    // The bytes in memory, roughly.
    private static long WeightOf(ArchiveReceipt receipt)
    {
        long weight = OfReceipt;
        foreach (var failure in receipt.Failures)
            weight += OfFailure + sizeof(char) * ((long)failure.Path.Length + failure.Message.Length);
        foreach (var path in receipt.Skipped) weight += OfSkipped + sizeof(char) * (long)path.Length;
        return weight;
    }

    private void Drop(long index)
    {
        if (!_receipts.Remove(index, out var receipt)) return;
        _remembered -= WeightOf(receipt);
        _onDrop(index);
    }
}
