namespace Transfer.Sftp.Ssh.Ciphers;

/// <summary>An encryption algorithm: the name, the sizes of the keys, and whether a tag authenticates.</summary>
internal sealed record CipherAlgorithm(string Name, int KeySize, int NonceSize, bool Authenticates)
{
    /// <summary>The cipher that is open to a Terrapin attack where the key exchange is not strict.</summary>
    public const string ChaChaPoly = "chacha20-poly1305@openssh.com";

    /// <summary>
    /// All built-in ciphers, best first. AES is faster with the processor's instructions; ChaCha20 is for servers that have nothing else.
    /// </summary>
    public static readonly IReadOnlyList<CipherAlgorithm> All =
    [
        new("aes128-gcm@openssh.com", 16, GcmCipher.NonceSize, true),
        new("aes256-gcm@openssh.com", 32, GcmCipher.NonceSize, true),
        new("aes128-ctr", 16, 16, false),
        new("aes192-ctr", 24, 16, false),
        new("aes256-ctr", 32, 16, false),
        new(ChaChaPoly, ChaChaPolyCipher.KeySize, 0, true),
    ];

    public static CipherAlgorithm Get(string name) => All.First(cipher => cipher.Name == name);

    /// <summary>Makes the cipher of one direction; the MAC is null where the cipher authenticates.</summary>
    public PacketCipher Create(ReadOnlySpan<byte> key, ReadOnlySpan<byte> nonce, MacAlgorithm? mac, ReadOnlySpan<byte> macKey)
    {
        if (Name == ChaChaPoly) return new ChaChaPolyCipher(key);
        if (Authenticates) return new GcmCipher(key, nonce);
        ArgumentNullException.ThrowIfNull(mac);
        var stream = new CtrKeyStream(key, nonce);
        var packetMac = new PacketMac(mac.Hash, macKey, mac.Size);
        return mac.EncryptThenMac ? new CtrEtmCipher(stream, packetMac) : new CtrCipher(stream, packetMac);
    }
}
