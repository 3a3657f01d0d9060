using System.Security.Cryptography;
using System.Text;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Direct;

/// <summary>
/// How each side shows that it knows the token's secret: HMAC-SHA256 over its role, both sides' nonces and the receiver's certificate. The receiver's nonce is the
/// certificate's serial number, which is fresh for each connection: so it comes with the handshake, and the sender's proof goes out without waiting for anything more.
/// Bound to the certificate, a proof is worth nothing on any other connection.
/// </summary>
internal static class DirectProof
{
    public const int Length = HMACSHA256.HashSizeInBytes;

    /// <summary>The sender's proof.</summary>
    public static byte[] OfSender(BatchToken token, ReadOnlySpan<byte> senderNonce, ReadOnlySpan<byte> certificate) => Compute(token, "transfer direct 1 sender", senderNonce, [], certificate);

    /// <summary>The receiver's proof.</summary>
    public static byte[] OfReceiver(BatchToken token, ReadOnlySpan<byte> senderNonce, ReadOnlySpan<byte> receiverNonce, ReadOnlySpan<byte> certificate) =>
        Compute(token, "transfer direct 1 receiver", senderNonce, receiverNonce, certificate);

    /// <summary>
    /// Whether the receiver has files already, which it tells by the nonce that it chooses: so a sender knows it with the handshake and need not wait a round trip for whether it
    /// may ask for them, and whoever has not the secret learns nothing.
    /// </summary>
    /// <param name="token">The receiver's.</param>
    /// <param name="serial">The certificate's serial number, the most significant byte first.</param>
    public static bool TellsOfFiles(BatchToken token, ReadOnlySpan<byte> serial)
    {
        var key = token.DeriveKey("transfer direct 1 files");
        Span<byte> mac = stackalloc byte[Length];
        HMACSHA256.HashData(key, serial, mac);
        CryptographicOperations.ZeroMemory(key);
        return (mac[0] & 1) != 0;
    }

    /// <summary>Compares in a time that says nothing of where they differ.</summary>
    public static bool Holds(ReadOnlySpan<byte> proof, ReadOnlySpan<byte> wanted) => CryptographicOperations.FixedTimeEquals(proof, wanted);

    // Every part has a fixed length, or is the last.
    private static byte[] Compute(BatchToken token, string role, ReadOnlySpan<byte> senderNonce, ReadOnlySpan<byte> receiverNonce, ReadOnlySpan<byte> certificate)
    {
        if (senderNonce.Length != HelloMessage.NonceLength) throw new ArgumentException("A nonce has another length.", nameof(senderNonce));
        var key = token.DeriveKey("transfer direct 1 proof");
        using var mac = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, key);
        CryptographicOperations.ZeroMemory(key);
        mac.AppendData(Encoding.ASCII.GetBytes(role));
        mac.AppendData(senderNonce);
        mac.AppendData(receiverNonce);
        Span<byte> digest = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(certificate, digest);
        mac.AppendData(digest);
        return mac.GetHashAndReset();
    }
}
