namespace Transfer.Wan.Runs;

/// <summary>Whether two folders hold the same files: names, every byte, and modification times where they are to be the same.</summary>
internal static class FolderComparison
{
    private const int Piece = 1 << 20;

    /// <summary>The first difference, for the reader of a record; null: none.</summary>
    /// <param name="expected">What was sent.</param>
    /// <param name="found">What is there.</param>
    /// <param name="timePrecision">Modification times differ by less; null: they are not looked at.</param>
    public static string? Difference(string expected, string found, TimeSpan? timePrecision)
    {
        var names = Names(expected);
        var there = Names(found);
        if (names.FirstOrDefault(name => !there.Contains(name)) is { } missing)
            return $"{names.Count - names.Count(there.Contains)} files are missing, {missing} first";
        if (there.FirstOrDefault(name => !names.Contains(name)) is { } more) return $"{more} was not sent";

        var left = new byte[Piece];
        var right = new byte[Piece];
        if (names.FirstOrDefault(name => !Same(Path.Combine(expected, name), Path.Combine(found, name), left, right)) is { } different)
            return $"{different} has other contents";
        return timePrecision is { } precision
            && names.FirstOrDefault(name => Apart(Path.Combine(expected, name), Path.Combine(found, name)) >= precision) is { } late
            ? $"{late} has another modification time"
            : null;
    }

    private static SortedSet<string> Names(string folder) =>
        new(Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Select(file => Path.GetRelativePath(folder, file)),
            StringComparer.Ordinal);

    private static TimeSpan Apart(string one, string other) => (File.GetLastWriteTimeUtc(one) - File.GetLastWriteTimeUtc(other)).Duration();

    private static bool Same(string one, string other, byte[] left, byte[] right)
    {
        using var first = new FileStream(one, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 1);
        using var second = new FileStream(other, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 1);
        if (first.Length != second.Length) return false;
        while (true)
        {
            var count = first.ReadAtLeast(left, Piece, throwOnEndOfStream: false);
            if (second.ReadAtLeast(right, Piece, throwOnEndOfStream: false) != count) return false;
            if (!left.AsSpan(0, count).SequenceEqual(right.AsSpan(0, count))) return false;
            if (count < Piece) return true;
        }
    }
}
