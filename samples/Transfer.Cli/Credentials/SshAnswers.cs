using System.Collections.Concurrent;
using Transfer.Cli.Output;
using Transfer.Sftp;

namespace Transfer.Cli.Credentials;

/// <summary>Answers an SSH server's questions from the terminal. What was answered once is remembered, so that further connections need not ask again.</summary>
internal sealed class SshAnswers(CommandHost host, Messages messages, string server, string user, string prefix)
{
    private readonly ConcurrentDictionary<string, string> _answers = new(StringComparer.Ordinal);

    /// <exception cref="TransferException"><see cref="TransferError.Auth"/>: there is no terminal.</exception>
    public async ValueTask<IReadOnlyList<string>?> AnswerAsync(SshQuestions questions, CancellationToken ct)
    {
        var answers = new List<string>(questions.Prompts.Count);
        foreach (var prompt in questions.Prompts) answers.Add(await AnswerAsync(prompt, questions.Instruction, ct));
        return answers;
    }

    private async ValueTask<string> AnswerAsync(SshPrompt prompt, string instruction, CancellationToken ct)
    {
        if (_answers.TryGetValue(prompt.Text, out var known)) return known;
        if (host.ReadSecret is not { } read)
        {
            throw new TransferException(
                TransferError.Auth,
                $"{server} wants a password of {user} ({prompt.Text.TrimEnd(':', ' ')}), and there is no terminal to type it at: give {prefix}password-file, {prefix}password-env "
                + $"or {prefix}identity, set {LoginResolver.DefaultVariable}, or use .netrc.");
        }

        var before = instruction.Length > 0 ? instruction + " " : string.Empty;
        var question = Printable.Text($"{user} at {server}: {before}{prompt.Text} ");

        // One question at a time, so that whoever waited for his turn finds the answer.
        return await messages.AskAsync(() => _answers.GetOrAdd(prompt.Text, _ => read(question, ct)), ct);
    }
}
