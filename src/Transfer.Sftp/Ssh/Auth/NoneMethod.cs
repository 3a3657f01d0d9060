using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Auth;

/// <summary>
/// No proof at all (RFC 4252 section 5.2): for servers that require none, and for the list of methods of all other servers.
/// </summary>
internal sealed class NoneMethod(string user) : AuthMethod
{
    public override string Name => AuthMessages.None;

    public override string Detail => "no proof";

    public override async ValueTask<AuthOutcome> TryAsync(AuthExchange exchange, CancellationToken ct)
    {
        var outcome = await exchange.SendAsync(AuthMessages.NoneRequest(user), secret: false, ct).ConfigureAwait(false);
        return outcome == AuthOutcome.MethodReply ? throw Unexpected(exchange.Reply[0], Name) : outcome;
    }
}
