using System.Globalization;

namespace Transfer.ServerTests.Support;

/// <summary>
/// A folder full of small files with odd names, empty ones among them, in folders with odd names; and how two such folders compare.
/// </summary>
internal static class TestTree
{
    private const int FilesPerFolder = 100;

    /// <summary>Writes <paramref name="files"/> files; returns the bytes in them.</summary>
    public static long Write(string root, int files)
    {
        var bytes = 0L;
        for (var i = 0; i < files; i++)
        {
            var folder = Directory.CreateDirectory(Path.Combine(root, FolderName(i / FilesPerFolder))).FullName;
            var content = Bytes.Random(Size(i), seed: i);
            var path = Path.Combine(folder, FileName(i));
            File.WriteAllBytes(path, content);
            File.SetLastWriteTimeUtc(path, new DateTime(2003, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddSeconds(i * 300_007L));
            bytes += content.Length;
        }

        Directory.CreateDirectory(Path.Combine(root, "empty folder"));
        return bytes;
    }

    /// <summary>What has its name and is not whole, while a job is under way or broken off; what is unfinished has another name.</summary>
    public static IEnumerable<string> Half(string expected, string actual) => Differences(expected, actual, TimeSpan.MaxValue)
        .Where(line => !line.StartsWith("missing: ", StringComparison.Ordinal) && !line.Contains(".transfer-", StringComparison.Ordinal));

    /// <summary>Unfinished files in a folder.</summary>
    public static IEnumerable<string> Leftovers(string root) =>
        Entries(root).Keys.Where(name => name.Contains(".transfer-", StringComparison.Ordinal));

    /// <summary>
    /// Every difference of names, kinds, contents and modification times (to the second); empty when the trees are the same.
    /// </summary>
    public static List<string> Differences(string expected, string actual, TimeSpan timePrecision)
    {
        var left = Entries(expected);
        var right = Entries(actual);
        List<string> differences =
        [
            .. left.Keys.Except(right.Keys).Select(name => "missing: " + name),
            .. right.Keys.Except(left.Keys).Select(name => "too many: " + name),
        ];
        foreach (var (name, info) in left)
        {
            if (!right.TryGetValue(name, out var other)) continue;
            if (info is FileInfo != other is FileInfo) differences.Add("another kind: " + name);
            else if (info is FileInfo) differences.AddRange(FileDifferences(name, info, other, timePrecision));
        }

        return differences;
    }

    private static IEnumerable<string> FileDifferences(string name, FileSystemInfo expected, FileSystemInfo actual, TimeSpan timePrecision)
    {
        if (!File.ReadAllBytes(expected.FullName).AsSpan().SequenceEqual(File.ReadAllBytes(actual.FullName)))
            yield return "another content: " + name;
        if ((expected.LastWriteTimeUtc - actual.LastWriteTimeUtc).Duration() >= timePrecision)
            yield return $"another time: {name}: {expected.LastWriteTimeUtc:u}, {actual.LastWriteTimeUtc:u}";
    }

    private static Dictionary<string, FileSystemInfo> Entries(string root) =>
        new DirectoryInfo(root).EnumerateFileSystemInfos("*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 })
            .ToDictionary(info => Path.GetRelativePath(root, info.FullName), StringComparer.Ordinal);

    // The first is the root itself; every third lies in the one before.
    private static string FolderName(int index) => index switch
    {
        0 => string.Empty,
        _ when index % 3 == 0 => Path.Combine(FolderName(index - 1), "below"),
        _ => Prefixed(index, OddNames.Folders[index % OddNames.Folders.Length]),
    };

    private static string FileName(int index) =>
        index < OddNames.All.Length ? OddNames.All[index] : Prefixed(index, OddNames.All[index % OddNames.All.Length]);

    // The number keeps names apart; a short one keeps the long names under the file system's 255 bytes. Behind it a leading dash or dot
    // leads no more.
    private static string Prefixed(int index, string name) => name[0] is '-' or '.' ? $"{name}{Number(index)}" : $"{Number(index)}{name}";

    private static string Number(int index) => index.ToString("x4", CultureInfo.InvariantCulture);

    private static int Size(int index) => index switch
    {
        _ when index % 11 == 0 => 0,
        _ when index % 250 == 7 => 700_001,
        _ => index * 7919 % 12_289,
    };
}
