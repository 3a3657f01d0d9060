using System.Net;
using System.Net.Sockets;

namespace Transfer.Dialing;

/// <summary>
/// Connection attempts to several addresses of one host (RFC 8305 section 5): the next attempt starts a delay after the one before, or at
/// once after a failure; the first to connect wins, and the rest are cancelled and closed.
/// </summary>
internal sealed class AddressRace<T>
    where T : class, IDisposable
{
    private readonly Func<IPAddress, CancellationToken, ValueTask<T>> _connect;
    private readonly TimeSpan _delay;
    private readonly TimeProvider _time;
    private readonly List<(IPAddress Address, SocketException Error)> _failures = [];

    public AddressRace(Func<IPAddress, CancellationToken, ValueTask<T>> connect, TimeSpan delay, TimeProvider time)
    {
        _connect = connect;
        _delay = delay;
        _time = time;
    }

    /// <summary>The failures so far, in their order. Read them only after <see cref="RunAsync"/> has ended, in whichever way.</summary>
    public IReadOnlyList<(IPAddress Address, SocketException Error)> Failures => _failures;

    /// <summary>Runs the race. Null: every address failed. An error other than the network's ends the race at once.</summary>
    public async Task<T?> RunAsync(IReadOnlyList<IPAddress> addresses, CancellationToken ct)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var attempts = new List<(IPAddress Address, Task<T> Task)>();
        var pause = Task.CompletedTask;
        var next = 0;
        try
        {
            while (true)
            {
                ct.ThrowIfCancellationRequested();
                if (next < addresses.Count && pause.IsCompleted)
                {
                    var address = addresses[next++];
                    attempts.Add((address, AttemptAsync(address, stop.Token)));
                    pause = Task.Delay(_delay, _time, stop.Token);
                }
                if (attempts.Count == 0) return null;

                var events = attempts.Select(a => (Task)a.Task);
                if (next < addresses.Count) events = events.Append(pause);
                await Task.WhenAny(events).WaitAsync(ct).ConfigureAwait(false);

                // A failure is followed by the next address at once, without waiting for the pause.
                var (winner, failed) = await CollectAsync(attempts).ConfigureAwait(false);
                if (winner is not null) return winner;
                if (failed) pause = Task.CompletedTask;
            }
        }
        finally
        {
            await stop.CancelAsync().ConfigureAwait(false);
            foreach (var (_, task) in attempts) _ = DisposeLateAsync(task);
        }
    }

    private async Task<T> AttemptAsync(IPAddress address, CancellationToken ct) => await _connect(address, ct).ConfigureAwait(false);

    private async ValueTask<(T? Winner, bool Failed)> CollectAsync(List<(IPAddress Address, Task<T> Task)> attempts)
    {
        var failed = false;
        for (var i = 0; i < attempts.Count;)
        {
            var (address, task) = attempts[i];
            if (!task.IsCompleted)
            {
                i++;
                continue;
            }
            attempts.RemoveAt(i);
            try
            {
                return (await task.ConfigureAwait(false), failed);
            }
            catch (SocketException e)
            {
                _failures.Add((address, e));
                failed = true;
            }
        }
        return (null, failed);
    }

    // A loser may have connected in the moment of losing.
    private static async Task DisposeLateAsync(Task<T> loser)
    {
        await ((Task)loser).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (loser.IsCompletedSuccessfully) (await loser.ConfigureAwait(false)).Dispose();
    }
}
