using System.Management.Automation;
using Transfer.PowerShell.Errors;

namespace Transfer.PowerShell.Entries;

/// <summary>Deletes entries of a server. A link is deleted, and never what it leads to.</summary>
[Cmdlet(VerbsCommon.Remove, "TransferEntry", DefaultParameterSetName = ByPath, SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium)]
public sealed class RemoveTransferEntry : PathCmdlet
{
    /// <summary>Folders with all that is in them.</summary>
    [Parameter]
    public SwitchParameter Recurse { get; set; }

    /// <summary>No question before a folder is deleted with all that is in it.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    /// <inheritdoc/>
    protected override void ProcessRecord() => ForEachEntry(entry =>
    {
        var isFolder = entry.Type == RemoteEntryType.Directory;
        if (isFolder && !Recurse)
        {
            WriteError(ErrorRecords.Of(new TransferException(TransferError.Denied, $"{entry.Path} is a folder: give -Recurse to delete it with all that is in it.") { RemotePath = entry.Path }, entry));
            return;
        }
        if (!ShouldProcess(entry.Path, isFolder ? "Delete folder with all that is in it" : "Delete")) return;
        if (isFolder && !Force && AsksFirst && !ShouldContinue($"Delete {entry.Path} with all that is in it?", "Delete folder")) return;
        TryAwait(token => Client.DeleteAsync(entry.Path, Recurse, token).AsTask(), entry);
    });

    // As for a cmdlet of high impact; that of one file is medium.
    private bool AsksFirst =>
        !(MyInvocation.BoundParameters.TryGetValue("Confirm", out var confirm) && !((SwitchParameter)confirm).IsPresent)
        && !string.Equals(GetVariableValue("ConfirmPreference")?.ToString(), nameof(ConfirmImpact.None), StringComparison.OrdinalIgnoreCase);
}
