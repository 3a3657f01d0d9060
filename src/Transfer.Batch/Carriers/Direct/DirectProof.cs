using System.Security.Cryptography;
using System.Text;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Direct;

/// <summary>
/// The proof of each side that it knows the token's secret: HMAC-SHA256 over the role, both nonces and the receiver's certificate. The
/// receiver's nonce is the certificate's serial number, fresh for each connection: so the nonce arrives with the handshake, and the
/// sender's proof leaves without another wait.
/// Bound to the certificate, a proof is worth nothing on any other connection.
/// </summary>
internal static class DirectProof
{
    public const int Length = HMACSHA256.HashSizeInBytes;

    /// <summary>The sender's proof.</summary>
    public static byte[] OfSender(BatchToken token, ReadOnlySpan<byte> senderNonce, ReadOnlySpan<byte> certificate) =>
        Compute(token, "transfer direct 1 sender", senderNonce, [], certificate);

    /// <summary>The receiver's proof.</summary>
    public static byte[] OfReceiver(BatchToken token, ReadOnlySpan<byte> senderNonce, ReadOnlySpan<byte> receiverNonce,
        ReadOnlySpan<byte> certificate) =>
        Compute(token, "transfer direct 1 receiver", senderNonce, receiverNonce, certificate);

    /// <summary>
    /// Whether the receiver has files already, a fact hidden in the choice of the nonce: the sender knows with the handshake, without
    /// another round trip, whether hashes can be requested, and a peer without the secret learns nothing.
    /// </summary>
    /// <param name="token">The receiver's token.</param>
    /// <param name="serial">The certificate's serial number, the most significant byte first.</param>
    public static bool HasFilesFlag(BatchToken token, ReadOnlySpan<byte> serial)
    {
        var key = token.DeriveKey("transfer direct 1 files");
        Span<byte> mac = stackalloc byte[Length];
        HMACSHA256.HashData(key, serial, mac);
        CryptographicOperations.ZeroMemory(key);
        return (mac[0] & 1) != 0;
    }

    /// <summary>Compares in a time that does not depend on the position of a difference.</summary>
    public static bool Holds(ReadOnlySpan<byte> proof, ReadOnlySpan<byte> wanted) => CryptographicOperations.FixedTimeEquals(proof, wanted);

    // Every part has a fixed length, or is the last.
    private static byte[] Compute(BatchToken token, string role, ReadOnlySpan<byte> senderNonce, ReadOnlySpan<byte> receiverNonce,
        ReadOnlySpan<byte> certificate)
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
