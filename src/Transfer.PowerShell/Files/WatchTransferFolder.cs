using System.Management.Automation;
using Transfer.PowerShell.Entries;

namespace Transfer.PowerShell.Files;

/// <summary>
/// Follows a folder until Ctrl-C: sends or fetches new and changed files as soon as they are complete, and writes an object for each item.
/// A lost connection ends nothing.
/// </summary>
[Cmdlet(VerbsCommon.Watch, "TransferFolder", SupportsShouldProcess = true)]
[OutputType(typeof(TransferItem))]
public sealed class WatchTransferFolder : SourceCmdlet
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
    /// Up: the local folder is followed, and its files are sent; Down: the server's folder, and its files are fetched;
    /// ServerToServer: the server's folder, and its files go to -ToServer.
    /// </summary>
    [Parameter(Mandatory = true)]
    public TransferDirection Direction { get; set; }

    /// <summary>The changed folder's server, as -Server takes servers, if the direction is ServerToServer; by default the same.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(Servers.ServerCompleter))]
    [ValidateNotNull]
    public object? ToServer { get; set; }

    /// <summary>The time for which length and time of a file must stay the same before the file is sent. Default: 5 s.</summary>
    [Parameter]
    public TimeSpan Settle { get; set; } = new WatchOptions().Settle;

    /// <summary>
    /// The time between two looks at the folder. Default: 10 s, and a minute where the system reports changes of a local folder.
    /// </summary>
    [Parameter]
    public TimeSpan? Interval { get; set; }

    /// <summary>The ending of a name, such as .done: a file is complete when a file with its name and this ending lies beside it.</summary>
    [Parameter]
    [ValidateNotNullOrEmpty]
    public string? Trigger { get; set; }

    /// <summary>The test for equal files: Time (with the length, the default), Size or Hash.</summary>
    [Parameter]
    public SyncComparison Compare { get; set; }

    /// <inheritdoc/>
    private protected override string Activity => $"Watching, with {Client.Endpoint.Host}";

    /// <inheritdoc/>
    protected override void BeginProcessing()
    {
        base.BeginProcessing();
        if (Links == LinkHandling.Follow)
            Fail(new ArgumentException("Links Follow is not for a folder that is watched: behind a link nothing is reported."), Links);
        // There is no end at which a summary could be written.
        PassThru = true;
    }

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        var sides = Sides(ToServer, Direction, Path, Destination);
        if (ShouldProcess(sides.ToString(), $"Watch {Direction}{Afterwards}"))
        {
            Follow(sides.Watch(new()
            {
                Sync = WithSources(new SyncOptions
                {
                    Compare = Compare,
                    Verify = Verify,
                    Sessions = Sessions,
                    Filter = Filter,
                    Links = Links,
                    Resume = Resume,
                }),
                Settle = Settle,
                Interval = Interval,
                Trigger = Trigger,
            }, Progress, StopToken));
        }
        base.EndProcessing();
    }
}
