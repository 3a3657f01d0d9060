using Transfer.Testing;

namespace Transfer.Tests.Batch.Spool;

/// <summary>A folder as some servers show it: what exists can't be replaced by a rename.</summary>
internal sealed class PickyStore(string root) : ITestStore
{
    private readonly DirectoryStore _inner = new(root);

    public long? FreeBytes => _inner.FreeBytes;

    public ValueTask<TestEntry?> GetAsync(string path, CancellationToken ct = default) => _inner.GetAsync(path, ct);

    public IAsyncEnumerable<TestEntry> ListAsync(string path, CancellationToken ct = default) => _inner.ListAsync(path, ct);

    public ValueTask<Stream> OpenReadAsync(string path, long offset, CancellationToken ct = default) =>
        _inner.OpenReadAsync(path, offset, ct);

    public ValueTask<Stream> OpenWriteAsync(string path, long offset, bool truncate = true, bool createNew = false,
        CancellationToken ct = default) => _inner.OpenWriteAsync(path, offset, truncate, createNew, ct);

    public ValueTask CreateDirectoryAsync(string path, CancellationToken ct = default) => _inner.CreateDirectoryAsync(path, ct);

    public ValueTask DeleteFileAsync(string path, CancellationToken ct = default) => _inner.DeleteFileAsync(path, ct);

    public ValueTask DeleteDirectoryAsync(string path, CancellationToken ct = default) => _inner.DeleteDirectoryAsync(path, ct);

    public async ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken ct = default)
    {
        if (await _inner.GetAsync(to, ct) is not null) throw new IOException("There is something of that name.");
        await _inner.MoveAsync(from, to, replace, ct);
    }

    public ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken ct = default) =>
        _inner.SetModifiedAsync(path, modified, ct);

    public ValueTask SetModeAsync(string path, UnixFileMode mode, CancellationToken ct = default) => _inner.SetModeAsync(path, mode, ct);
}
