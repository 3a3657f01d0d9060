using System.Management.Automation;

namespace Transfer.PowerShell.Pump;

/// <summary>
/// Work beside the pipeline, for cmdlets and for the drive: the pipeline's thread waits, writes the output of the work meanwhile, and
/// ends the work when the pipeline is stopped.
/// </summary>
/// <param name="isStopping">Whether the pipeline is being stopped; the work may end for that reason before its token fires.</param>
internal sealed class PipelineWork(Func<bool> isStopping) : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _gate = new();
    private bool _isDisposed;

    /// <summary>Carries output to the pipeline's thread.</summary>
    public PipelinePump Pump { get; } = new();

    /// <summary>Fires when the pipeline is stopped.</summary>
    public CancellationToken StopToken => _stop.Token;

    /// <summary>Cancels the work. Thread-safe; without effect after the end.</summary>
    public void Stop()
    {
        lock (_gate)
        {
            // Not on this thread: a cancelled call may wait for the pipeline's thread, and that thread for the gate.
            if (!_isDisposed) _ = _stop.CancelAsync();
        }
    }

    /// <summary>Waits for work, which has ended when this returns or throws.</summary>
    /// <exception cref="PipelineStoppedException">The pipeline was stopped.</exception>
    public T Await<T>(Func<CancellationToken, Task<T>> work)
    {
        // Not on the pipeline's thread, which has the posts to run.
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

    /// <summary>Writes items one after the other: the next is requested after the last was taken.</summary>
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
