using System.Text.RegularExpressions;
using Transfer.Wan.Reports.Data;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>
/// What a client's label says of its cipher: the word behind <c>--ciphers</c> (ours) or <c>-c</c> (OpenSSH's), and a MAC where one is
/// named.
/// </summary>
internal static partial class CipherLabel
{
    /// <summary><c>aes128-gcm</c>, <c>aes128-ctr + hmac-sha2-256</c>; null: the client's own choice.</summary>
    public static string? CipherOf(Result result)
    {
        if (Cipher().Match(result.Client) is not { Success: true } cipher) return null;
        var name = cipher.Groups[1].Value.Split('@')[0];
        return Mac().Match(result.Client) is { Success: true } mac ? $"{name} + {mac.Value}" : name;
    }

    /// <summary>The program with its cipher: <c>transfer, aes128-gcm</c>.</summary>
    public static string SeriesOf(Result result) =>
        CipherOf(result) is { } cipher ? $"{result.Client.Split(' ')[0]}, {cipher}" : result.Client.Split(' ')[0];

    public static bool IsGcm(string cipher) => cipher.Contains("gcm", StringComparison.Ordinal);

    [GeneratedRegex(@"(?:--ciphers|-c) +([^\s,]+)", RegexOptions.CultureInvariant)]
    private static partial Regex Cipher();

    [GeneratedRegex("hmac-[a-z0-9-]+", RegexOptions.CultureInvariant)]
    private static partial Regex Mac();
}
