using System.Management.Automation;
using Transfer.PowerShell.Entries;

namespace Transfer.PowerShell.Files;

/// <summary>Tells how a local folder and one of a server differ, as what Sync-TransferFolder would do. Nothing is changed.</summary>
[Cmdlet(VerbsData.Compare, "TransferFolder")]
[OutputType(typeof(TransferItem))]
public sealed class CompareTransferFolder : Servers.ServerCmdlet
{
    /// <summary>The local folder.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    public string Path { get; set; } = string.Empty;

    /// <summary>The folder of the server; by default the server's own.</summary>
    [Parameter(Position = 1)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    public string Destination { get; set; } = string.Empty;

    /// <summary>Up: what would change at the server; Down: what would change here.</summary>
    [Parameter]
    public SyncDirection Direction { get; set; }

    /// <summary>What tells that a file is the same: Time (with the length, the default), Size or Hash.</summary>
    [Parameter]
    public SyncComparison Compare { get; set; }

    /// <summary>Only what one of these patterns matches.</summary>
    [Parameter]
    public string[] Include { get; set; } = [];

    /// <summary>Nothing that one of these patterns matches.</summary>
    [Parameter]
    public string[] Exclude { get; set; } = [];

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        var job = Client.StartSynchronize(GetUnresolvedProviderPathFromPSPath(Path), Destination, Direction, new()
        {
            Delete = true,
            DryRun = true,
            Compare = Compare,
            Filter = Include.Length + Exclude.Length == 0 ? null : new TransferFilter { Include = Include, Exclude = Exclude },
        }, readItems: true, cancellationToken: StopToken);
        try
        {
            Stream(token => job.ReadItemsAsync(token), item => WriteObject(TransferItem.Of(item)), Path);
            Await(_ => job.Completion, Path);
        }
        finally
        {
            Task.Run(() => job.DisposeAsync().AsTask()).GetAwaiter().GetResult();
        }
    }
}
