using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Auth;

/// <summary>
/// One key (RFC 4252 section 7, RFC 8332 for RSA). Signing at once saves a round trip; a query first saves signatures that an agent's user
/// must confirm.
/// </summary>
/// <param name="user">The user's name.</param>
/// <param name="signer">The key.</param>
/// <param name="asksFirst">Whether the server is queried for the key before the signature.</param>
/// <param name="sessionId">The identifier of the session, part of the signed data.</param>
/// <param name="serverAlgorithms">The server's signature algorithms, or null.</param>
/// <param name="allowed">The only algorithms, best first; null: all of the key's.</param>
/// <param name="time">The clock, for the time of a certificate.</param>
internal sealed class PublicKeyMethod(
    string user, ISshSigner signer, bool asksFirst, Func<ReadOnlyMemory<byte>> sessionId, Func<IReadOnlyList<string>?> serverAlgorithms,
    IReadOnlyList<string>? allowed, TimeProvider time)
    : AuthMethod
{
    public override string Name => AuthMessages.PublicKey;

    public override string Detail
    {
        get
        {
            var shown = signer.PublicKey is SshCertificate ? $"the certificate of {signer.Description}" : signer.Description;
            return (Problem ?? WhyUnfit()) is { } why ? $"{shown}: {why}" : shown;
        }
    }

    public override async ValueTask<AuthOutcome> TryAsync(AuthExchange exchange, CancellationToken ct)
    {
        var ours = signer.PublicKey.SignatureAlgorithms;
        var algorithm = Choose(allowed is null ? ours : [.. allowed.Where(ours.Contains)], serverAlgorithms());
        var blob = signer.PublicKey.Blob;
        if (asksFirst)
        {
            var answer = await exchange.SendAsync(AuthMessages.KeyRequest(user, algorithm, blob, signs: false), secret: false,
                ct).ConfigureAwait(false);
            if (answer != AuthOutcome.MethodReply) return answer;
            CheckAccepted(exchange.Reply, algorithm, blob.Span);
        }

        var request = AuthMessages.KeyRequest(user, algorithm, blob, signs: true);
        byte[] signature;
        try
        {
            using var asking = exchange.Pause();
            signature = await signer.SignAsync(algorithm, AuthMessages.SignedData(sessionId(), request), ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            // The agent or the user refused; other methods may succeed.
            Problem = e.Message;
            return AuthOutcome.Skipped;
        }

        var outcome = await exchange.SendProofAsync(AuthMessages.SignedRequest(request, signature), secret: false,
            ct).ConfigureAwait(false);
        return outcome == AuthOutcome.MethodReply ? throw Unexpected(exchange.Reply[0], Name) : outcome;
    }

    /// <summary>The reason why the key could not sign, or null.</summary>
    public string? Problem { get; private set; }

    /// <summary>
    /// The key's best algorithm among the server's; the best of all where the server names none (RFC 8308 section 3.1: some name too few).
    /// </summary>
    public static string Choose(IReadOnlyList<string> ours, IReadOnlyList<string>? server) =>
        ours.FirstOrDefault(name => server is not null && (server.Contains(name) || server.Contains(KeyAlgorithms.Plain(name)))) ?? ours[0];

    // Reasons that this side knows for a refusal; the server's decision all the same.
    private string? WhyUnfit() => (signer.PublicKey as SshCertificate)?.FindUnfitness(user, time.GetUtcNow())
        ?? (signer.PublicKey is RsaPublicKey && serverAlgorithms() is { } taken
            && !signer.PublicKey.SignatureAlgorithms.Any(taken.Contains)
            ? $"the server takes none of {string.Join(", ", signer.PublicKey.SignatureAlgorithms)}" : null);

    private void CheckAccepted(ReadOnlySpan<byte> reply, string algorithm, ReadOnlySpan<byte> blob)
    {
        if (reply[0] != MessageNumber.AuthMethodReply) throw Unexpected(reply[0], Name);
        var reader = new SshReader(reply[1..]);
        if (reader.ReadText() != algorithm || !reader.ReadString().SequenceEqual(blob))
            throw new TransferException(TransferError.Protocol, "The server accepted another key than the one offered.");
    }
}
