using System.Runtime.InteropServices;

namespace Transfer.Cli.Host;

/// <summary>Ctrl-C, being asked to end, and nobody reading our output any more: the first stops cleanly, the second at once.</summary>
internal sealed class Interruption : IDisposable
{
    private static readonly TimeSpan LongestWord = TimeSpan.FromSeconds(1);

    private readonly CancellationTokenSource _source = new();
    private readonly List<PosixSignalRegistration> _registrations = [];
    private readonly SignalCount _signals = new(TimeProvider.System);
    private CancellationTokenSource? _line;
    private volatile bool _outputIsClosed;

    public Interruption()
    {
        foreach (var signal in (PosixSignal[])[PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP])
            _registrations.Add(PosixSignalRegistration.Create(signal, Handle));
    }

    /// <summary>The reader of our output has gone.</summary>
    public bool OutputIsClosed => _outputIsClosed;

    public CancellationToken Token => _source.Token;

    /// <summary>Stops because nobody reads our output any more.</summary>
    public void CloseOutput()
    {
        _outputIsClosed = true;
        _ = _source.CancelAsync();
    }

    /// <summary>Begins a line of a shell: until the next one Ctrl-C cancels only that, and the second ends at once.</summary>
    public CancellationToken BeginLine()
    {
        // The one before is left to the collector: a signal may be about to cancel that.
        var line = new CancellationTokenSource();
        _signals.Reset();
        Volatile.Write(ref _line, line);
        return line.Token;
    }

    public void Dispose()
    {
        foreach (var registration in _registrations) registration.Dispose();
        _line?.Dispose();
        _source.Dispose();
    }

    // A terminal that takes nothing more must not keep the process.
    private static void End()
    {
        Task.Run(() => new MessageOutput(Console.Error).WriteLine(
            "transfer: ended at once: what was done is whole, and no more is lost than what was under way.")).Wait(LongestWord);
        Environment.Exit(ExitCode.Interrupted);
    }

    private void Handle(PosixSignalContext context)
    {
        context.Cancel = true;
        var count = _signals.Add(context.Signal);
        if (count == 0) return;
        if (count > 1) End();

        // Not on the signal's thread: what is cancelled runs on the canceller's, and a second signal must get through.
        _ = (context.Signal == PosixSignal.SIGINT && Volatile.Read(ref _line) is { } line ? line : _source).CancelAsync();
    }
}
