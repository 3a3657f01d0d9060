using System.Management.Automation;

namespace Transfer.PowerShell.Entries;

/// <summary>Tests whether a path of a server exists. A failed test is an error, and no answer.</summary>
[Cmdlet(VerbsDiagnostic.Test, "TransferPath", DefaultParameterSetName = ByPath)]
[OutputType(typeof(bool))]
public sealed class TestTransferPath : PathCmdlet
{
    /// <summary>The type of entry: Any, Container (a folder) or Leaf.</summary>
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
            if (TryAwait(token => RemoteGlob.FindAsync(Client, pattern, token).AnyAsync(IsAsked, token).AsTask(), pattern, out var any))
                WriteObject(any);
        }
    }

    private void Test(string path)
    {
        if (TryAwait(token => Client.GetEntryAsync(path, token).AsTask(), path, out var entry))
            WriteObject(entry is not null && IsAsked(entry));
    }

    private bool IsAsked(RemoteEntry entry) => PathType == "Any" || (entry.Type == RemoteEntryType.Directory) == (PathType == "Container");
}
