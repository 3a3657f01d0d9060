using System.Management.Automation;
using Transfer.PowerShell.Pump;

namespace Transfer.PowerShell.Entries;

/// <summary>
/// Deletes entries of a server. A link is deleted, and never its target. All files of a pipeline are one job at each server, which runs
/// beside the pipeline.
/// </summary>
[Cmdlet(VerbsCommon.Remove, "TransferEntry", DefaultParameterSetName = ByPath, SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium)]
public sealed class RemoveTransferEntry : PathCmdlet
{
    private readonly Dictionary<TransferClient, (JobFeed<string> Files, TransferJob Job, Task Reading)> _jobs = [];

    private (bool YesToAll, bool NoToAll) _answers;

    /// <summary>Folders with all that is in them.</summary>
    [Parameter]
    public SwitchParameter Recurse { get; set; }

    /// <summary>Deletes folders with all their entries without a prompt.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    /// <inheritdoc/>
    protected override void ProcessRecord()
    {
        if (!TryForEachGiven(Remove))
        {
            LookUp(Literal(), Remove);
            if (Patterns().Any()) ForEachEntry([], Patterns(), Remove);
        }
        Pump.Drain();
    }

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        ActOnAll(Remove);
        foreach (var (files, _, _) in _jobs.Values) files.Complete();
        foreach (var (_, job, reading) in _jobs.Values)
        {
            Await(_ => reading);
            Await(_ => job.Completion);
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing) JobEnds.Wait(_jobs.Values.Select(at => at.Job));
        base.Dispose(disposing);
    }

    private void Remove(RemoteEntry entry)
    {
        if (entry.Type != RemoteEntryType.Directory)
        {
            if (ShouldProcess(entry.Path, "Delete")) Add(entry);
            return;
        }
        if (IsWhole(entry))
        {
            WriteError(Record(new TransferException(TransferError.Denied,
                $"{entry.Path} is the root, or the folder that paths start from, and is not deleted.")
            { RemotePath = entry.Path }, entry, "Name the entries to delete."));
            return;
        }
        if (!Recurse)
        {
            WriteError(
                Record(new TransferException(TransferError.Denied,
                    $"{entry.Path} is a folder: give -Recurse to delete it with all that is in it.")
                { RemotePath = entry.Path }, entry, "Give -Recurse to delete it with all that is in it."));
            return;
        }
        const string Action = "Delete folder with all that is in it";
        if (!(Force ? ShouldProcess(entry.Path, Action) : ShouldProcessHigh(entry.Path, Action, ref _answers))) return;
        TryAwait(token => Client.DeleteAsync(entry.Path, recursive: true, token).AsTask(), entry);
    }

    // The command's rm refuses these too: a variable that is empty, or a dot too many, stands for the server's whole content.
    private bool IsWhole(RemoteEntry entry) => entry.Name is "" or "." or ".." || entry.Path == RemotePath.Home
        || entry.Path == RemotePath.Resolve("/", Uri.UnescapeDataString(Client.Endpoint.AbsolutePath));

    private void Add(RemoteEntry entry)
    {
        if (!_jobs.TryGetValue(Client, out var at))
        {
            var files = new JobFeed<string>();
            var job = files.Start(paths => Client.StartDeleteFiles(paths, readItems: true, StopToken), StopToken);
            _jobs[Client] = at = (files, job, Task.Run(() => ReadAsync(job)));
        }
        Await(token => at.Files.AddAsync(entry.Path, token), entry);
    }

    private async Task ReadAsync(TransferJob job)
    {
        await foreach (var item in job.ReadItemsAsync(CancellationToken.None).ConfigureAwait(false))
        {
            if (item.Error is { } error) Pump.Post(() => WriteError(Record(error, item.Path)));
        }
    }
}
