using System.Management.Automation;
using Transfer.PowerShell.Entries;

namespace Transfer.PowerShell.Files;

/// <summary>
/// Makes a folder equal to another one: sends or fetches new and changed files, and with -Delete deletes entries that the source does not
/// have. With -WhatIf only plans, and writes the plan.
/// </summary>
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
    [ValidateNotNullOrEmpty]
    public string Destination { get; set; } = string.Empty;

    /// <summary>
    /// Up: the server's folder becomes like the local one; Down: the other way round; ServerToServer: the folder of -ToServer becomes
    /// like the server's.
    /// </summary>
    [Parameter(Mandatory = true)]
    public TransferDirection Direction { get; set; }

    /// <summary>The changed folder's server, as -Server takes servers, if the direction is ServerToServer; by default the same.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(Servers.ServerCompleter))]
    [ValidateNotNull]
    public object? ToServer { get; set; }

    /// <summary>Deletes at the target the entries that the source does not have; never after a failed file or a partial listing.</summary>
    [Parameter]
    public SwitchParameter Delete { get; set; }

    /// <summary>The maximum number of deletions: if more files would be deleted, none is.</summary>
    [Parameter]
    [ValidateRange(0, long.MaxValue)]
    public long? MaxDelete { get; set; }

    /// <summary>The test for equal files: Time (with the length, the default), Size or Hash.</summary>
    [Parameter]
    public SyncComparison Compare { get; set; }

    /// <inheritdoc/>
    private protected override string Activity => $"Synchronizing with {Client.Endpoint.Host}";

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        var sides = Sides(ToServer, Direction, Path, Destination);
        var deletes = Delete ? ", and delete what the source has not" : string.Empty;
        if (IsWhatIf || IsWanted(sides.ToString(), $"Synchronize {Direction}{deletes}"))
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

    private bool IsWanted(string sides, string action)
    {
        var answers = (false, false);
        return Delete ? ShouldProcessHigh(sides, action, ref answers) : ShouldProcess(sides, action);
    }
}
