using System.Management.Automation;
using Transfer.PowerShell.Clients;
using Transfer.PowerShell.Errors;
using Transfer.PowerShell.Pump;

namespace Transfer.PowerShell;

/// <summary>Base of the cmdlets: work beside the pipeline whose output comes back on the pipeline's thread, and an end at once where it is stopped.</summary>
public abstract class TransferCmdlet : PSCmdlet, IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly PipelinePump _pump = new();

    private protected PipelinePump Pump => _pump;

    /// <summary>Fires when the pipeline is stopped.</summary>
    protected CancellationToken StopToken => _stop.Token;

    /// <summary>Gives up what the cmdlet has.</summary>
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <inheritdoc cref="Dispose()"/>
    /// <param name="disposing">Not by the finalizer.</param>
    protected virtual void Dispose(bool disposing)
    {
        if (!disposing) return;
        _stop.Dispose();
        _pump.Dispose();
    }

    /// <inheritdoc/>
    protected override void StopProcessing() => _stop.Cancel();

    /// <summary>Waits for work, and writes meanwhile what comes of it. An error of the work ends the command.</summary>
    private protected T Await<T>(Func<CancellationToken, Task<T>> work, object? target = null)
    {
        // Not on the pipeline's thread: it has the posts to run.
        var task = Task.Run(() => work(StopToken));
        _pump.Run(task);
        return Result(task, target);
    }

    private protected void Await(Func<CancellationToken, Task> work, object? target = null) => Await(
        async token =>
        {
            await work(token).ConfigureAwait(false);
            return true;
        }, target);

    /// <summary>The same, where an error of the work is one item's. False: there was one, and it is written.</summary>
    private protected bool TryAwait<T>(Func<CancellationToken, Task<T>> work, object target, out T result)
    {
        var task = Task.Run(() => work(StopToken));
        _pump.Run(task);
        if (task.Exception?.InnerException is TransferException and not TransferConnectionException and var error)
        {
            WriteError(ErrorRecords.Of(error, target));
            result = default!;
            return false;
        }
        result = Result(task, target);
        return true;
    }

    private protected bool TryAwait(Func<CancellationToken, Task> work, object target) => TryAwait(
        async token =>
        {
            await work(token).ConfigureAwait(false);
            return true;
        }, target, out _);

    /// <summary>Writes what comes, one after the other: the next is asked for when the one before was taken. An error that is not the connection's is written.</summary>
    private protected void Stream<T>(Func<CancellationToken, IAsyncEnumerable<T>> source, Action<T> write, object? target)
    {
        var items = source(StopToken).GetAsyncEnumerator(StopToken);
        try
        {
            while (TryAwait(_ => items.MoveNextAsync().AsTask(), target ?? string.Empty, out var more) && more) write(items.Current);
        }
        finally
        {
            // Also where a cmdlet behind this one wants no more, which comes out of the write as an exception.
            Task.Run(() => items.DisposeAsync().AsTask()).GetAwaiter().GetResult();
        }
    }

    /// <summary>Ends the command with an error.</summary>
    private protected void Fail(Exception error, object? target = null) => ThrowTerminatingError(ErrorRecords.Of(error, target));

    /// <summary>Writes a message of a client to the stream that it is for. Thread-safe.</summary>
    private protected void Say(ClientMessage message) => _pump.Post(() =>
    {
        switch (message.Level)
        {
            case ClientMessageLevel.Debug:
                WriteDebug(message.Text);
                break;
            case ClientMessageLevel.Verbose:
                WriteVerbose(message.Text);
                break;
            default:
                WriteWarning(message.Text);
                break;
        }
    });

    private T Result<T>(Task<T> task, object? target)
    {
        try
        {
            return task.GetAwaiter().GetResult();
        }
        catch (OperationCanceledException) when (Stopping || StopToken.IsCancellationRequested)
        {
            throw new PipelineStoppedException();
        }
        catch (Exception e) when (e is TransferException or ArgumentException or IOException or UnauthorizedAccessException)
        {
            Fail(e, target);
            throw;
        }
    }
}
