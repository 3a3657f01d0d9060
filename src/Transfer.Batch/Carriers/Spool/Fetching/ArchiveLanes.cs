using System.Threading.Channels;

namespace Transfer.Batch.Carriers.Spool.Fetching;

/// <summary>Takes archives, several at once, while more are being looked for. Each number is taken once.</summary>
internal sealed class ArchiveLanes : IAsyncDisposable
{
    private readonly Channel<long> _found = Channel.CreateUnbounded<long>(new UnboundedChannelOptions { SingleWriter = true });
    private readonly HashSet<long> _numbers = [];
    private readonly Lock _gate = new();
    private readonly int _lanes;
    private readonly Task _taking;
    private TaskCompletionSource? _idle;
    private int _left;

    /// <param name="lanes">So many at once.</param>
    /// <param name="take">Takes one.</param>
    /// <param name="ct">Cancels.</param>
    public ArchiveLanes(int lanes, Func<long, CancellationToken, ValueTask> take, CancellationToken ct)
    {
        _lanes = lanes;
        _taking = Parallel.ForEachAsync(_found.Reader.ReadAllAsync(ct),
            new ParallelOptions { MaxDegreeOfParallelism = lanes, CancellationToken = ct }, async (number, token) =>
        {
            await take(number, token).ConfigureAwait(false);
            lock (_gate)
            {
                _left--;
                if (HasRoom) _idle?.TrySetResult();
            }
        });
    }

    /// <summary>Whether some archives are not taken yet, and no failure has ended the lanes.</summary>
    public bool IsBusy
    {
        get { lock (_gate) return _left > 0 && !_taking.IsCompleted; }
    }

    private bool HasRoom => _left < _lanes;

    /// <summary>Adds archives to be taken.</summary>
    /// <returns>The number of new ones.</returns>
    public int Add(IReadOnlyList<long> numbers)
    {
        lock (_gate)
        {
            var count = 0;
            foreach (var number in numbers)
            {
                if (!_numbers.Add(number)) continue;
                _left++;
                count++;
                // The channel is completed only after the last call.
                _found.Writer.TryWrite(number);
            }
            return count;
        }
    }

    /// <summary>Waits for a time, until all archives are taken or all lanes have ended, or, on request, until a lane is idle.</summary>
    public async ValueTask WaitAsync(TimeSpan most, bool orIdle, CancellationToken ct)
    {
        Task idle;
        lock (_gate)
        {
            if (orIdle && HasRoom) return;
            idle = orIdle ? (_idle = new(TaskCreationOptions.RunContinuationsAsynchronously)).Task : _taking;
        }
        using var over = CancellationTokenSource.CreateLinkedTokenSource(ct);
        await Task.WhenAny(Task.Delay(most, over.Token), idle, _taking).ConfigureAwait(false);
        await over.CancelAsync().ConfigureAwait(false);
        ct.ThrowIfCancellationRequested();
    }

    /// <summary>Waits for the remaining archives, after the last <see cref="Add"/>.</summary>
    public async ValueTask EndAsync()
    {
        _found.Writer.TryComplete();
        await _taking.ConfigureAwait(false);
    }

    /// <summary>Finishes the archives that have begun, and drops the rest.</summary>
    public async ValueTask DisposeAsync()
    {
        _found.Writer.TryComplete();
        while (_found.Reader.TryRead(out _))
        {
            // Not needed any more.
        }
        await _taking.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }
}
