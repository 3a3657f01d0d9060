namespace Transfer.Ftp.Session;

/// <summary>
/// The commands by which a server computes hashes: HASH (draft-bryan-ftpext-hash) for the algorithms listed there, else the older X
/// commands.
/// </summary>
internal static class FtpHashCommands
{
    private static readonly (string Verb, string Algorithm)[] Older =
    [
        ("XSHA512", "SHA-512"), ("XSHA256", "SHA-256"), ("XSHA1", "SHA-1"), ("XSHA", "SHA-1"), ("XMD5", "MD5"), ("MD5", "MD5"),
        ("XCRC", "CRC32"),
    ];

    /// <summary>Algorithm to verb, strongest first by insertion.</summary>
    public static IReadOnlyDictionary<string, string> From(FtpFeatureSet features)
    {
        var commands = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        if (features.TryGet("HASH", out var listed))
        {
            foreach (var name in listed.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
                commands.TryAdd(name.TrimEnd('*').ToUpperInvariant(), "HASH");
        }
        foreach (var (verb, algorithm) in Older)
        {
            if (features.Has(verb)) commands.TryAdd(algorithm, verb);
        }
        return commands;
    }

    /// <summary>Finds the hash in a reply: the longest run of hex digits of the algorithm's length; null: none.</summary>
    public static string? Find(string text, string algorithm)
    {
        var digits = algorithm.ToUpperInvariant() switch
        {
            "SHA-512" => 128,
            "SHA-256" => 64,
            "SHA-1" => 40,
            "MD5" => 32,
            "CRC32" => 8,
            _ => 0,
        };
        foreach (var range in text.AsSpan().SplitAny(' ', '\t', '"', ','))
        {
            var word = text.AsSpan()[range];
            // CRC32 comes without leading zeros from some servers.
            if (word.IsEmpty || word.ContainsAnyExcept(HexDigits)) continue;
            if (word.Length == digits) return word.ToString().ToLowerInvariant();
            if (digits == 8 && word.Length is > 0 and < 8 && word.Length == text.AsSpan().Trim().Length)
                return word.ToString().PadLeft(8, '0').ToLowerInvariant();
        }
        return null;
    }

    private static readonly System.Buffers.SearchValues<char> HexDigits = System.Buffers.SearchValues.Create("0123456789abcdefABCDEF");
}
