using System.Management.Automation;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Entries;

/// <summary>Renames entries of a server, or moves them into a folder.</summary>
[Cmdlet(VerbsCommon.Move, "TransferEntry", DefaultParameterSetName = ByPath, SupportsShouldProcess = true)]
public sealed class MoveTransferEntry : PathCmdlet
{
    private readonly DestinationFolders _folders = new();
    private readonly HashSet<TransferClient> _made = [];
    private readonly ClaimedTargets _targets = new();

    // The entry at each server that takes the destination as its name; null: there are several, and none may.
    private readonly Dictionary<TransferClient, RemoteEntry?> _renamed = [];

    /// <summary>
    /// The new path. In a folder that exists, or a path that ends in <c>/</c>, which is made if necessary, each entry keeps its name. Any
    /// other path is the name of one entry.
    /// </summary>
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
        var target = _folders.PathOf(Client, Destination, entry, LooksForFolder);
        if (target != Destination) Move(Client, entry, target);
        else Rename(entry);
    });

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        foreach (var (client, entry) in _renamed)
            if (entry is not null) Move(client, entry, Destination);
    }

    private bool LooksForFolder() => Await(token => DestinationFolders.IsFolderAsync(Client, Destination, token), Destination);

    // At the end of the pipeline: with -Force a second entry would replace the first one.
    private void Rename(RemoteEntry entry)
    {
        if (_renamed.TryAdd(Client, entry)) return;
        if (_renamed[Client] is { } first) Refuse(first);
        _renamed[Client] = null;
        Refuse(entry);
    }

    private void Refuse(RemoteEntry entry) => WriteError(
        Record(new TransferException(TransferError.Exists,
            $"{entry.Path}: {Destination} is the name of one entry; end it with / where it is a folder.")
        { RemotePath = entry.Path }, entry, OneFile));

    private void Move(TransferClient client, RemoteEntry entry, string target)
    {
        if (!ShouldProcess($"{entry.Path} to {target}", "Move")) return;
        if (_targets.Claim(client, entry.Path, client, target) is { } refusal)
            WriteError(Record(refusal, entry, OtherTarget));
        else
            TryAwait(token => MoveAsync(client, entry.Path, target, token), entry);
    }

    private async Task MoveAsync(TransferClient client, string path, string target, CancellationToken ct)
    {
        if (Destination.EndsWith('/') && !_made.Contains(client))
        {
            if (!await DestinationFolders.IsFolderAsync(client, Destination, ct).ConfigureAwait(false))
                await client.CreateDirectoryAsync(Destination, parents: true, ct).ConfigureAwait(false);
            _made.Add(client);
        }
        await client.MoveAsync(path, target, Force, ct).ConfigureAwait(false);
    }
}
