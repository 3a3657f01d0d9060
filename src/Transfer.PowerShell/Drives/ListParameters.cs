using System.Management.Automation;

namespace Transfer.PowerShell.Drives;

/// <summary>The parameters of Get-ChildItem on a drive, beside its own.</summary>
internal sealed class ListParameters : CommandMemory
{
    /// <summary>Only files.</summary>
    [Parameter]
    public SwitchParameter File { get; set; }

    /// <summary>Only folders.</summary>
    [Parameter]
    public SwitchParameter Directory { get; set; }

    /// <summary>An entry is of a kind that is wanted.</summary>
    public bool Takes(RemoteEntry entry) =>
        (!File || entry.Type == RemoteEntryType.File) && (!Directory || entry.Type == RemoteEntryType.Directory);
}
