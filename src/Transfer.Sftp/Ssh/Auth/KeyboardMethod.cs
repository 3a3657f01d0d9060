namespace Transfer.Sftp.Ssh.Auth;

/// <summary>
/// Questions and answers (RFC 4256). A lone question whose answer must not be shown is taken for the password's once, where there is one; everything else
/// goes to the application.
/// </summary>
internal sealed class KeyboardMethod(string user, string server, TransferCredential? credential, SshInteraction? interaction) : AuthMethod
{
    private const int MaxPrompts = 64;
    private const int MaxRounds = 32;

    private bool _passwordGiven;

    /// <summary>The credential's password was refused as such: it is not tried again as an answer.</summary>
    public bool PasswordIsWrong { get; set; }

    /// <summary>A secret was answered with; refused, it would be refused as a password too.</summary>
    public bool GaveSecret { get; private set; }

    public override string Name => AuthMessages.KeyboardInteractive;

    public override string Detail => interaction is null ? "the credential" : "the application";

    public override async ValueTask<AuthOutcome> TryAsync(AuthExchange exchange, CancellationToken ct)
    {
        var outcome = await exchange.AskAsync(AuthMessages.KeyboardRequest(user), secret: false, ct).ConfigureAwait(false);
        for (var rounds = 0; outcome == AuthOutcome.MethodReply; rounds++)
        {
            if (exchange.Reply[0] != MessageNumber.AuthMethodReply) throw Unexpected(exchange.Reply[0], Name);
            if (rounds == MaxRounds) throw new TransferException(TransferError.Protocol, "The server does not stop asking questions.");
            var questions = Read(exchange.Reply) with { Server = server, UserName = user };

            // Without an answer there is no way on but an empty one, which the server refuses.
            var answers = await AnswerAsync(questions, ct).ConfigureAwait(false) ?? [.. questions.Prompts.Select(static _ => "")];
            outcome = await exchange.AskAsync(AuthMessages.KeyboardAnswers(answers), secret: true, ct).ConfigureAwait(false);
        }

        return outcome;
    }

    /// <summary>SSH_MSG_USERAUTH_INFO_REQUEST (RFC 4256 section 3.2).</summary>
    public static SshQuestions Read(ReadOnlySpan<byte> message)
    {
        var reader = new SshReader(message[1..]);
        var name = WireText.Clean(reader.ReadText());
        var instruction = WireText.Clean(reader.ReadText());
        reader.ReadString(); // language
        var count = reader.ReadUInt32();
        if (count > MaxPrompts) throw new TransferException(TransferError.Protocol, $"The server asks {count} questions at once.");
        var prompts = new SshPrompt[count];
        for (var i = 0; i < prompts.Length; i++)
            prompts[i] = new SshPrompt { Text = WireText.Clean(reader.ReadText()), Echo = reader.ReadBoolean() };
        return new SshQuestions { Name = name, Instruction = instruction, Prompts = prompts };
    }

    private async ValueTask<IReadOnlyList<string>?> AnswerAsync(SshQuestions questions, CancellationToken ct)
    {
        if (questions.Prompts.Count == 0) return [];
        if (AsksForPassword(questions))
        {
            _passwordGiven = true;
            return [credential!.Password];
        }

        if (interaction is null) return null;
        var answers = await interaction(questions, ct).ConfigureAwait(false);
        GaveSecret |= answers is not null && questions.Prompts.Any(static prompt => !prompt.Echo);
        if (answers is not null && answers.Count != questions.Prompts.Count)
            throw new InvalidOperationException($"{questions.Prompts.Count} answers were needed, {answers.Count} given.");
        return answers;
    }

    private bool AsksForPassword(SshQuestions questions)
    {
        if (credential is null || _passwordGiven || PasswordIsWrong || questions.Prompts is not [{ Echo: false } only]) return false;

        // The text is in the server's language: it decides only where somebody else could answer.
        return interaction is null || only.Text.Contains("password", StringComparison.OrdinalIgnoreCase);
    }
}
