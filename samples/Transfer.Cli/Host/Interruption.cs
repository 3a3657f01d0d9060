using System.Runtime.InteropServices;

namespace Transfer.Cli.Host;

/// <summary>Ctrl-C, being asked to end, and nobody reading our output any more: the first stops cleanly, the second at once.</summary>
internal sealed class Interruption : IDisposable
{
    private static readonly TimeSpan LongestWord = TimeSpan.FromSeconds(1);

    private readonly CancellationTokenSource _source = new();
    private readonly List<PosixSignalRegistration> _registrations = [];
    private readonly SignalCount _signals = new(TimeProvider.System);
    private readonly Lock _gate = new();
    private Task _stopping = Task.CompletedTask;
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

    /// <summary>Ctrl-C's token for the line of a shell; none before the first line.</summary>
    public CancellationToken LineToken => Volatile.Read(ref _line)?.Token ?? CancellationToken.None;

    /// <summary>Stops because nobody reads our output any more.</summary>
    public void CloseOutput()
    {
        _outputIsClosed = true;
        Cancel(_source);
    }

    /// <summary>Stops the run because its terminal is gone.</summary>
    public void HangUp() => Cancel(_source);

    /// <summary>Stops as Ctrl-C does: the line of a shell, or the run.</summary>
    public void Stop() => Cancel(Volatile.Read(ref _line) ?? _source);

    /// <summary>Waits until a stop has reached all that waits for the token.</summary>
    public void WaitForStop()
    {
        Task stopping;
        lock (_gate) stopping = _stopping;
        stopping.Wait(LongestWord);
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

        if (context.Signal == PosixSignal.SIGINT) Stop();
        else Cancel(_source);
    }

    // Not on the signal's thread: what is cancelled runs on the canceller's, and a second signal must get through.
    private void Cancel(CancellationTokenSource source)
    {
        lock (_gate)
        {
            if (!source.IsCancellationRequested) _stopping = source.CancelAsync();
        }
    }
}
