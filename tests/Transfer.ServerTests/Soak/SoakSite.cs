using System.Security.Cryptography;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Soak;

/// <summary>A folder that changes from night to night: files come, change, go, and get other names.</summary>
internal sealed class SoakSite(string folder, Random random)
{
    private const int Files = 200;
    private const int LargestFile = 40_000;
    private const int ChangesOfDay = 30;

    private int _next;

    /// <summary>Writes the files of the beginning.</summary>
    public void Fill()
    {
        while (_next < Files) Write($"p{_next % 9}/n{_next}");
    }

    /// <summary>Changes the folder as a day does.</summary>
    public void Change()
    {
        for (var i = 0; i < ChangesOfDay; i++)
        {
            string[] all = [.. Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories)];
            var one = all[random.Next(all.Length)];
            switch (random.Next(4))
            {
                case 0:
                    Write($"p{random.Next(9)}/n{_next}");
                    break;
                case 1 when all.Length > Files / 2:
                    File.Delete(one);
                    break;
                case 2:
                    File.Move(one, Path.Combine(folder, $"p{random.Next(9)}", $"m{_next++}"));
                    break;
                default:
                    Write(Path.GetRelativePath(folder, one));
                    break;
            }
        }
    }

    /// <summary>The hashes of all files in a folder, without unfinished ones, which no night has to keep.</summary>
    public static HashSet<string> HashesIn(string folder) => !Directory.Exists(folder) ? []
        : [.. Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories)
            .Where(path => !path.Contains(".transfer-", StringComparison.Ordinal))
            .Select(path => Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(path))))];

    private void Write(string name)
    {
        var path = Path.Combine(folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, Bytes.Random(1 + random.Next(LargestFile), seed: ++_next));
    }
}
