using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Files of a server whose RNTO refuses an existing name with 550, as IIS does, or any that the test names.</summary>
internal sealed class NoReplaceStore(MemoryStore inner) : ITestStore
{
    /// <summary>Renames that are refused besides, by their two paths.</summary>
    public Func<string, string, bool> Refuses { get; set; } = (_, _) => false;

    public long? FreeBytes => inner.FreeBytes;

    public ValueTask<TestEntry?> GetAsync(string path, CancellationToken ct = default) => inner.GetAsync(path, ct);

    public IAsyncEnumerable<TestEntry> ListAsync(string path, CancellationToken ct = default) => inner.ListAsync(path, ct);

    public ValueTask<Stream> OpenReadAsync(string path, long offset, CancellationToken ct = default) =>
        inner.OpenReadAsync(path, offset, ct);

    public ValueTask<Stream> OpenWriteAsync(string path, long offset, bool truncate = true, bool createNew = false,
        CancellationToken ct = default) => inner.OpenWriteAsync(path, offset, truncate, createNew, ct);

    public ValueTask CreateDirectoryAsync(string path, CancellationToken ct = default) => inner.CreateDirectoryAsync(path, ct);

    public ValueTask DeleteFileAsync(string path, CancellationToken ct = default) => inner.DeleteFileAsync(path, ct);

    public ValueTask DeleteDirectoryAsync(string path, CancellationToken ct = default) => inner.DeleteDirectoryAsync(path, ct);

    public async ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken ct = default)
    {
        if (Refuses(from, to) || await inner.GetAsync(to, ct) is not null) throw new UnauthorizedAccessException("The name is taken.");
        await inner.MoveAsync(from, to, replace, ct);
    }

    public ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken ct = default) =>
        inner.SetModifiedAsync(path, modified, ct);

    public ValueTask SetModeAsync(string path, UnixFileMode mode, CancellationToken ct = default) => inner.SetModeAsync(path, mode, ct);
}
