using System.Buffers;

namespace Transfer.Wan.Clients;

/// <summary>Words for POSIX shells, which rsync, lftp and pipes need.</summary>
internal static class ShellWords
{
    private static readonly SearchValues<char> Harmless =
        SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@+");

    /// <summary>One word that the shell takes as it is.</summary>
    public static string Quote(string word) =>
        word.Length > 0 && !word.AsSpan().ContainsAnyExcept(Harmless) ? word : $"'{word.Replace("'", "'\\''", StringComparison.Ordinal)}'";

    public static string Join(IEnumerable<string> words) => string.Join(' ', words.Select(Quote));
}
