using System.Runtime.CompilerServices;
using Transfer.Testing;

namespace Transfer.TestSupport.Ftp;

/// <summary>Files of a server that leaves some out of its listings.</summary>
internal sealed class UnlistedStore(ITestStore inner) : StoreFront(inner)
{
    public HashSet<string> Unlisted { get; } = [];

    public override async IAsyncEnumerable<TestEntry> ListAsync(string path, [EnumeratorCancellation] CancellationToken ct = default)
    {
        await foreach (var entry in base.ListAsync(path, ct))
        {
            if (!Unlisted.Contains($"{path.TrimEnd('/')}/{entry.Name}")) yield return entry;
        }
    }
}
