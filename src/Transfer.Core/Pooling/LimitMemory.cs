namespace Transfer.Pooling;

/// <summary>What one client is told of its server's limit by those before it, and tells those after it. Thread-safe.</summary>
/// <param name="file">Where.</param>
/// <param name="key">Whose: hashing loads OpenSSL, which takes longer than to connect, and mostly nothing is remembered.</param>
/// <param name="time">The clock.</param>
internal sealed class LimitMemory(LimitsFile file, Lazy<string> key, TimeProvider time)
{
    /// <summary>For so long a remembered limit is as good as one that was just found; it is not written again, and not tried.</summary>
    public static readonly TimeSpan FreshFor = TimeSpan.FromHours(1);

    private readonly Lock _gate = new();
    private RememberedLimit? _known;
    private Task _written = Task.CompletedTask;

    /// <summary>Ends when everything that was learned so far is written.</summary>
    public Task Written
    {
        get
        {
            lock (_gate) return _written;
        }
    }

    /// <summary>Reads what is remembered; null: nothing. Not fresh: the server may allow more by now.</summary>
    public (int Sessions, bool IsFresh)? Recall()
    {
        if (!file.IsThere || file.Find(key.Value) is not { } found) return null;
        lock (_gate) _known ??= found;
        return (found.Sessions, IsFresh(found, time.GetUtcNow()));
    }

    /// <summary>The server allows this many. Writes it, beside the caller, if it is news.</summary>
    public void Learn(int sessions)
    {
        lock (_gate)
        {
            var learned = new RememberedLimit(sessions, time.GetUtcNow());
            if (_known is { } known && known.Sessions == sessions && IsFresh(known, learned.Learned)) return;
            Write(learned);
        }
    }

    /// <summary>The server allows more than is remembered. How many, whoever comes next finds out as if nothing had been: it may have been refused for another reason.</summary>
    public void Forget()
    {
        lock (_gate)
        {
            if (_known is not null) Write(null);
        }
    }

    private static bool IsFresh(RememberedLimit limit, DateTimeOffset now) => now - limit.Learned < FreshFor;

    private void Write(RememberedLimit? limit)
    {
        _known = limit;
        _written = WriteAsync(_written, limit);
    }

    private async Task WriteAsync(Task before, RememberedLimit? limit)
    {
        await before.ConfigureAwait(false);
        // Openings that are refused together find the limit step by step: the last one counts.
        lock (_gate)
        {
            if (_known != limit) return;
        }
        await Task.Run(() => file.Remember(key.Value, limit)).ConfigureAwait(false);
    }
}
