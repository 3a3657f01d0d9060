namespace Transfer.Sftp.Ssh.Auth;

/// <summary>One way to log in that the settings allow; each is tried once, and once more where the server wanted another first.</summary>
internal abstract class AuthMethod
{
    /// <summary>The method's name on the wire.</summary>
    public abstract string Name { get; }

    /// <summary>The variant of the method, for messages: a key's source; never a secret.</summary>
    public abstract string Detail { get; }

    /// <summary>Tries once; never returns <see cref="AuthOutcome.MethodReply"/>.</summary>
    public abstract ValueTask<AuthOutcome> TryAsync(AuthExchange exchange, CancellationToken ct);

    protected static TransferException Unexpected(byte number, string method) =>
        new(TransferError.Protocol, $"The server answered {method} with message {number}, which has no place there.");
}
