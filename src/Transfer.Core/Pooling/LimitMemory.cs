namespace Transfer.Pooling;

/// <summary>One client's view of its server's remembered limit, shared with earlier and later clients. Thread-safe.</summary>
/// <param name="file">The file of limits.</param>
/// <param name="key">
/// The server and user. Lazy: hashing loads OpenSSL, which takes longer than to connect, and mostly nothing is remembered.
/// </param>
/// <param name="time">The clock.</param>
internal sealed class LimitMemory(LimitsFile file, Lazy<string> key, TimeProvider time)
{
    /// <summary>The age up to which a remembered limit is as good as a new one: not written again, and not tried.</summary>
    public static readonly TimeSpan FreshFor = TimeSpan.FromHours(1);

    private readonly Lock _gate = new();
    private readonly BackgroundWrites _writes = new();
    private RememberedLimit? _known;

    /// <summary>Completes when all limits learned so far are written.</summary>
    public Task Written => _writes.Done;

    /// <summary>Reads the remembered limit; null: none. Not fresh: the server may allow more by now.</summary>
    public (int Sessions, bool IsFresh)? Recall()
    {
        if (!file.IsThere || file.Find(key.Value) is not { } found) return null;
        lock (_gate) _known ??= found;
        return (found.Sessions, IsFresh(found, time.GetUtcNow()));
    }

    /// <summary>Writes the number of sessions that the server allows, in the background and only if new.</summary>
    public void Learn(int sessions)
    {
        lock (_gate)
        {
            var learned = new RememberedLimit(sessions, time.GetUtcNow());
            if (_known is { } known && known.Sessions == sessions && IsFresh(known, learned.Learned)) return;
            Write(learned);
        }
    }

    /// <summary>
    /// Forgets a limit that the server exceeds. The next client finds the new one from scratch: this one may have had another reason.
    /// </summary>
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
        _writes.Add(() =>
        {
            // Openings that are refused together find the limit step by step: the last one counts.
            lock (_gate)
            {
                if (_known != limit) return;
            }
            file.Remember(key.Value, limit);
        });
    }
}
