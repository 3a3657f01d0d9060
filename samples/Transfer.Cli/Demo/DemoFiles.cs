using System.Security.Cryptography;
using Transfer.Testing;

namespace Transfer.Cli.Demo;

/// <summary>The demo's files on disk, in a temporary folder that goes away with them.</summary>
internal sealed class DemoFiles : IDisposable
{
    public const int SmallCount = 60;
    public const int SmallLength = 10_000;
    public const int LargeLength = 16 * 1024 * 1024;
    private const string LargeName = "large.bin";

    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("transfer-demo-");

    public string SmallFolder => Path.Combine(_root.FullName, "small");

    public string LargeFile => Path.Combine(_root.FullName, LargeName);

    /// <summary>Writes files of bytes that do not compress.</summary>
    public async Task CreateAsync(CancellationToken ct)
    {
        Directory.CreateDirectory(SmallFolder);
        for (var i = 0; i < SmallCount; i++) await WriteAsync(Path.Combine(SmallFolder, $"file-{i:D2}.bin"), SmallLength, i, ct);
        await WriteAsync(LargeFile, LargeLength, SmallCount, ct);
    }

    /// <summary>A folder to download into.</summary>
    public string Target(string name) => Directory.CreateDirectory(Path.Combine(_root.FullName, name)).FullName;

    /// <summary>How many files are not the same, by their SHA-256: at the server as they were sent, and here as they came back.</summary>
    public async Task<int> CountDifferencesAsync(MemoryStore store, string remoteFolder, string localTarget, CancellationToken ct)
    {
        var differences = 0;
        var names = Directory.EnumerateFiles(SmallFolder).Select(Path.GetFileName).Select(name => Path.Combine("small", name!)).Append(LargeName);
        foreach (var name in names)
        {
            var expected = await HashAsync(Path.Combine(_root.FullName, name), ct);
            var remote = remoteFolder + "/" + name.Replace(Path.DirectorySeparatorChar, '/');
            var sent = store.Exists(remote) ? SHA256.HashData(store.ReadFile(remote)) : [];
            var back = Path.Combine(localTarget, name);
            var received = File.Exists(back) ? await HashAsync(back, ct) : [];
            if (!expected.AsSpan().SequenceEqual(sent) || !expected.AsSpan().SequenceEqual(received)) differences++;
        }

        return differences;
    }

    public void Dispose() => _root.Delete(recursive: true);

    private static async Task WriteAsync(string path, int length, int seed, CancellationToken ct)
    {
        await using var content = SyntheticContent.Open(length, seed);
        await using var file = File.Create(path);
        await content.CopyToAsync(file, ct);
    }

    private static async Task<byte[]> HashAsync(string path, CancellationToken ct)
    {
        await using var file = File.OpenRead(path);
        return await SHA256.HashDataAsync(file, ct);
    }
}
