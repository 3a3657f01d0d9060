using System.Threading.Channels;

namespace Transfer.PowerShell.Pump;

/// <summary>The items of a pipeline, on their way into a job that runs beside the pipeline.</summary>
/// <typeparam name="T">An item.</typeparam>
internal sealed class JobFeed<T>
{
    private const int MostWaiting = 1024;

    private readonly Channel<T> _items = Channel.CreateBounded<T>(MostWaiting);
    private TransferJob? _job;

    /// <summary>Starts the job.</summary>
    /// <param name="start">Starts the job over the items.</param>
    /// <param name="ct">Ends the items.</param>
    public TransferJob Start(Func<IAsyncEnumerable<T>, TransferJob> start, CancellationToken ct) =>
        _job = start(_items.Reader.ReadAllAsync(ct));

    /// <summary>Adds an item, and waits while the job has enough of them. The failure of a job that takes no more is thrown.</summary>
    public async Task AddAsync(T item, CancellationToken ct)
    {
        var write = _items.Writer.WriteAsync(item, ct).AsTask();
        if (await Task.WhenAny(write, _job!.Completion).ConfigureAwait(false) != write) await _job.Completion.ConfigureAwait(false);
        await write.ConfigureAwait(false);
    }

    /// <summary>There are no more items.</summary>
    public void Complete() => _items.Writer.TryComplete();
}
