using System.Management.Automation;
using Transfer.PowerShell.Entries;

namespace Transfer.PowerShell.Files;

/// <summary>Makes a folder like another one: sends or fetches what is new, and with -Delete deletes what the source has not. With -WhatIf it plans only, and says what would be done.</summary>
[Cmdlet(VerbsData.Sync, "TransferFolder", SupportsShouldProcess = true)]
[OutputType(typeof(TransferSummary), typeof(TransferItem))]
public sealed class SyncTransferFolder : JobCmdlet
{
    /// <summary>The local folder; between servers the folder of the server that is copied from.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    public string Path { get; set; } = string.Empty;

    /// <summary>The folder of the server; by default the server's own. Between servers that of -ToServer.</summary>
    [Parameter(Position = 1)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    public string Destination { get; set; } = string.Empty;

    /// <summary>
    /// Up: the server's folder becomes like the local one; Down: the other way round; ServerToServer: the folder of -ToServer becomes
    /// like the server's.
    /// </summary>
    [Parameter(Mandatory = true)]
    public TransferDirection Direction { get; set; }

    /// <summary>The server whose folder is changed, or its name, where the direction is ServerToServer; by default the same.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(Servers.ServerCompleter))]
    public object? ToServer { get; set; }

    /// <summary>Deletes at the target what the source has not; never where a file failed or a listing was partial.</summary>
    [Parameter]
    public SwitchParameter Delete { get; set; }

    /// <summary>Deletes nothing if it would be more than so many files.</summary>
    [Parameter]
    [ValidateRange(0, long.MaxValue)]
    public long? MaxDelete { get; set; }

    /// <summary>What tells that a file is the same: Time (with the length, the default), Size or Hash.</summary>
    [Parameter]
    public SyncComparison Compare { get; set; }

    /// <inheritdoc/>
    private protected override string Activity => $"Synchronizing with {Client.Endpoint.Host}";

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        var sides = Sides(ToServer, Direction, Path, Destination);
        var deletes = Delete ? ", and delete what the source has not" : string.Empty;
        if (IsWhatIf || ShouldProcess(sides.ToString(), $"Synchronize {Direction}{deletes}"))
        {
            Follow(sides.Start(new()
            {
                Delete = Delete,
                MaxDelete = MaxDelete is { } most ? DeletionLimit.OfItems(most) : null,
                Compare = Compare,
                Verify = Verify,
                Sessions = Sessions,
                Filter = Filter,
                Links = Links,
                Resume = Resume,
                DryRun = IsWhatIf,
            }, Progress, StopToken));
        }
        base.EndProcessing();
    }
}
