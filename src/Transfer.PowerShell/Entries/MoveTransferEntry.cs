using System.Management.Automation;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Entries;

/// <summary>Renames entries of a server, or moves them into a folder.</summary>
[Cmdlet(VerbsCommon.Move, "TransferEntry", DefaultParameterSetName = ByPath, SupportsShouldProcess = true)]
public sealed class MoveTransferEntry : PathCmdlet
{
    private readonly DestinationFolders _folders = new();

    /// <summary>The new path. If the path is a folder that exists, or ends in <c>/</c>, the entry keeps its name in it.</summary>
    [Parameter(Mandatory = true, Position = 1)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    public string Destination { get; set; } = string.Empty;

    /// <summary>A file that is there is replaced.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    /// <inheritdoc/>
    private protected override string Advice(TransferError error) =>
        error == TransferError.Exists ? "Give -Force to replace the file, or take another name." : base.Advice(error);

    /// <inheritdoc/>
    protected override void ProcessRecord() => ForEachEntry(entry =>
    {
        var target = _folders.PathOf(Client, Destination, entry,
            () => Await(token => DestinationFolders.IsFolderAsync(Client, Destination, token), Destination));
        if (ShouldProcess($"{entry.Path} to {target}", "Move"))
            TryAwait(token => Client.MoveAsync(entry.Path, target, Force, token).AsTask(), entry);
    });
}
