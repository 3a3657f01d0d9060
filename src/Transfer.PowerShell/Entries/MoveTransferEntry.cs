using System.Management.Automation;

namespace Transfer.PowerShell.Entries;

/// <summary>Renames entries of a server, or moves them into a folder.</summary>
[Cmdlet(VerbsCommon.Move, "TransferEntry", DefaultParameterSetName = ByPath, SupportsShouldProcess = true)]
public sealed class MoveTransferEntry : PathCmdlet
{
    private readonly Dictionary<TransferClient, bool> _isFolder = []; // the destination, at each server

    /// <summary>The new path. If the path is a folder that exists, or ends in <c>/</c>, the entry keeps its name in it.</summary>
    [Parameter(Mandatory = true, Position = 1)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    public string Destination { get; set; } = string.Empty;

    /// <summary>A file that is there is replaced.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    /// <inheritdoc/>
    protected override void ProcessRecord() => ForEachEntry(entry =>
    {
        // Looked up before the first move: a move may create the destination.
        if (!_isFolder.TryGetValue(Client, out var isFolder))
        {
            _isFolder[Client] = isFolder = Destination.EndsWith('/')
                || Await(token => Client.GetEntryAsync(Destination, token).AsTask(), Destination)?.Type == RemoteEntryType.Directory;
        }
        var target = isFolder ? RemotePath.Combine(Destination.TrimEnd('/'), entry.Name) : Destination;
        if (ShouldProcess($"{entry.Path} to {target}", "Move"))
            TryAwait(token => Client.MoveAsync(entry.Path, target, Force, token).AsTask(), entry);
    });
}
