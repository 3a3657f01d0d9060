using System.Text;

namespace Transfer.Sftp.Keys.Hosts;

/// <summary>
/// A file of revoked keys (RevokedHostKeys in ssh_config(5)), read anew each time: public keys, one a line, or a key revocation list in
/// OpenSSH's binary form.
/// </summary>
internal static class RevokedKeysFile
{
    /// <summary>Two million serial numbers; more is a mistake.</summary>
    private const int MaximumSize = 16 * 1024 * 1024;

    /// <summary>Returns the reason why a key is revoked, or null. A certificate is revoked with the key or authority, too.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.HostKey"/>: the file is unreadable or invalid. Going on without it could accept a revoked key.
    /// </exception>
    public static string? FindReason(string path, SshPublicKey key)
    {
        var content = Read(path);
        try
        {
            var reason = KeyRevocationList.HasMagic(content)
                ? KeyRevocationList.Parse(content).FindReason(key) : FindLine(Encoding.UTF8.GetString(content), key);
            return reason is null ? null : $"{reason} ({path})";
        }
        catch (TransferException e)
        {
            throw new TransferException(TransferError.HostKey,
                $"The revoked keys in {path} are not understood, and no host is taken without them: {e.Message}", e);
        }
    }

    private static string? FindLine(string text, SshPublicKey key)
    {
        var number = 0;
        foreach (var line in text.Split('\n').Select(line => line.Trim()))
        {
            number++;
            if (line.Length == 0 || line[0] == '#') continue;
            var blob = ReadKey(line) ?? throw new TransferException(TransferError.Protocol, $"Line {number} is no public key.");
            if (MatchesKey(blob, key)) return "it is listed";
        }

        return null;
    }

    // Reads the type and the key; fields before them, as in authorized_keys, are skipped.
    private static byte[]? ReadKey(string line)
    {
        var words = line.Split((char[]?)[' ', '\t'], StringSplitOptions.RemoveEmptyEntries);
        for (var i = 0; i + 1 < words.Length; i++)
        {
            if (PublicKeyText.TryDecode(words[i], words[i + 1]) is { } blob) return blob;
        }

        return null;
    }

    private static bool MatchesKey(byte[] blob, SshPublicKey key) => key.Blob.Span.SequenceEqual(blob)
        || (key is SshCertificate certificate
            && (certificate.Key.Blob.Span.SequenceEqual(blob) || certificate.Authority.Span.SequenceEqual(blob)));

    private static byte[] Read(string path)
    {
        try
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            if (file.Length > MaximumSize)
                throw new TransferException(TransferError.HostKey, $"{path} is too large for a file of revoked keys.");
            var content = new byte[file.Length];
            file.ReadExactly(content);
            return content;
        }
        catch (Exception error)
            when (error is UnauthorizedAccessException or NotSupportedException or (IOException and not TransferException))
        {
            throw new TransferException(TransferError.HostKey,
                $"The revoked keys in {path} cannot be read, and no host is taken without them: {error.Message}", error);
        }
    }
}
