namespace Transfer.Wan.Runs;

/// <summary>Whether two folders hold the same files: names and every byte.</summary>
internal static class FolderComparison
{
    private const int Piece = 1 << 20;

    /// <summary>The first difference, for the reader of a record; null: none.</summary>
    public static string? Difference(string expected, string found)
    {
        var names = Names(expected);
        var there = Names(found);
        if (names.FirstOrDefault(name => !there.Contains(name)) is { } missing) return $"{names.Count - names.Count(there.Contains)} files are missing, {missing} first";
        if (there.FirstOrDefault(name => !names.Contains(name)) is { } more) return $"{more} was not sent";

        var left = new byte[Piece];
        var right = new byte[Piece];
        return names.FirstOrDefault(name => !Same(Path.Combine(expected, name), Path.Combine(found, name), left, right)) is { } different
            ? $"{different} has other contents"
            : null;
    }

    private static SortedSet<string> Names(string folder) =>
        new(Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Select(file => Path.GetRelativePath(folder, file)), StringComparer.Ordinal);

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
