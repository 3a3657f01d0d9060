using Transfer.Sftp.Keys;

namespace Transfer.Testing.Keys;

/// <summary>The public keys that users log in with.</summary>
internal sealed class AuthorizedKeys
{
    private readonly List<SshPublicKey> _keys = [];

    /// <param name="lines">Lines as in <c>authorized_keys</c>: the type, the key in base64, a comment.</param>
    /// <exception cref="ArgumentException">A line is no public key.</exception>
    public AuthorizedKeys(IReadOnlyList<string> lines)
    {
        foreach (var line in lines)
        {
            var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            var blob = words.Length < 2 ? null : PublicKeyText.TryDecode(words[0], words[1]);
            if (blob is null) throw new ArgumentException($"'{line}' is no public key as in authorized_keys.", nameof(lines));
            _keys.Add(SshPublicKeys.Parse(blob));
        }
    }

    /// <summary>The key with that blob, or null.</summary>
    public SshPublicKey? Find(ReadOnlySpan<byte> blob)
    {
        foreach (var key in _keys)
        {
            if (key.Blob.Span.SequenceEqual(blob)) return key;
        }

        return null;
    }
}
