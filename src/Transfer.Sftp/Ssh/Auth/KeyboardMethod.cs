using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Auth;

/// <summary>
/// Questions and answers (RFC 4256). The known password answers a question for a password, once; all other questions go to the
/// application. A question without an answer ends the attempt: an empty answer would be a failed log-in.
/// </summary>
internal sealed class KeyboardMethod(SshConnectionSettings settings) : AuthMethod
{
    private const int MaxPrompts = 64;
    private const int MaxRounds = 32;

    private bool _passwordGiven;
    private int _asked;

    /// <summary>Whether the credential's password was refused as such, and is not tried again as an answer.</summary>
    public bool PasswordIsWrong { get; set; }

    /// <summary>Whether an answer was a secret; one refused here would be refused as a password, too.</summary>
    public bool GaveSecret { get; private set; }

    /// <summary>Whether more questions than the one for the known password were answered: another log-in would need new answers.</summary>
    public bool IsOneTime => _asked > (_passwordGiven ? 1 : 0);

    public override string Name => AuthMessages.KeyboardInteractive;

    public override string Detail => settings.Interaction is null ? "the credential" : "the application";

    public override async ValueTask<AuthOutcome> TryAsync(AuthExchange exchange, CancellationToken ct)
    {
        var outcome = await exchange.SendAsync(AuthMessages.KeyboardRequest(settings.User), secret: false, ct).ConfigureAwait(false);
        for (var rounds = 0; outcome == AuthOutcome.MethodReply; rounds++)
        {
            if (exchange.Reply[0] != MessageNumber.AuthMethodReply) throw Unexpected(exchange.Reply[0], Name);
            if (rounds == MaxRounds) throw new TransferException(TransferError.Protocol, "The server does not stop asking questions.");
            var questions = Read(exchange.Reply) with { Server = settings.Place, UserName = settings.User };

            // The next request gives up the method (RFC 4252 section 5.1), as does hanging up.
            if (await AnswerAsync(questions, ct).ConfigureAwait(false) is not { } answers) return AuthOutcome.Skipped;
            outcome = await exchange.SendAsync(AuthMessages.KeyboardAnswers(answers), secret: true, ct).ConfigureAwait(false);
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
        var prompts = questions.Prompts;
        if (prompts.Count == 0)
        {
            // Servers end with such a round, some with a text for the user.
            if (questions.Instruction.Length > 0) Log.ServerSays(settings.Logger, settings.Host, settings.Show(questions.Instruction));
            return [];
        }

        _asked += prompts.Count;
        var answers = new string[prompts.Count];
        var open = new List<int>();
        for (var i = 0; i < answers.Length; i++)
        {
            if (TakesPassword(prompts[i])) answers[i] = settings.Credential!.Password;
            else open.Add(i);
        }

        if (open.Count == 0) return answers;
        if (settings.Interaction is not { } interaction) throw Unanswerable(prompts[open[0]]);
        var given = await interaction(Shown(questions, open.Select(i => prompts[i])), ct).ConfigureAwait(false);
        if (given is null) return null;
        if (given.Count != open.Count) throw new InvalidOperationException($"{open.Count} answers were needed, {given.Count} given.");
        GaveSecret |= open.Exists(i => !prompts[i].Echo);
        for (var i = 0; i < given.Count; i++) answers[open[i]] = given[i];
        return answers;
    }

    private SshQuestions Shown(SshQuestions questions, IEnumerable<SshPrompt> prompts) => questions with
    {
        Name = settings.Show(questions.Name),
        Instruction = settings.Show(questions.Instruction),
        Prompts = [.. prompts.Select(prompt => prompt with { Text = settings.Show(prompt.Text) })],
    };

    private bool TakesPassword(SshPrompt prompt)
    {
        if (settings.Credential is null || _passwordGiven || PasswordIsWrong || prompt.Echo
            || !PasswordPrompt.IsPasswordPrompt(prompt.Text, settings.User))
        {
            return false;
        }

        _passwordGiven = true;
        return true;
    }

    private TransferException Unanswerable(SshPrompt prompt) => new(
        TransferError.Auth,
        $"{settings.Place} asks {settings.User} \"{settings.Show(prompt.Text)}\", and nobody is there to answer: "
        + (_passwordGiven || PasswordIsWrong ? "the password was given already." : "that is not a question which the password answers.")
            + " No answer was sent.");
}
