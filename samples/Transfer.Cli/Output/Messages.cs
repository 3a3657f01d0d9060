namespace Transfer.Cli.Output;

/// <summary>What is said on standard error, a line at a time and from any thread. Data never goes here.</summary>
internal sealed class Messages(TextWriter error) : IDisposable
{
    private readonly Lock _gate = new();
    private readonly HashSet<string> _warned = new(StringComparer.Ordinal);
    private readonly SemaphoreSlim _terminal = new(1);
    private Action<string>? _above;
    private readonly List<string> _warnings = [];
    private int _questions;

    /// <summary>Receives warnings (<c>warning</c>) and errors (<c>error</c>) for the log of the run; null: there is none.</summary>
    public Action<string, string>? Record { get; set; }

    /// <summary>The warnings so far, the first thousand.</summary>
    public IReadOnlyList<string> Warnings
    {
        get
        {
            lock (_gate) return [.. _warnings];
        }
    }

    /// <summary>Leaves out everything but warnings and errors.</summary>
    public bool Quiet { get; set; }

    /// <summary>Somebody has a question, for which a live display makes room.</summary>
    public bool HasQuestion => Volatile.Read(ref _questions) > 0;

    /// <summary>Asks something at the terminal while nothing else is shown there.</summary>
    public async Task<string> AskAsync(Func<string> question, CancellationToken ct)
    {
        Interlocked.Increment(ref _questions);
        try
        {
            await _terminal.WaitAsync(ct);
            try
            {
                return question();
            }
            finally
            {
                _terminal.Release();
            }
        }
        finally
        {
            Interlocked.Decrement(ref _questions);
        }
    }

    /// <summary>
    /// Waits until no question is open and keeps others back until the result is disposed of; null when <paramref name="end"/> fires
    /// before.
    /// </summary>
    public async Task<IDisposable?> TakeTerminalAsync(CancellationToken end)
    {
        var taken = _terminal.WaitAsync(end);
        await ((Task)taken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return taken.IsCompletedSuccessfully ? new TerminalHold(_terminal) : null;
    }

    public void Dispose() => _terminal.Dispose();

    public void Error(string text)
    {
        Record?.Invoke("error", text);
        Unlogged(text);
    }

    /// <summary>An error that the log of the run has already, as an item, or can't have.</summary>
    public void Unlogged(string text) => Write("transfer: " + text);

    /// <summary>Said once a run, however often it comes up.</summary>
    public void Warning(string text)
    {
        lock (_gate)
        {
            if (!_warned.Add(text)) return;
            if (_warnings.Count < JobResult.MaxFailures) _warnings.Add(PrintableText.Of(text));
        }

        Record?.Invoke("warning", text);
        Unlogged("warning: " + text);
    }

    public void Info(string text)
    {
        if (!Quiet) Write(text);
    }

    /// <summary>While a live display is up, lines go above it.</summary>
    public void Redirect(Action<string>? above)
    {
        lock (_gate) _above = above;
    }

    /// <summary>One line, whatever is in the text: a name or a server's answer makes none of its own.</summary>
    public void Write(string text)
    {
        text = PrintableText.Of(text);
        lock (_gate)
        {
            if (_above is not null) _above(text);
            else error.WriteLine(text);
        }
    }
}
