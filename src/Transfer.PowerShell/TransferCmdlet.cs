using System.Management.Automation;
using Transfer.PowerShell.Clients;
using Transfer.PowerShell.Errors;
using Transfer.PowerShell.Pump;

namespace Transfer.PowerShell;

/// <summary>
/// Base of the cmdlets: runs work beside the pipeline, writes its output on the pipeline's thread, and ends the work at once when the
/// pipeline is stopped.
/// </summary>
public abstract class TransferCmdlet : PSCmdlet, IDisposable
{
    private const string FileSystem = "FileSystem";

    private readonly PipelineWork _work;

    /// <summary>Makes a cmdlet.</summary>
    protected TransferCmdlet() => _work = new(() => Stopping);

    private protected PipelinePump Pump => _work.Pump;

    /// <summary>Fires when the pipeline is stopped.</summary>
    protected CancellationToken StopToken => _work.StopToken;

    /// <summary>Releases the cmdlet's resources.</summary>
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <inheritdoc cref="Dispose()"/>
    /// <param name="disposing">Not by the finalizer.</param>
    protected virtual void Dispose(bool disposing)
    {
        if (disposing) _work.Dispose();
    }

    /// <inheritdoc/>
    protected override void StopProcessing() => Cancel();

    /// <summary>Cancels the work at once.</summary>
    private protected void Cancel() => _work.Stop();

    /// <summary>Waits for work, and writes the output meanwhile. An error of the work is thrown.</summary>
    private protected T Join<T>(Func<CancellationToken, Task<T>> work) => _work.Await(work);

    /// <summary>Waits for work, and writes the output meanwhile. An error of the work ends the command.</summary>
    private protected T Await<T>(Func<CancellationToken, Task<T>> work, object? target = null)
    {
        try
        {
            return _work.Await(work);
        }
        catch (Exception e) when (Known(e) is { } known)
        {
            Fail(known, target);
            throw;
        }
    }

    private protected void Await(Func<CancellationToken, Task> work, object? target = null) =>
        Await(token => PipelineWork.Done(work, token), target);

    /// <summary>
    /// Waits for work; an error is one item's, also of a path that no request can have. False: the work failed, and the error is written.
    /// </summary>
    private protected bool TryAwait<T>(Func<CancellationToken, Task<T>> work, object target, out T result)
    {
        try
        {
            result = _work.Await(work);
            return true;
        }
        catch (Exception e) when (IsOfItem(e))
        {
            WriteItemError(Record(e, target));
            result = default!;
            return false;
        }
        catch (Exception e) when (Known(e) is { } known)
        {
            Fail(known, target);
            throw;
        }
    }

    private protected bool TryAwait(Func<CancellationToken, Task> work, object target) =>
        TryAwait(token => PipelineWork.Done(work, token), target, out _);

    /// <summary>
    /// Writes items one after the other: the next is requested after the last was taken. An error other than the connection's is written.
    /// </summary>
    private protected void Stream<T>(Func<CancellationToken, IAsyncEnumerable<T>> source, Action<T> write, object? target)
    {
        try
        {
            _work.Stream(source, write);
        }
        catch (Exception e) when (IsOfItem(e))
        {
            WriteItemError(Record(e, target ?? string.Empty));
        }
        catch (Exception e) when (Known(e) is { } known)
        {
            Fail(known, target);
            throw;
        }
    }

    /// <summary>
    /// The path of this machine that a path of PowerShell stands for, from the current location on. One of another provider than the file
    /// system ends the command.
    /// </summary>
    private protected string LocalPathOf(string path)
    {
        var found = SessionState.Path.GetUnresolvedProviderPathFromPSPath(path, out var provider, out _);
        RequireFileSystem(provider, path);
        return found;
    }

    /// <summary>Ends the command where a path is no path of this machine.</summary>
    private protected void RequireFileSystem(ProviderInfo provider, string path)
    {
        if (provider.Name == FileSystem) return;
        Fail(new ArgumentException($"'{path}' is a path of the provider {provider.Name}, and none of this machine's files."), path);
    }

    /// <summary>Ends the command with an error.</summary>
    /// <param name="error">The error.</param>
    /// <param name="target">The target object; null: none in particular.</param>
    /// <param name="advice">The recommended action; null: that of the kind of error.</param>
    private protected void Fail(Exception error, object? target = null, string? advice = null) =>
        ThrowTerminatingError(Record(error, target, advice));

    // A lost connection ends the command.
    private static bool IsOfItem(Exception error) => error is (TransferException and not TransferConnectionException) or ArgumentException;

    /// <summary>Writes the error of one item of the command: the others go on.</summary>
    private protected virtual void WriteItemError(ErrorRecord error) => WriteError(error);

    /// <summary>The record of an error.</summary>
    /// <param name="error">The error.</param>
    /// <param name="target">The target object; null: none in particular.</param>
    /// <param name="advice">The recommended action; null: that of the kind of error.</param>
    private protected ErrorRecord Record(Exception error, object? target, string? advice = null) =>
        ErrorRecords.Of(error, target, advice ?? (error is TransferException transfer ? Advice(transfer.Error) : null));

    /// <summary>The recommended action of a kind of error, by the parameters that the cmdlet has.</summary>
    private protected virtual string Advice(TransferError error) => ErrorRecords.Advice(error);

    /// <summary>
    /// Prompts before an act of high impact. A cmdlet's own impact is fixed, and medium: that of its other acts. So the prompt of a cmdlet
    /// of high impact is made here, unless the one of medium impact came already.
    /// </summary>
    /// <param name="target">The target of the act.</param>
    /// <param name="action">The act.</param>
    /// <param name="answers">The user's answers for all further acts.</param>
    private protected bool ShouldProcessHigh(string target, string action, ref (bool YesToAll, bool NoToAll) answers)
    {
        if (!ShouldProcess(target, action)) return false;
        if (MyInvocation.BoundParameters.ContainsKey("Confirm")) return true;
        var isHigh = !LanguagePrimitives.TryConvertTo(GetVariableValue("ConfirmPreference"), out ConfirmImpact preference)
            || preference == ConfirmImpact.High;
        return !isHigh || ShouldContinue($"{action}: {target}", "Confirm", ref answers.YesToAll, ref answers.NoToAll);
    }

    /// <summary>Writes a client's message to the stream of its level. Thread-safe.</summary>
    private protected void Say(ClientMessage message) => Pump.Post(() => message.WriteTo(WriteDebug, WriteVerbose, WriteWarning));

    /// <summary>The error of a command that ends because of an exception; null: the exception is a fault of the module.</summary>
    private protected virtual Exception? Known(Exception error) =>
        error is TransferException or ArgumentException or IOException or UnauthorizedAccessException ? error : null;
}
