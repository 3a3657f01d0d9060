using System.Security.Cryptography;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Soak;

/// <summary>A program that writes files into an outbox, fast and slowly, and again under names that were sent before.</summary>
internal sealed class SoakOutbox(string folder, Random random)
{
    private const int Names = 600;
    private const int SmallFile = 20_000;
    private const int LargeFile = 600_000;
    private static readonly TimeSpan SlowWriter = TimeSpan.FromSeconds(1);

    private int _next;

    /// <summary>The lengths of all versions of each file, in order.</summary>
    public Dictionary<string, List<long>> Lengths { get; } = new(StringComparer.Ordinal);

    /// <summary>The hash of the last version of each file.</summary>
    public Dictionary<string, string> Hashes { get; } = new(StringComparer.Ordinal);

    /// <summary>Writes one file.</summary>
    public async Task WriteAsync()
    {
        var number = _next++ % Names;
        var name = $"d{number % 7}/f{number}.dat";
        var path = Path.Combine(folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        if (File.Exists(path)) return;

        // Its version before is moved away only when that is at the server. An odd length tells versions apart.
        var content = Bytes.Random(1 + random.Next(random.Next(20) == 0 ? LargeFile : SmallFile), seed: _next);
        await using (var file = new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read))
        {
            var half = content.Length / 2;
            await file.WriteAsync(content.AsMemory(0, half));
            if (random.Next(15) == 0)
            {
                await file.FlushAsync();
                await Task.Delay(SlowWriter);
            }

            await file.WriteAsync(content.AsMemory(half));
        }

        if (!Lengths.TryGetValue(name, out var all)) Lengths.Add(name, all = []);
        all.Add(content.Length);
        Hashes[name] = Convert.ToHexStringLower(SHA256.HashData(content));
    }

    /// <summary>The files that wait.</summary>
    public int Waiting => Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Count();
}
