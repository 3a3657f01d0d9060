using System.Management.Automation;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Entries;

/// <summary>Makes folders at a server, and their parents. Existing folders stay as they are.</summary>
[Cmdlet(VerbsCommon.New, "TransferFolder", SupportsShouldProcess = true)]
[OutputType(typeof(RemoteEntry))]
public sealed class NewTransferFolder : ServerCmdlet
{
    /// <summary>Paths of the server.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    [PathText]
    public string[] Path { get; set; } = [];

    /// <inheritdoc/>
    protected override void ProcessRecord()
    {
        foreach (var path in Path)
        {
            if (!ShouldProcess(path, "Create folder")) continue;
            if (!TryAwait(token => Client.CreateDirectoryAsync(path, parents: true, token).AsTask(), path)) continue;
            if (TryAwait(token => Client.GetEntryAsync(path, token).AsTask(), path, out var entry) && entry is not null) WriteObject(entry);
        }
    }
}
