using System.Security.Cryptography;
using Transfer.Sftp.Ssh.Ciphers;

namespace Transfer.Sftp.Ssh.Kex;

/// <summary>Derives keys from the shared secret (RFC 4253 section 7.2).</summary>
/// <param name="hash">The method's hash.</param>
/// <param name="encodedSecret">K in the method's encoding.</param>
/// <param name="exchangeHash">H.</param>
/// <param name="sessionId">The first exchange's H.</param>
internal sealed class KeyDerivation(HashAlgorithmName hash, byte[] encodedSecret, byte[] exchangeHash, byte[] sessionId)
{
    /// <summary>The client's sending direction, or the server's receiving one.</summary>
    public PacketCipher CreateToServer(NegotiatedAlgorithms algorithms) =>
        Create(algorithms.CipherToServer, algorithms.MacToServer, 'A', 'C', 'E');

    public PacketCipher CreateToClient(NegotiatedAlgorithms algorithms) =>
        Create(algorithms.CipherToClient, algorithms.MacToClient, 'B', 'D', 'F');

    /// <summary>One key; the letters are the RFC's.</summary>
    public byte[] Derive(char letter, int size)
    {
        using var hasher = IncrementalHash.CreateHash(hash);
        var key = new byte[size];
        var made = 0;
        while (made < size)
        {
            hasher.AppendData(encodedSecret);
            hasher.AppendData(exchangeHash);
            if (made == 0)
            {
                hasher.AppendData([(byte)letter]);
                hasher.AppendData(sessionId);
            }
            else
            {
                hasher.AppendData(key.AsSpan(0, made));
            }

            var block = hasher.GetHashAndReset();
            var count = Math.Min(block.Length, size - made);
            block.AsSpan(0, count).CopyTo(key.AsSpan(made));
            CryptographicOperations.ZeroMemory(block);
            made += count;
        }

        return key;
    }

    /// <summary>Forgets the secret.</summary>
    public void Erase() => CryptographicOperations.ZeroMemory(encodedSecret);

    private PacketCipher Create(string cipherName, string? macName, char nonceLetter, char keyLetter, char macLetter)
    {
        var cipher = CipherAlgorithm.Get(cipherName);
        var mac = macName is null ? null : MacAlgorithm.Get(macName);
        var nonce = Derive(nonceLetter, cipher.NonceSize);
        var key = Derive(keyLetter, cipher.KeySize);
        var macKey = mac is null ? [] : Derive(macLetter, mac.Size);
        var made = cipher.Create(key, nonce, mac, macKey);
        CryptographicOperations.ZeroMemory(key);
        CryptographicOperations.ZeroMemory(macKey);
        return made;
    }
}
