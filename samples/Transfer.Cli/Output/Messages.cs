namespace Transfer.Cli.Output;

/// <summary>What is said on standard error, a line at a time and from any thread. Data never goes here.</summary>
internal sealed class Messages(TextWriter error)
{
    private readonly Lock _gate = new();
    private readonly HashSet<string> _warned = new(StringComparer.Ordinal);
    private Action<string>? _above;

    /// <summary>Leaves out everything but warnings and errors.</summary>
    public bool Quiet { get; set; }

    public void Error(string text) => Write("transfer: " + text);

    /// <summary>Said once a run, however often it comes up.</summary>
    public void Warning(string text)
    {
        lock (_gate)
            if (!_warned.Add(text)) return;
        Write("transfer: warning: " + text);
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

    public void Write(string text)
    {
        text = Printable.Lines(text);
        lock (_gate)
        {
            if (_above is not null) _above(text);
            else error.WriteLine(text);
        }
    }
}
