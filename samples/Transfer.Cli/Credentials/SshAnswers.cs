using System.Collections.Concurrent;
using Transfer.Cli.Output;
using Transfer.Sftp;

namespace Transfer.Cli.Credentials;

/// <summary>
/// Answers from the terminal what SSH servers ask, jump hosts too, and for key files' passphrases. What was answered once is remembered, for that server and user
/// alone, so that further connections need not ask again.
/// </summary>
internal sealed class SshAnswers(CommandHost host, Messages messages, string prefix)
{
    private readonly ConcurrentDictionary<(string Server, string User, string Prompt), string> _answers = new();

    /// <exception cref="TransferException"><see cref="TransferError.Auth"/>: a server wants an answer, and there is no terminal.</exception>
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
        var key = (questions.Server, questions.UserName, prompt.Text);
        if (_answers.TryGetValue(key, out var known)) return known;
        if (host.ReadSecret is not { } read)
        {
            throw new TransferException(
                TransferError.Auth,
                $"{questions.Server} wants a password of {questions.UserName} ({prompt.Text.TrimEnd(':', ' ')}), and there is no terminal to type it at: give {prefix}password-file, {prefix}password-env "
                + $"or {prefix}identity, set {LoginResolver.DefaultVariable}, or use .netrc; a jump host wants a key.");
        }

        var who = questions.Server.Length > 0 ? $"{questions.UserName} at {questions.Server}: " : string.Empty;
        var before = questions.Instruction.Length > 0 ? questions.Instruction + " " : string.Empty;
        var question = Printable.Text($"{who}{before}{prompt.Text} ");

        // One question at a time, so that whoever waited for his turn finds the answer.
        return await messages.AskAsync(() => _answers.GetOrAdd(key, _ => read(question, ct)), ct);
    }
}
