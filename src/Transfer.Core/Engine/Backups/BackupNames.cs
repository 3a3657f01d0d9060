using System.Globalization;

namespace Transfer.Engine.Backups;

/// <summary>Names of backups: that of the file, or, where taken, the same with a number behind, as cp does (<c>name.~1~</c>).</summary>
internal static class BackupNames
{
    /// <summary>Returns a name with a number above those of all backups of a file.</summary>
    /// <param name="name">The file's name.</param>
    /// <param name="taken">The names in the folder of backups.</param>
    public static string Next(string name, IEnumerable<string> taken)
    {
        var last = 0L;
        foreach (var other in taken)
        {
            if (NumberOf(other, name) is { } number) last = Math.Max(last, number);
        }
        return string.Create(CultureInfo.InvariantCulture, $"{name}.~{last + 1}~");
    }

    private static long? NumberOf(string backup, string name)
    {
        if (!backup.StartsWith(name, StringComparison.OrdinalIgnoreCase)) return null;
        var suffix = backup.AsSpan(name.Length);
        if (!suffix.StartsWith(".~") || !suffix.EndsWith("~") || suffix.Length < 4) return null;
        var isNumber = long.TryParse(suffix[2..^1], NumberStyles.None, CultureInfo.InvariantCulture, out var number);
        return isNumber && number < long.MaxValue ? number : null;
    }
}
