using System.Diagnostics;
using Transfer.ServerTests.Servers;
using Transfer.Wan.Clients;

namespace Transfer.Wan.Runs;

/// <summary>What a client needs at the far end for one turn: there before its time is taken, and gone after it.</summary>
internal sealed class FarProcess : IAsyncDisposable
{
    private static readonly TimeSpan StartTime = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan EndTime = TimeSpan.FromSeconds(10);

    // A shell stays until its input ends: only then do we wait for the program, and its processor time can't be taken for the client's
    // (ChildUsage).
    private static readonly string[] Frame = ["sh", "-c", "\"$@\" </dev/null; status=$?; read -r end; exit $status", "sh"];

    private readonly Process _process;
    private readonly Task<string> _errors;
    private readonly MemoryWatch _memory;

    public FarProcess(ServerPlace place, bool isShutIn, ClientCommand command, string home)
    {
        var start = ClientProcess.Start(Frame, command, home, isShutIn);
        _process = place.Inside(() => Process.Start(start)!);
        _errors = _process.StandardError.ReadToEndAsync();
        _memory = new MemoryWatch(_process.Id, isShutIn ? 2 : 1);
    }

    /// <summary>The most memory that it had resident so far, in bytes; null: not known.</summary>
    public long? PeakBytes => _memory.Peak;

    /// <summary>The first line that it says: it is ready.</summary>
    /// <exception cref="InvalidOperationException">It has ended, or says nothing.</exception>
    public async Task<string> FirstLineAsync(CancellationToken ct)
    {
        using var late = CancellationTokenSource.CreateLinkedTokenSource(ct);
        late.CancelAfter(StartTime);
        try
        {
            if (await _process.StandardOutput.ReadLineAsync(late.Token) is { } line) return line;
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw new InvalidOperationException($"{_process.StartInfo.FileName} said nothing within {StartTime.TotalSeconds} s.");
        }

        throw new InvalidOperationException($"{_process.StartInfo.FileName} did not start: {(await _errors).Trim()}");
    }

    public async ValueTask DisposeAsync()
    {
        using var late = new CancellationTokenSource(EndTime);
        _process.StandardInput.Close();
        try
        {
            await _process.WaitForExitAsync(late.Token);
        }
        catch (OperationCanceledException)
        {
            // Its client failed, or was stopped.
            _process.Kill(entireProcessTree: true);
            await _process.WaitForExitAsync(CancellationToken.None);
        }

        await _memory.DisposeAsync();
        _process.Dispose();
    }
}
