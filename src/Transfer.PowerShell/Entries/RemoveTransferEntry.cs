using System.Management.Automation;
using Transfer.PowerShell.Errors;
using Transfer.PowerShell.Pump;

namespace Transfer.PowerShell.Entries;

/// <summary>
/// Deletes entries of a server. A link is deleted, and never what it leads to. All files of a pipeline are one job, which runs beside it.
/// </summary>
[Cmdlet(VerbsCommon.Remove, "TransferEntry", DefaultParameterSetName = ByPath, SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium)]
public sealed class RemoveTransferEntry : PathCmdlet
{
    private JobFeed<string>? _files;
    private TransferJob? _job;
    private Task _reading = Task.CompletedTask;

    /// <summary>Folders with all that is in them.</summary>
    [Parameter]
    public SwitchParameter Recurse { get; set; }

    /// <summary>No question before a folder is deleted with all that is in it.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    /// <inheritdoc/>
    protected override void ProcessRecord()
    {
        ForEachEntry(Remove);
        Pump.Drain();
    }

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        if (_job is not { } job) return;
        _files!.Complete();
        Await(_ => _reading);
        Await(_ => job.Completion);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _files?.Complete();
            if (_job is { } job) Task.Run(() => job.DisposeAsync().AsTask()).GetAwaiter().GetResult();
        }
        base.Dispose(disposing);
    }

    private void Remove(RemoteEntry entry)
    {
        if (entry.Type != RemoteEntryType.Directory)
        {
            if (ShouldProcess(entry.Path, "Delete")) Add(entry);
            return;
        }
        if (!Recurse)
        {
            WriteError(ErrorRecords.Of(new TransferException(TransferError.Denied, $"{entry.Path} is a folder: give -Recurse to delete it with all that is in it.") { RemotePath = entry.Path }, entry));
            return;
        }
        if (!ShouldProcess(entry.Path, "Delete folder with all that is in it")) return;
        if (!Force && AsksFirst && !ShouldContinue($"Delete {entry.Path} with all that is in it?", "Delete folder")) return;
        TryAwait(token => Client.DeleteAsync(entry.Path, recursive: true, token).AsTask(), entry);
    }

    private void Add(RemoteEntry entry)
    {
        if (_files is null)
        {
            _files = new();
            _job = _files.Start(files => Client.StartDeleteFiles(files, readItems: true, StopToken), StopToken);
            _reading = Task.Run(() => ReadAsync(_job));
        }
        Await(token => _files.AddAsync(entry.Path, token), entry);
    }

    private async Task ReadAsync(TransferJob job)
    {
        await foreach (var item in job.ReadItemsAsync(CancellationToken.None).ConfigureAwait(false))
        {
            if (item.Error is { } error) Pump.Post(() => WriteError(ErrorRecords.Of(error, item.Path)));
        }
    }

    // As for a cmdlet of high impact; that of one file is medium.
    private bool AsksFirst =>
        !(MyInvocation.BoundParameters.TryGetValue("Confirm", out var confirm) && !((SwitchParameter)confirm).IsPresent)
        && !string.Equals(GetVariableValue("ConfirmPreference")?.ToString(), nameof(ConfirmImpact.None), StringComparison.OrdinalIgnoreCase);
}
