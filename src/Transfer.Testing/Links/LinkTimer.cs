using System.Diagnostics;

namespace Transfer.Testing.Links;

/// <summary>
/// A link's own timer. The framework's timers count the system's coarse ticks, 4 ms on common Linux kernels, and a round trip has two
/// waits. This one is a thread that sleeps until the next due moment, to the millisecond; started with the first wait.
/// </summary>
internal sealed class LinkTimer : IDisposable
{
    private readonly object _gate = new();
    private readonly PriorityQueue<TaskCompletionSource, long> _waiters = new();
    private Thread? _thread;
    private bool _disposed;

    /// <summary>Completes when that long has passed, or is cancelled by the token or by <see cref="Dispose"/>.</summary>
    public async Task WaitAsync(TimeSpan delay, CancellationToken ct)
    {
        var waiter = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var due = Stopwatch.GetTimestamp() + (long)(delay.TotalSeconds * Stopwatch.Frequency);
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            _waiters.Enqueue(waiter, due);
            if (_thread is null)
            {
                _thread = new Thread(Run) { IsBackground = true, Name = "Transfer test link" };
                _thread.Start();
            }
            else if (_waiters.Peek() == waiter)
            {
                Monitor.Pulse(_gate);
            }
        }

        await using var registration = ct.UnsafeRegister(static (state, token) => ((TaskCompletionSource)state!).TrySetCanceled(token),
            waiter).ConfigureAwait(false);
        await waiter.Task.ConfigureAwait(false);
    }

    /// <summary>Cancels all waits and ends the thread.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _disposed = true;
            while (_waiters.TryDequeue(out var waiter, out _)) waiter.TrySetCanceled();
            Monitor.Pulse(_gate);
        }

        _thread?.Join();
    }

    private void Run()
    {
        lock (_gate)
        {
            while (!_disposed)
            {
                if (!_waiters.TryPeek(out var waiter, out var due))
                {
                    Monitor.Wait(_gate);
                    continue;
                }

                var left = due - Stopwatch.GetTimestamp();
                if (left > 0)
                {
                    Monitor.Wait(_gate, (int)Math.Min(int.MaxValue, Math.Ceiling(left * 1000.0 / Stopwatch.Frequency)));
                    continue;
                }

                _waiters.Dequeue();
                waiter.TrySetResult();
            }
        }
    }
}
