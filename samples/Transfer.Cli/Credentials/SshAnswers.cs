using Transfer.Cli.Output;
using Transfer.Sftp;

namespace Transfer.Cli.Credentials;

/// <summary>
/// Answers from the terminal what SSH servers ask, jump hosts too, and for key files' passphrases. No answer is kept: a code counts once.
/// </summary>
/// <param name="host">The terminal.</param>
/// <param name="messages">Where questions are asked.</param>
/// <param name="prefix">What the options of the log-in begin with.</param>
/// <param name="takesVariable">TRANSFER_PASSWORD may hold the password.</param>
internal sealed class SshAnswers(CommandHost host, Messages messages, string prefix, bool takesVariable)
{
    /// <exception cref="TransferException"><see cref="TransferError.Auth"/>: a server wants an answer, and there is no
    /// terminal.</exception>
    public async ValueTask<IReadOnlyList<string>?> AnswerAsync(SshQuestions questions, CancellationToken ct)
    {
        // Without a passphrase a key is left out, and others may do.
        if (host.ReadSecret is null && questions.Server.Length == 0) return null;
        var answers = new List<string>(questions.Prompts.Count);
        foreach (var prompt in questions.Prompts) answers.Add(await AnswerAsync(questions, prompt, ct));
        return answers;
    }

    private async ValueTask<string> AnswerAsync(SshQuestions questions, SshPrompt prompt, CancellationToken ct)
    {
        var read = prompt.Echo ? host.ReadShown : host.ReadSecret;
        if (read is null)
        {
            throw new TransferException(
                TransferError.Auth,
                $"{questions.Server} asks {questions.UserName} \"{prompt.Text.TrimEnd(':', ' ')}\", and there is no terminal to type "
                + $"the answer at. For a password give {prefix}password-file, {prefix}password-env "
                + $"or {prefix}identity, {(takesVariable ? $"set {LoginResolver.DefaultVariable}, " : string.Empty)}or use .netrc; a jump host "
                + "wants a key. A code has to be typed.");
        }

        var who = questions.Server.Length > 0 ? $"{questions.UserName} at {questions.Server}: " : string.Empty;
        var before = questions.Instruction.Length > 0 ? questions.Instruction + " " : string.Empty;
        var question = PrintableText.Of($"{who}{before}{prompt.Text} ");
        return await messages.AskAsync(() => read(question, ct), ct);
    }
}
