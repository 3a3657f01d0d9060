using FluentFTP;

namespace Transfer.FluentFtp.Session;

/// <summary>Hash commands: HASH (draft-bryan-ftpext-hash) and the older ones with an X.</summary>
internal static class FluentHashes
{
    /// <summary>The commands of a server, by the algorithms' common names.</summary>
    public static IReadOnlyDictionary<string, string> Of(AsyncFtpClient client)
    {
        var verbs = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        Add("SHA-256", FtpHashAlgorithm.SHA256, FtpCapability.XSHA256, "XSHA256");
        Add("SHA-512", FtpHashAlgorithm.SHA512, FtpCapability.XSHA512, "XSHA512");
        Add("SHA-1", FtpHashAlgorithm.SHA1, FtpCapability.XSHA1, "XSHA1");
        Add("MD5", FtpHashAlgorithm.MD5, FtpCapability.XMD5, "XMD5");
        return verbs;

        void Add(string name, FtpHashAlgorithm algorithm, FtpCapability capability, string verb)
        {
            if (client.HasFeature(FtpCapability.HASH) && client.HashAlgorithms.HasFlag(algorithm)) verbs[name] = "HASH";
            else if (client.HasFeature(capability)) verbs[name] = verb;
        }
    }

    /// <summary>The hash in a line of a reply, in lower-case hex; null: there is none.</summary>
    public static string? Find(string line, string algorithm)
    {
        var digits = algorithm.ToUpperInvariant() switch { "SHA-512" => 128, "SHA-256" => 64, "SHA-1" => 40, _ => 32 };
        return line.Split(' ').FirstOrDefault(word => word.Length == digits && word.All(char.IsAsciiHexDigit))?.ToLowerInvariant();
    }
}
