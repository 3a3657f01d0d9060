using Transfer.Diagnostics;

namespace Transfer.Pooling;

/// <summary>
/// Remembers traits of a server that a provider has found, for clients of other processes: for a week, in
/// <see cref="TransferClientOptions.LimitsFile"/>. Traits are hints: read and write errors are logged, and nothing fails. Thread-safe.
/// </summary>
public sealed class ServerMemory
{
    private readonly LimitsFile _file;
    private readonly Lazy<string> _key;
    private readonly TimeProvider _time;
    private readonly BackgroundWrites _writes = new();

    private ServerMemory(LimitsFile file, Lazy<string> key, TimeProvider time)
    {
        _file = file;
        _key = key;
        _time = time;
    }

    /// <summary>Returns the memory of the server of an endpoint, for all users; null: the options name no file.</summary>
    public static ServerMemory? Of(Uri endpoint, TransferClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        ArgumentNullException.ThrowIfNull(options);
        if (options.LimitsFile is not { } path) return null;
        var logger = PrintableLogger.Create(options.LoggerFactory, "Transfer.Sessions");
        return new ServerMemory(new LimitsFile(LocalPath.Full(path), options.TimeProvider, logger),
            new(() => LimitsFile.KeyOf(endpoint, null)), options.TimeProvider);
    }

    /// <summary>Completes when all traits remembered so far are written.</summary>
    public Task Written => _writes.Done;

    /// <summary>Reads the remembered traits; null: none.</summary>
    public string? Recall() => _file.IsThere ? _file.FindTraits(_key.Value) : null;

    /// <summary>Writes traits, in the background.</summary>
    /// <param name="traits">
    /// A lower-case letter, then at most 199 of <c>a</c> to <c>z</c>, <c>0</c> to <c>9</c>, comma and equals sign.
    /// </param>
    public void Remember(string traits)
    {
        if (!RememberedTraits.IsText(traits)) throw new ArgumentException("These are no traits that can be written.", nameof(traits));
        var remembered = new RememberedTraits(traits, _time.GetUtcNow());
        _writes.Add(() => _file.Remember(_key.Value, remembered));
    }
}
