using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Ciphers;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Kex;

/// <summary>
/// The result of two KEXINIT messages (RFC 4253 section 7.1): for each purpose the client's first that the server has, too.
/// </summary>
internal sealed record NegotiatedAlgorithms(
    string Method, string HostKey, string CipherToServer, string CipherToClient, string? MacToServer, string? MacToClient,
    bool GuessIsWrong)
{
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Unsupported"/>: for some purpose there is no common algorithm.
    /// </exception>
    public static NegotiatedAlgorithms Negotiate(KexInit client, KexInit server)
    {
        var method = Choose("key exchange", client.Methods.Where(IsMethod), server.Methods);
        var hostKey = Choose("host key", client.HostKeys, server.HostKeys);
        var toServer = Choose("cipher", client.CiphersToServer, server.CiphersToServer);
        var toClient = Choose("cipher", client.CiphersToClient, server.CiphersToClient);
        var macToServer = CipherAlgorithm.Get(toServer).Authenticates ? null : Choose("MAC", client.MacsToServer, server.MacsToServer);
        var macToClient = CipherAlgorithm.Get(toClient).Authenticates ? null : Choose("MAC", client.MacsToClient, server.MacsToClient);
        Choose("compression", client.CompressionToServer, server.CompressionToServer);
        Choose("compression", client.CompressionToClient, server.CompressionToClient);

        // A guess is right only when both sides prefer the same (RFC 4253 section 7).
        var guessIsWrong = server.Methods[0] != client.Methods[0] || server.HostKeys[0] != client.HostKeys[0];
        return new NegotiatedAlgorithms(method, hostKey, toServer, toClient, macToServer, macToClient, guessIsWrong);
    }

    /// <summary>Describes the methods: of both directions where they differ.</summary>
    /// <param name="isStrict">Whether the key exchange was strict, against prefix truncation (Terrapin).</param>
    public IReadOnlyList<ServerFact> Describe(bool isStrict) =>
    [
        new("key exchange", Method),
        new("host key", HostKey),
        new("cipher", Both(CipherToServer, CipherToClient)),
        new("mac", Both(MacToServer ?? "the cipher's own", MacToClient ?? "the cipher's own")),
        new("strict key exchange", isStrict ? "yes" : "no"),
    ];

    private static string Both(string toServer, string toClient) => toServer == toClient ? toServer : $"{toServer} up, {toClient} down";

    private static bool IsMethod(string name) => name is not (KexNames.ClientExtensions or KexNames.ClientStrict);

    private static string Choose(string purpose, IEnumerable<string> client, IReadOnlyList<string> server)
    {
        var wanted = client.ToArray();
        return Array.Find(wanted, server.Contains) ?? throw new TransferException(TransferError.Unsupported,
            $"No {purpose} algorithm in common: asked for {string.Join(", ", wanted)}; the server has "
            + $"{WireText.Clean(string.Join(", ", server))}.");
    }
}
