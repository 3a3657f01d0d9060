using Transfer.Batch.Carriers.Spool.Records;

namespace Transfer.Batch.Carriers.Spool.Fetching;

/// <summary>
/// Detects that no sender knows the recipient's name. A spool may have jobs of other recipients only for a while, so these prove nothing as
/// soon as one job was for this one. Thread-safe: heads are read at the same time.
/// </summary>
internal sealed class RecipientTrial(SpoolState state, SpoolStore store, string name, SpoolFetcherOptions options)
{
    // Enough to recognise a name that was mistyped.
    private const int MostNames = 10;

    private readonly SortedSet<string> _others = new(StringComparer.Ordinal);
    private bool _isKnown;
    private bool _isRecorded;

    /// <summary>Takes a job that is, or was, for the recipient.</summary>
    public void Own() => Volatile.Write(ref _isKnown, true);

    /// <summary>Takes a job whose head opens here, and that is for other recipients.</summary>
    public void Other(SpoolHead head)
    {
        lock (_others)
        {
            foreach (var other in head.To)
                if (_others.Count < MostNames) _others.Add(other.Name);
        }
    }

    /// <summary>Ends a look, in which all heads in the store were tried.</summary>
    /// <param name="recipient">The recipient, with the key's name in the state.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask LookedAsync(string recipient, CancellationToken ct)
    {
        bool hasOthers;
        lock (_others) hasOthers = _others.Count > 0;
        if (_isRecorded || !hasOthers && !Volatile.Read(ref _isKnown)) return;
        var known = await state.ChangeAsync($"recipient {recipient} in {store.Name}", before => Volatile.Read(ref _isKnown) ? 1 : before,
            options.TimeProvider, ct).ConfigureAwait(false);
        _isRecorded = known != 0;
        if (_isRecorded) Own();
    }

    /// <summary>Ends the trial with the fetch; a waiting fetcher goes on, since the first job may come yet.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.NotFound"/>: all jobs are for other recipients, and there never was one
    /// for this one.</exception>
    public void ThrowIfUnknown()
    {
        lock (_others)
        {
            if (_others.Count == 0 || Volatile.Read(ref _isKnown) || options.Wait) return;
            throw new TransferException(TransferError.NotFound,
                $"No job in {store.Name} is for {name}, now or before: there are jobs for {string.Join(", ", _others)}. The name must be "
                + "the one that the sender uses.");
        }
    }
}
