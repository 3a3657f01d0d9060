using Transfer.Testing;

namespace Transfer.TestSupport.Ftp;

/// <summary>A server's files with a front of another behaviour: all that a derived class does not override is the inner store's.</summary>
internal abstract class StoreFront(ITestStore inner) : ITestStore
{
    public long? FreeBytes => inner.FreeBytes;

    public virtual ValueTask<TestEntry?> GetAsync(string path, CancellationToken ct = default) => inner.GetAsync(path, ct);

    public virtual IAsyncEnumerable<TestEntry> ListAsync(string path, CancellationToken ct = default) => inner.ListAsync(path, ct);

    public virtual ValueTask<Stream> OpenReadAsync(string path, long offset, CancellationToken ct = default) =>
        inner.OpenReadAsync(path, offset, ct);

    public virtual ValueTask<Stream> OpenWriteAsync(string path, long offset, bool truncate = true, bool createNew = false,
        CancellationToken ct = default) => inner.OpenWriteAsync(path, offset, truncate, createNew, ct);

    public virtual ValueTask CreateDirectoryAsync(string path, CancellationToken ct = default) => inner.CreateDirectoryAsync(path, ct);

    public virtual ValueTask DeleteFileAsync(string path, CancellationToken ct = default) => inner.DeleteFileAsync(path, ct);

    public virtual ValueTask DeleteDirectoryAsync(string path, CancellationToken ct = default) => inner.DeleteDirectoryAsync(path, ct);

    public virtual ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken ct = default) =>
        inner.MoveAsync(from, to, replace, ct);

    public virtual ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken ct = default) =>
        inner.SetModifiedAsync(path, modified, ct);

    public virtual ValueTask SetModeAsync(string path, UnixFileMode mode, CancellationToken ct = default) =>
        inner.SetModeAsync(path, mode, ct);
}
