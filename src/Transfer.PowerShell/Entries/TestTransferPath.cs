using System.Management.Automation;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Entries;

/// <summary>Tests whether a path of a server exists. A failed test is an error, and no answer.</summary>
[Cmdlet(VerbsDiagnostic.Test, "TransferPath", DefaultParameterSetName = ByPath)]
[OutputType(typeof(bool))]
public sealed class TestTransferPath : PathCmdlet
{
    /// <summary>The type of entry: Any, Container (a folder, or a link to one) or Leaf.</summary>
    [Parameter]
    [ValidateSet("Any", "Container", "Leaf")]
    public string PathType { get; set; } = "Any";

    /// <inheritdoc/>
    protected override void ProcessRecord()
    {
        if (TryForEachGiven(entry => Test(entry.Path))) return;
        foreach (var path in Literal()) Test(path);
        foreach (var pattern in Patterns())
        {
            if (TryAwait(ct => RemoteGlob.FindAsync(Client, pattern, ct).AnyAsync(IsAskedAsync, ct).AsTask(), pattern, out var any))
                WriteObject(any);
        }
    }

    private void Test(string path)
    {
        if (TryAwait(token => TestAsync(path, token), path, out var isThere)) WriteObject(isThere);
    }

    private async Task<bool> TestAsync(string path, CancellationToken ct) =>
        await Client.GetEntryAsync(path, ct).ConfigureAwait(false) is { } entry && await IsAskedAsync(entry, ct).ConfigureAwait(false);

    // A link to a folder is a container, as for Test-Path.
    private async ValueTask<bool> IsAskedAsync(RemoteEntry entry, CancellationToken ct) => PathType == "Any"
        || await DestinationFolders.IsFolderAsync(Client, entry.Path, entry, ct).ConfigureAwait(false) == (PathType == "Container");
}
