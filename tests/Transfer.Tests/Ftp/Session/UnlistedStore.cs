using System.Runtime.CompilerServices;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Files of a server that leaves some out of its listings.</summary>
internal sealed class UnlistedStore(MemoryStore inner) : ITestStore
{
    public HashSet<string> Unlisted { get; } = [];

    public long? FreeBytes => inner.FreeBytes;

    public ValueTask<TestEntry?> GetAsync(string path, CancellationToken ct = default) => inner.GetAsync(path, ct);

    public async IAsyncEnumerable<TestEntry> ListAsync(string path, [EnumeratorCancellation] CancellationToken ct = default)
    {
        await foreach (var entry in inner.ListAsync(path, ct))
        {
            if (!Unlisted.Contains($"{path.TrimEnd('/')}/{entry.Name}")) yield return entry;
        }
    }

    public ValueTask<Stream> OpenReadAsync(string path, long offset, CancellationToken ct = default) =>
        inner.OpenReadAsync(path, offset, ct);

    public ValueTask<Stream> OpenWriteAsync(string path, long offset, bool truncate = true, bool createNew = false,
        CancellationToken ct = default) => inner.OpenWriteAsync(path, offset, truncate, createNew, ct);

    public ValueTask CreateDirectoryAsync(string path, CancellationToken ct = default) => inner.CreateDirectoryAsync(path, ct);

    public ValueTask DeleteFileAsync(string path, CancellationToken ct = default) => inner.DeleteFileAsync(path, ct);

    public ValueTask DeleteDirectoryAsync(string path, CancellationToken ct = default) => inner.DeleteDirectoryAsync(path, ct);

    public ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken ct = default) =>
        inner.MoveAsync(from, to, replace, ct);

    public ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken ct = default) =>
        inner.SetModifiedAsync(path, modified, ct);

    public ValueTask SetModeAsync(string path, UnixFileMode mode, CancellationToken ct = default) => inner.SetModeAsync(path, mode, ct);
}
