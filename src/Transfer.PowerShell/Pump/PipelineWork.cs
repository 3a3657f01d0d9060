using System.Management.Automation;

namespace Transfer.PowerShell.Pump;

/// <summary>
/// Work beside the pipeline, for cmdlets and for the drive: the pipeline's thread waits for it, writes meanwhile what comes of it, and
/// ends it when it is stopped itself.
/// </summary>
/// <param name="isStopping">The pipeline is being stopped; the work may have been told before its token fires.</param>
internal sealed class PipelineWork(Func<bool> isStopping) : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _gate = new();
    private bool _isDisposed;

    /// <summary>Carries what is written to the pipeline's thread.</summary>
    public PipelinePump Pump { get; } = new();

    /// <summary>Fires when the pipeline is stopped.</summary>
    public CancellationToken StopToken => _stop.Token;

    /// <summary>Cancels the work. Thread-safe; behind the end it does nothing.</summary>
    public void Stop()
    {
        lock (_gate)
        {
            // Not here: what ends by it may wait for the pipeline's thread, and that one for the gate.
            if (!_isDisposed) _ = _stop.CancelAsync();
        }
    }

    /// <summary>Waits for work, which has ended when this returns or throws.</summary>
    /// <exception cref="PipelineStoppedException">The pipeline was stopped.</exception>
    public T Await<T>(Func<CancellationToken, Task<T>> work)
    {
        // Not on the pipeline's thread: it has the posts to run.
        var task = Task.Run(() => work(StopToken));
        Pump.Run(task);
        try
        {
            return task.GetAwaiter().GetResult();
        }
        catch (OperationCanceledException) when (isStopping() || StopToken.IsCancellationRequested)
        {
            throw new PipelineStoppedException();
        }
    }

    /// <summary>Work without a result, as work that has one.</summary>
    public static async Task<bool> Done(Func<CancellationToken, Task> work, CancellationToken ct)
    {
        await work(ct).ConfigureAwait(false);
        return true;
    }

    /// <summary>Writes what comes, one after the other: the next is asked for when the one before was taken.</summary>
    /// <exception cref="PipelineStoppedException">The pipeline was stopped.</exception>
    public void Stream<T>(Func<CancellationToken, IAsyncEnumerable<T>> source, Action<T> write)
    {
        var items = source(StopToken).GetAsyncEnumerator(StopToken);
        try
        {
            while (Await(_ => items.MoveNextAsync().AsTask())) write(items.Current);
        }
        finally
        {
            // Also where a cmdlet behind this one wants no more, which comes out of the write as an exception.
            Task.Run(() => items.DisposeAsync().AsTask()).GetAwaiter().GetResult();
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _stop.Dispose();
        }
        Pump.Dispose();
    }
}
