using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>
/// Files as servers on Windows have them: names are found in any spelling and keep the one they were made with, and none may have a colon.
/// </summary>
internal sealed class CaselessStore(MemoryStore inner) : ITestStore
{
    public long? FreeBytes => inner.FreeBytes;

    public ValueTask<TestEntry?> GetAsync(string path, CancellationToken ct = default) => inner.GetAsync(Find(path), ct);

    public IAsyncEnumerable<TestEntry> ListAsync(string path, CancellationToken ct = default) => inner.ListAsync(Find(path), ct);

    public ValueTask<Stream> OpenReadAsync(string path, long offset, CancellationToken ct = default) =>
        inner.OpenReadAsync(Find(path), offset, ct);

    public ValueTask<Stream> OpenWriteAsync(string path, long offset, bool truncate = true, bool createNew = false,
        CancellationToken ct = default) => inner.OpenWriteAsync(Allowed(path), offset, truncate, createNew, ct);

    public ValueTask CreateDirectoryAsync(string path, CancellationToken ct = default) => inner.CreateDirectoryAsync(Allowed(path), ct);

    public ValueTask DeleteFileAsync(string path, CancellationToken ct = default) => inner.DeleteFileAsync(Find(path), ct);

    public ValueTask DeleteDirectoryAsync(string path, CancellationToken ct = default) => inner.DeleteDirectoryAsync(Find(path), ct);

    /// <summary>A rename onto a name that is there, in whatever spelling, is refused.</summary>
    public bool RefusesExisting { get; init; }

    public async ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken ct = default)
    {
        if (!RefusesExisting)
        {
            await inner.MoveAsync(Find(from), Allowed(to), replace, ct);
            return;
        }
        if (await inner.GetAsync(Find(to), ct) is not null) throw new UnauthorizedAccessException("The name is taken.");
        await inner.MoveAsync(Find(from), $"{Find(RemotePath.GetParent(to)!).TrimEnd('/')}/{RemotePath.GetName(to)}", replace, ct);
    }

    public ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken ct = default) =>
        inner.SetModifiedAsync(Find(path), modified, ct);

    public ValueTask SetModeAsync(string path, UnixFileMode mode, CancellationToken ct = default) =>
        inner.SetModeAsync(Find(path), mode, ct);

    private string Allowed(string path) =>
        path.Contains(':', StringComparison.Ordinal) ? throw new UnauthorizedAccessException("No such name here.") : Find(path);

    // Component by component: what is not there keeps the spelling it is asked for in.
    private string Find(string path)
    {
        var there = inner.Files.Concat(inner.Directories).ToList();
        var at = string.Empty;
        foreach (var name in path.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            var next = $"{at}/{name}";
            at = there.Find(known => string.Equals(known, next, StringComparison.OrdinalIgnoreCase)) ?? next;
        }
        return at.Length == 0 ? "/" : at;
    }
}
