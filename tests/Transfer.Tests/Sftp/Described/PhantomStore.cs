using Transfer.Testing;

namespace Transfer.Tests.Sftp.Described;

/// <summary>
/// MinIO's objects: folders are prefixes and have no time, each absent name is described as one of them, and listed as an empty one; what
/// is absent is deleted with success, and a folder with all that is in it.
/// </summary>
internal sealed class PhantomStore(MemoryStore inner) : ObjectStore(inner)
{
    private readonly MemoryStore _objects = inner;

    /// <summary>Whether the latest request for a path describes or lists; OPEN, REMOVE and others see the truth.</summary>
    public Func<string, bool> IsLook { get; set; } = static _ => false;

    public override async ValueTask<TestEntry?> GetAsync(string path, CancellationToken ct = default) =>
        await base.GetAsync(path, ct) is { IsDirectory: false } file ? file
        : _objects.Exists(path) || IsLook(path) ? Folder(path) : null;

    public override async IAsyncEnumerable<TestEntry> ListAsync(
        string path, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct = default)
    {
        if (await base.GetAsync(path, ct) is null) yield break;
        await foreach (var entry in base.ListAsync(path, ct)) yield return entry;
    }

    public override async ValueTask DeleteFileAsync(string path, CancellationToken ct = default)
    {
        if (await base.GetAsync(path, ct) is not null) await base.DeleteFileAsync(path, ct);
    }

    public override async ValueTask DeleteDirectoryAsync(string path, CancellationToken ct = default)
    {
        foreach (var file in _objects.Files.Where(IsBelow)) await base.DeleteFileAsync(file, ct);
        foreach (var folder in _objects.Directories.Where(IsBelow).Reverse()) await base.DeleteDirectoryAsync(folder, ct);
        if (_objects.Exists(path)) await base.DeleteDirectoryAsync(path, ct);

        bool IsBelow(string other) => other.StartsWith(path + "/", StringComparison.Ordinal);
    }

    // Go's time of no value, of the year 1, in the protocol's 32 bits.
    private static TestEntry Folder(string path) =>
        new() { Name = RemotePath.GetName(path), IsDirectory = true, Modified = DateTimeOffset.FromUnixTimeSeconds(2_288_912_640) };
}
