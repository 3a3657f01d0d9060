namespace Transfer.Sftp.Ssh.Auth;

/// <summary>A password (RFC 4252 section 8).</summary>
internal sealed class PasswordMethod(string user, TransferCredential credential) : AuthMethod
{
    public override string Name => AuthMessages.Password;

    public override string Detail => "the credential";

    public override async ValueTask<AuthOutcome> TryAsync(AuthExchange exchange, CancellationToken ct)
    {
        var outcome = await exchange.AskAsync(AuthMessages.PasswordRequest(user, credential.Password), secret: true, ct).ConfigureAwait(false);
        if (outcome != AuthOutcome.MethodReply) return outcome;
        if (exchange.Reply[0] != MessageNumber.AuthMethodReply) throw Unexpected(exchange.Reply[0], Name);
        throw new TransferException(TransferError.Auth, $"The password of {user} has expired and must be changed by other means first.");
    }
}
