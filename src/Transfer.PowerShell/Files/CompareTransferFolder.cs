using System.Management.Automation;
using Transfer.PowerShell.Entries;
using Transfer.PowerShell.Pump;

namespace Transfer.PowerShell.Files;

/// <summary>
/// Compares a local folder with a folder of a server, or folders of two servers, and writes the changes that Sync-TransferFolder would
/// make. Changes nothing.
/// </summary>
[Cmdlet(VerbsData.Compare, "TransferFolder")]
[OutputType(typeof(TransferItem))]
public sealed class CompareTransferFolder : Servers.ServerCmdlet
{
    /// <summary>The local folder; between servers the folder of the server that would be copied from.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    public string Path { get; set; } = string.Empty;

    /// <summary>The folder of the server; by default the server's own. Between servers that of -ToServer.</summary>
    [Parameter(Position = 1)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    [ValidateNotNullOrEmpty]
    public string Destination { get; set; } = string.Empty;

    /// <summary>
    /// The end that would change. Up: the server; Down: the local folder; ServerToServer: the server of -ToServer.
    /// </summary>
    [Parameter]
    public TransferDirection Direction { get; set; }

    /// <summary>The second server, as -Server takes servers, where the direction is ServerToServer; by default the same.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(Servers.ServerCompleter))]
    [ValidateNotNull]
    public object? ToServer { get; set; }

    /// <summary>The treatment of symbolic links: Skip (the default), Copy or Follow.</summary>
    [Parameter]
    public LinkHandling Links { get; set; }

    /// <summary>The test for equal files: Time (with the length, the default), Size or Hash.</summary>
    [Parameter]
    public SyncComparison Compare { get; set; }

    /// <summary>Includes only paths that match one of these patterns.</summary>
    [Parameter]
    [ValidateNotNull]
    public string[] Include { get; set; } = [];

    /// <summary>Nothing that one of these patterns matches.</summary>
    [Parameter]
    [ValidateNotNull]
    public string[] Exclude { get; set; } = [];

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        var job = Sides(ToServer, Direction, Path, Destination).Start(new()
        {
            Delete = true,
            DryRun = true,
            Compare = Compare,
            Links = Links,
            Filter = Include.Length + Exclude.Length == 0 ? null : new TransferFilter { Include = Include, Exclude = Exclude },
        }, null, StopToken);
        try
        {
            Stream(token => job.ReadItemsAsync(token), item => WriteObject(TransferItem.Of(item)), Path);
            Await(_ => job.Completion, Path);
        }
        finally
        {
            JobEnds.Wait([job]);
        }
    }
}
