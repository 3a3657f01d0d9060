namespace Transfer.Tests.Faults;

/// <summary>What may be there after a run of a matrix.</summary>
internal static class MatrixJudge
{
    /// <summary>
    /// What is wrong with a file that was to be replaced; null: the old one or the new one is there, or the old one under a name that was
    /// told.
    /// </summary>
    /// <param name="files">All files, by their paths.</param>
    /// <param name="path">The file.</param>
    /// <param name="old">Its content before.</param>
    /// <param name="fresh">The content that was to replace it.</param>
    /// <param name="isDone">The operation has told success.</param>
    /// <param name="told">The messages of its errors.</param>
    public static string? Replaced(IReadOnlyDictionary<string, byte[]> files, string path, byte[] old, byte[] fresh, bool isDone,
        string told)
    {
        if (files.TryGetValue(path, out var there))
        {
            if (IsSame(there, fresh)) return null;
            if (!IsSame(there, old)) return $"{path} is neither the old nor the new one: {there.Length} bytes";
            return isDone ? $"{path} is the old one, and success was told" : null;
        }
        if (isDone) return $"{path} is absent, and success was told";
        var aside = files.Where(file => IsSame(file.Value, old)).Select(file => file.Key).ToList();
        if (aside.Count == 0) return $"the old content of {path} is gone";
        return aside.Any(name => told.Contains(name[(name.LastIndexOf('/') + 1)..], StringComparison.Ordinal))
            ? null : $"the old content of {path} is under {string.Join(", ", aside)}, which was not told: {told}";
    }

    public static string? Kept(IReadOnlyDictionary<string, byte[]> files, string path, byte[] content) =>
        files.TryGetValue(path, out var there) && IsSame(there, content) ? null : $"{path} was not to be touched";

    public static bool IsSame(byte[] one, byte[] other) => one.AsSpan().SequenceEqual(other);
}
