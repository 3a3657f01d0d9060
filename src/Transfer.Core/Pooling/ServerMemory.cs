using Transfer.Diagnostics;

namespace Transfer.Pooling;

/// <summary>
/// Remembers in <see cref="TransferClientOptions.LimitsFile"/>, for a week, what a provider has found out about a server, for clients of
/// other processes. These are hints: what can't be read or written is logged, and nothing fails. Thread-safe.
/// </summary>
public sealed class ServerMemory
{
    private readonly LimitsFile _file;
    private readonly Lazy<string> _key;
    private readonly TimeProvider _time;
    private readonly Lock _gate = new();
    private Task _written = Task.CompletedTask;

    private ServerMemory(LimitsFile file, Lazy<string> key, TimeProvider time)
    {
        _file = file;
        _key = key;
        _time = time;
    }

    /// <summary>The memory of an endpoint's server, whoever its user is; null: the options name no file.</summary>
    public static ServerMemory? Of(Uri endpoint, TransferClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        ArgumentNullException.ThrowIfNull(options);
        if (options.LimitsFile is not { } path) return null;
        var logger = PrintableLogger.Create(options.LoggerFactory, "Transfer.Sessions");
        return new ServerMemory(new LimitsFile(LocalPath.Full(path), options.TimeProvider, logger),
            new(() => LimitsFile.KeyOf(endpoint, null)), options.TimeProvider);
    }

    /// <summary>Ends when everything that was learned so far is written.</summary>
    public Task Written
    {
        get
        {
            lock (_gate) return _written;
        }
    }

    /// <summary>Reads what is remembered; null: nothing.</summary>
    public string? Recall() => _file.IsThere ? _file.FindTraits(_key.Value) : null;

    /// <summary>Writes what was found out, beside the caller.</summary>
    /// <param name="traits">
    /// A lower-case letter, then at most 99 of <c>a</c> to <c>z</c>, <c>0</c> to <c>9</c>, comma and equals sign.
    /// </param>
    public void Remember(string traits)
    {
        if (!RememberedTraits.IsText(traits)) throw new ArgumentException("These are no traits that can be written.", nameof(traits));
        lock (_gate) _written = WriteAsync(_written, new RememberedTraits(traits, _time.GetUtcNow()));
    }

    private async Task WriteAsync(Task before, RememberedTraits traits)
    {
        await before.ConfigureAwait(false);
        await Task.Run(() => _file.Remember(_key.Value, traits)).ConfigureAwait(false);
    }
}
