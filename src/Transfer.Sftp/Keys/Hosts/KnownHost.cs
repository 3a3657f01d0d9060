using System.Security.Cryptography;
using System.Text;

namespace Transfer.Sftp.Keys.Hosts;

/// <summary>One line of known_hosts (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).</summary>
internal sealed class KnownHost
{
    private const string HashPrefix = "|1|";

    private readonly string[] _patterns;
    private readonly byte[]? _salt;
    private readonly byte[]? _hash;

    private KnownHost(KnownHostMarker marker, string[] patterns, byte[]? salt, byte[]? hash, string type, byte[] blob)
    {
        Marker = marker;
        _patterns = patterns;
        _salt = salt;
        _hash = hash;
        Type = type;
        Blob = blob;
    }

    public KnownHostMarker Marker { get; }

    public string Type { get; }

    public byte[] Blob { get; }

    /// <summary>The file and number of the line, for messages.</summary>
    public required string Place { get; init; }

    /// <summary>Reads one line that is neither empty nor a comment; null when invalid.</summary>
    public static KnownHost? Parse(string line, string place)
    {
        var fields = line.Split((char[]?)[' ', '\t'], StringSplitOptions.RemoveEmptyEntries).AsSpan();
        var marker = KnownHostMarker.None;
        if (fields is [['@', ..], ..])
        {
            marker = fields[0] switch
            {
                "@cert-authority" => KnownHostMarker.Authority,
                "@revoked" => KnownHostMarker.Revoked,
                _ => KnownHostMarker.None,
            };
            if (marker == KnownHostMarker.None) return null;
            fields = fields[1..];
        }

        if (fields.Length < 3 || PublicKeyText.TryDecode(fields[1], fields[2]) is not { } blob) return null;
        if (!fields[0].StartsWith('|')) return new KnownHost(marker, fields[0].Split(','), null, null, fields[1], blob) { Place = place };

        // |1|salt|hash: HMAC-SHA1 of the name, both in base64.
        var parts = fields[0].Split('|');
        var salt = new byte[64];
        var hash = new byte[64];
        if (!fields[0].StartsWith(HashPrefix, StringComparison.Ordinal) || parts.Length != 4
            || !Convert.TryFromBase64String(parts[2], salt, out var saltLength) || !Convert.TryFromBase64String(parts[3], hash,
                out var hashLength)
            || saltLength == 0 || hashLength != HMACSHA1.HashSizeInBytes)
        {
            return null;
        }

        return new KnownHost(marker, [], salt[..saltLength], hash[..hashLength], fields[1], blob) { Place = place };
    }

    /// <summary>A name as a salted hash, which replaces the name in a line (HashKnownHosts).</summary>
    public static string Hash(string name)
    {
        var salt = RandomNumberGenerator.GetBytes(HMACSHA1.HashSizeInBytes);
        return $"{HashPrefix}{Convert.ToBase64String(salt)}|{Convert.ToBase64String(Hash(name, salt))}";
    }

    /// <summary>True when the line is for that name: a host, or <c>[host]:port</c>, in small letters.</summary>
    public bool Matches(string name)
    {
        if (_salt is null) return HostPatterns.Match(_patterns, name);

        return Hash(name, _salt).AsSpan().SequenceEqual(_hash);
    }

    // SHA-1 is the file's format; it hides names, and no security rests on it.
    private static byte[] Hash(string name, byte[] salt) =>
        CryptographicOperations.HmacData(HashAlgorithmName.SHA1, salt, Encoding.UTF8.GetBytes(name));
}
