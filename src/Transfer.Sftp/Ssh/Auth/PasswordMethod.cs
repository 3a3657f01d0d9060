namespace Transfer.Sftp.Ssh.Auth;

/// <summary>A password (RFC 4252 section 8): the credential's, or one that the application is asked for when the server's turn to want one has come.</summary>
internal sealed class PasswordMethod(string user, string server, TransferCredential? credential, SshInteraction? interaction) : AuthMethod
{
    public override string Name => AuthMessages.Password;

    public override string Detail => credential is null ? "the application" : "the credential";

    public override async ValueTask<AuthOutcome> TryAsync(AuthExchange exchange, CancellationToken ct)
    {
        if (credential?.Password is not { } password)
        {
            var question = new SshQuestions { Server = server, UserName = user, Name = "", Instruction = "", Prompts = [new SshPrompt { Text = "Password:", Echo = false }] };
            if (await interaction!(question, ct).ConfigureAwait(false) is not [var answer]) return AuthOutcome.Skipped;
            password = answer;
        }

        var outcome = await exchange.ProveAsync(AuthMessages.PasswordRequest(user, password), secret: true, ct).ConfigureAwait(false);
        if (outcome != AuthOutcome.MethodReply) return outcome;
        if (exchange.Reply[0] != MessageNumber.AuthMethodReply) throw Unexpected(exchange.Reply[0], Name);
        throw new TransferException(TransferError.Auth, $"The password of {user} has expired and must be changed by other means first.");
    }
}
