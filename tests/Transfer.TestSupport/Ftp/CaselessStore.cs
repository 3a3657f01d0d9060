using Transfer.Testing;

namespace Transfer.TestSupport.Ftp;

/// <summary>
/// Files as servers on Windows have them: names are found in any spelling and keep the one they were made with, and none may have a colon.
/// </summary>
internal sealed class CaselessStore(MemoryStore inner) : StoreFront(inner)
{
    private readonly MemoryStore _inner = inner;

    public override ValueTask<TestEntry?> GetAsync(string path, CancellationToken ct = default) => base.GetAsync(Find(path), ct);

    public override IAsyncEnumerable<TestEntry> ListAsync(string path, CancellationToken ct = default) =>
        base.ListAsync(Find(path), ct);

    public override ValueTask<Stream> OpenReadAsync(string path, long offset, CancellationToken ct = default) =>
        base.OpenReadAsync(Find(path), offset, ct);

    public override ValueTask<Stream> OpenWriteAsync(string path, long offset, bool truncate = true, bool createNew = false,
        CancellationToken ct = default) => base.OpenWriteAsync(Allowed(path), offset, truncate, createNew, ct);

    public override ValueTask CreateDirectoryAsync(string path, CancellationToken ct = default) =>
        base.CreateDirectoryAsync(Allowed(path), ct);

    public override ValueTask DeleteFileAsync(string path, CancellationToken ct = default) => base.DeleteFileAsync(Find(path), ct);

    public override ValueTask DeleteDirectoryAsync(string path, CancellationToken ct = default) =>
        base.DeleteDirectoryAsync(Find(path), ct);

    /// <summary>A rename onto a name that is there, in whatever spelling, is refused.</summary>
    public bool RefusesExisting { get; init; }

    public override async ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken ct = default)
    {
        if (!RefusesExisting)
        {
            await base.MoveAsync(Find(from), Allowed(to), replace, ct);
            return;
        }
        if (await base.GetAsync(Find(to), ct) is not null) throw new UnauthorizedAccessException("The name is taken.");
        await base.MoveAsync(Find(from), $"{Find(RemotePath.GetParent(to)!).TrimEnd('/')}/{RemotePath.GetName(to)}", replace, ct);
    }

    public override ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken ct = default) =>
        base.SetModifiedAsync(Find(path), modified, ct);

    public override ValueTask SetModeAsync(string path, UnixFileMode mode, CancellationToken ct = default) =>
        base.SetModeAsync(Find(path), mode, ct);

    private string Allowed(string path) =>
        path.Contains(':', StringComparison.Ordinal) ? throw new UnauthorizedAccessException("No such name here.") : Find(path);

    // Component by component: what is not there keeps the spelling it is asked for in.
    private string Find(string path)
    {
        var there = _inner.Files.Concat(_inner.Directories).ToList();
        var at = string.Empty;
        foreach (var name in path.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            var next = $"{at}/{name}";
            at = there.Find(known => string.Equals(known, next, StringComparison.OrdinalIgnoreCase)) ?? next;
        }
        return at.Length == 0 ? "/" : at;
    }
}
