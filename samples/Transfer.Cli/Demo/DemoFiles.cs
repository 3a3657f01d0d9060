using System.Security.Cryptography;
using Transfer.Testing;

namespace Transfer.Cli.Demo;

/// <summary>The demo's files on disk, in a temporary folder that goes away with them.</summary>
internal sealed class DemoFiles : IDisposable
{
    public const int Count = 40;
    public const int Length = 10_000;

    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("transfer-demo-");

    public string Folder => Path.Combine(_root.FullName, "small");

    /// <summary>Names in <see cref="Folder"/>.</summary>
    public static IEnumerable<string> Names => Enumerable.Range(0, Count).Select(i => $"file-{i:D2}.bin");

    /// <summary>Writes files of bytes that do not compress.</summary>
    public async Task CreateAsync(CancellationToken ct)
    {
        Directory.CreateDirectory(Folder);
        var seed = 0;
        foreach (var name in Names)
        {
            await using var content = SyntheticContent.Open(Length, seed++);
            await using var file = File.Create(Path.Combine(Folder, name));
            await content.CopyToAsync(file, ct);
        }
    }

    /// <summary>A file to download into.</summary>
    public string Target(string name) => Path.Combine(_root.FullName, name);

    /// <summary>How many files are not the same at the server, by their SHA-256.</summary>
    public async Task<int> CountDifferencesAsync(MemoryStore store, string remoteFolder, CancellationToken ct)
    {
        var differences = 0;
        foreach (var name in Names)
        {
            var expected = await HashAsync(Path.Combine(Folder, name), ct);
            var sent = store.Exists($"{remoteFolder}/{name}") ? SHA256.HashData(store.ReadFile($"{remoteFolder}/{name}")) : [];
            if (!expected.AsSpan().SequenceEqual(sent)) differences++;
        }

        return differences;
    }

    /// <summary>Whether a file that was downloaded is the server's large one.</summary>
    public static async Task<bool> IsLargeAsync(string path, CancellationToken ct)
    {
        await using var content = SyntheticContent.Open(DemoServer.LargeLength, DemoServer.LargeSeed);
        var expected = await SHA256.HashDataAsync(content, ct);
        var received = File.Exists(path) ? await HashAsync(path, ct) : [];
        return expected.AsSpan().SequenceEqual(received);
    }

    public void Dispose() => _root.Delete(recursive: true);

    private static async Task<byte[]> HashAsync(string path, CancellationToken ct)
    {
        await using var file = File.OpenRead(path);
        return await SHA256.HashDataAsync(file, ct);
    }
}
