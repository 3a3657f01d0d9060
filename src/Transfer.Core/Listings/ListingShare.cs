namespace Transfer.Listings;

/// <summary>The bytes of a <see cref="ListingBudget"/> that one directory, or a job, holds until disposal. Thread-safe.</summary>
internal sealed class ListingShare : IDisposable
{
    // Taken from the budget in one step: there may be a million entries.
    private const long Slice = 64 << 10;

    // An entry's fields and the header of the name's string.
    private const long Fixed = 72;

    private readonly Lock _gate = new();
    private readonly ListingBudget _budget;
    private readonly string _directory;
    private long _taken;
    private long _left;

    internal ListingShare(ListingBudget budget, string directory)
    {
        _budget = budget;
        _directory = directory;
    }

    /// <summary>The approximate number of bytes that an entry takes.</summary>
    public static long CostOf(string name, string? link = null) => Fixed + 2L * name.Length + (link is null ? 0 : 24 + 2L * link.Length);

    /// <summary>Takes an entry's bytes.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Partial"/>: there is no room left.</exception>
    public void Take(string name, string? link = null)
    {
        if (!TryTake(CostOf(name, link))) throw _budget.Exceeded(_directory);
    }

    /// <summary>Puts a whole entry into a list, and takes the entry's bytes.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Partial"/>: there is no room left.</exception>
    public void Keep(RemoteEntry entry, List<RemoteEntry> list)
    {
        Take(entry.Path, entry.Name);
        list.Add(entry);
    }

    /// <summary>Takes bytes; false: too few are left.</summary>
    public bool TryTake(long bytes)
    {
        lock (_gate)
        {
            if (_left < bytes)
            {
                var slice = Math.Max(Slice, bytes);
                // Near the end the last bytes count.
                if (!_budget.TryTake(slice) && !_budget.TryTake(slice = bytes)) return false;
                _taken += slice;
                _left += slice;
            }
            _left -= bytes;
            return true;
        }
    }

    /// <summary>Gives bytes back that <see cref="TryTake"/> took.</summary>
    public void Return(long bytes)
    {
        lock (_gate) _left += bytes;
    }

    /// <summary>The error of a listing that exceeds the budget.</summary>
    public TransferException Exceeded(string? directory = null) => _budget.Exceeded(directory ?? _directory);

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            _budget.Return(_taken);
            _taken = _left = 0;
        }
    }
}
