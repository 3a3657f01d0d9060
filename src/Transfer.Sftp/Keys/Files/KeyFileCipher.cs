using System.Security.Cryptography;

namespace Transfer.Sftp.Keys.Files;

/// <summary>The ciphers of encrypted OpenSSH key files, by SSH's names (RFC 4253, RFC 4344, PROTOCOL in OpenSSH's source).</summary>
internal sealed class KeyFileCipher
{
    private const int AesBlock = 16;

    private readonly Mode _mode;

    private KeyFileCipher(Mode mode, int keySize)
    {
        _mode = mode;
        KeySize = keySize;
    }

    private enum Mode
    {
        Counter,
        Chaining,
        Galois,
    }

    public int KeySize { get; }

    public int NonceSize => _mode == Mode.Galois ? 12 : AesBlock;

    /// <summary>The bytes of the tag that follows the encrypted part.</summary>
    public int TagSize => _mode == Mode.Galois ? 16 : 0;

    /// <summary>The cipher of that name, or null.</summary>
    public static KeyFileCipher? Find(string name) => name switch
    {
        "aes128-ctr" => new KeyFileCipher(Mode.Counter, 16),
        "aes192-ctr" => new KeyFileCipher(Mode.Counter, 24),
        "aes256-ctr" => new KeyFileCipher(Mode.Counter, 32),
        "aes128-cbc" => new KeyFileCipher(Mode.Chaining, 16),
        "aes192-cbc" => new KeyFileCipher(Mode.Chaining, 24),
        "aes256-cbc" => new KeyFileCipher(Mode.Chaining, 32),
        "aes128-gcm@openssh.com" => new KeyFileCipher(Mode.Galois, 16),
        "aes256-gcm@openssh.com" => new KeyFileCipher(Mode.Galois, 32),
        _ => null,
    };

    /// <summary>Decrypts whole blocks; false when the tag does not fit, which only some ciphers notice.</summary>
    public bool TryDecrypt(ReadOnlySpan<byte> key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> encrypted, ReadOnlySpan<byte> tag,
        Span<byte> plain)
    {
        if (_mode == Mode.Galois)
        {
            using var gcm = new AesGcm(key, TagSize);
            try
            {
                gcm.Decrypt(nonce, encrypted, tag, plain);
                return true;
            }
            catch (AuthenticationTagMismatchException)
            {
                return false;
            }
        }

        using var aes = Aes.Create();
        aes.SetKey(key);
        if (_mode == Mode.Chaining) aes.DecryptCbc(encrypted, nonce, plain, PaddingMode.None);
        else Count(aes, nonce, encrypted, plain);
        return true;
    }

    /// <summary>Counter mode (RFC 4344 section 4): the encrypted counters are the key stream.</summary>
    private static void Count(Aes aes, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> encrypted, Span<byte> plain)
    {
        Span<byte> counter = stackalloc byte[AesBlock];
        nonce.CopyTo(counter);
        for (var at = 0; at < plain.Length; at += AesBlock)
        {
            counter.CopyTo(plain[at..]);
            for (var i = AesBlock - 1; i >= 0 && ++counter[i] == 0; i--)
            {
                // The carry goes on.
            }
        }

        aes.EncryptEcb(plain, plain, PaddingMode.None);
        for (var i = 0; i < plain.Length; i++) plain[i] ^= encrypted[i];
    }
}
