using System.Security.Cryptography;

namespace Transfer.Contents;

/// <summary>The hash of a file's content.</summary>
/// <param name="Digits">In lower-case hex.</param>
/// <param name="ReadBack">Whether the content had to be moved for the hash.</param>
internal readonly record struct FileHash(string Digits, bool ReadBack)
{
    /// <summary>The algorithms in use, best first, by their common names. A check sum is no proof that two files are alike.</summary>
    public static IReadOnlyList<string> Algorithms { get; } = ["SHA-256", "SHA-512", "SHA-1", "MD5"];

    /// <summary>The algorithm that most sides compute themselves; among equals the best.</summary>
    /// <param name="sides">The algorithms of each side.</param>
    public static string Choose(params ReadOnlySpan<IReadOnlyList<string>> sides)
    {
        var (chosen, most) = (Algorithms[0], 0);
        foreach (var algorithm in Algorithms)
        {
            var offers = 0;
            foreach (var side in sides) offers += IsAmong(side, algorithm) ? 1 : 0;
            if (offers > most) (chosen, most) = (algorithm, offers);
        }
        return chosen;
    }

    /// <summary>Whether a side offers an algorithm.</summary>
    public static bool IsAmong(IReadOnlyList<string> offered, string algorithm) =>
        offered.Contains(algorithm, StringComparer.OrdinalIgnoreCase);

    /// <summary>The name of an algorithm in .NET.</summary>
    public static HashAlgorithmName NameOf(string algorithm) => new(algorithm.Replace("SHA-", "SHA", StringComparison.Ordinal));

    /// <summary>Whether an algorithm is computed here.</summary>
    public static bool IsComputed(string algorithm) => algorithm == "SHA-384" || Algorithms.Contains(algorithm, StringComparer.Ordinal);

    /// <summary>Hashes a stream up to the end, in lower-case hex.</summary>
    public static async ValueTask<string> ComputeAsync(Stream content, string algorithm, CancellationToken ct)
    {
        return Convert.ToHexStringLower(await CryptographicOperations.HashDataAsync(NameOf(algorithm), content, ct).ConfigureAwait(false));
    }
}
