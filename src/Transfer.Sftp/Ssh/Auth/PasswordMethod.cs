using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Auth;

/// <summary>
/// A password (RFC 4252 section 8): the credential's, one typed and accepted before, or one requested from the application when the
/// method's turn comes.
/// </summary>
internal sealed class PasswordMethod(SshConnectionSettings settings) : AuthMethod
{
    private string? _typedEarly;

    public override string Name => AuthMessages.Password;

    public override string Detail => settings.Credential is null ? "the application" : "the credential";

    public override async ValueTask<AuthOutcome> TryAsync(AuthExchange exchange, CancellationToken ct)
    {
        var password = settings.Credential?.Password ?? settings.LogIns.TypedPassword ?? _typedEarly;
        if (password is null)
        {
            var prompt = new SshPrompt { Text = "Password:", Echo = false };
            var question = new SshQuestions
            {
                Server = settings.Place,
                UserName = settings.User,
                Name = "",
                Instruction = "",
                Prompts = [prompt]
            };
            if (await settings.Interaction!(question, ct).ConfigureAwait(false) is not [var answer]) return AuthOutcome.Skipped;
            password = answer;
        }

        var outcome = await exchange.SendProofAsync(AuthMessages.PasswordRequest(settings.User, password), secret: true,
            ct).ConfigureAwait(false);
        if (settings.Credential is null)
        {
            settings.LogIns.TypedPassword = outcome is AuthOutcome.Success or AuthOutcome.Partial ? password : null;
            _typedEarly = password;
        }

        if (outcome != AuthOutcome.MethodReply) return outcome;
        if (exchange.Reply[0] != MessageNumber.AuthMethodReply) throw Unexpected(exchange.Reply[0], Name);
        throw new TransferException(TransferError.Auth,
            $"The password of {settings.User} has expired and must be changed by other means first.");
    }
}
