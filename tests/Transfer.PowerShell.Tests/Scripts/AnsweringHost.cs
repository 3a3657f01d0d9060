using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Globalization;
using System.Management.Automation;
using System.Management.Automation.Host;
using System.Security;

/// <summary>
/// A host with a user, whose answers are given beforehand. A prompt without an answer fails, unless the user has one for everything.
/// </summary>
public sealed class AnsweringHost : PSHost
{
    private readonly Screen _screen;

    public AnsweringHost(params string[] answers) => _screen = new Screen(answers);

    /// <summary>Gets or sets the answer to further prompts; null: they fail.</summary>
    public string Otherwise
    {
        get => _screen.Otherwise;
        set => _screen.Otherwise = value;
    }

    /// <summary>Gets the prompts so far, in their order.</summary>
    public string[] Prompts => _screen.Prompts.ToArray();

    /// <summary>Gets the lines that were shown.</summary>
    public string[] Lines => _screen.Lines.ToArray();

    /// <summary>Gets the answers that no prompt has taken.</summary>
    public int Unused => _screen.Answers.Count;

    public override CultureInfo CurrentCulture => CultureInfo.InvariantCulture;

    public override CultureInfo CurrentUICulture => CultureInfo.InvariantCulture;

    public override Guid InstanceId { get; } = Guid.NewGuid();

    public override string Name => nameof(AnsweringHost);

    public override PSHostUserInterface UI => _screen;

    public override Version Version { get; } = new(1, 0);

    public override void EnterNestedPrompt() => throw new NotSupportedException();

    public override void ExitNestedPrompt() => throw new NotSupportedException();

    public override void NotifyBeginApplication()
    {
    }

    public override void NotifyEndApplication()
    {
    }

    public override void SetShouldExit(int exitCode)
    {
    }

    private sealed class Screen : PSHostUserInterface
    {
        private string _begun = string.Empty;

        public Screen(string[] answers) => Answers = new ConcurrentQueue<string>(answers);

        public string Otherwise { get; set; }

        public ConcurrentQueue<string> Answers { get; }

        public ConcurrentQueue<string> Prompts { get; } = new();

        public ConcurrentQueue<string> Lines { get; } = new();

        public override PSHostRawUserInterface RawUI => null;

        public override int PromptForChoice(string caption, string message, Collection<ChoiceDescription> choices, int defaultChoice)
        {
            var answer = Answer($"{caption}: {message}");
            for (var i = 0; i < choices.Count; i++)
            {
                if (choices[i].Label.Replace("&", string.Empty) == answer) return i;
            }
            throw new ArgumentException($"{answer} is none of the choices.");
        }

        public override string ReadLine() => Answer(_begun);

        public override SecureString ReadLineAsSecureString()
        {
            var text = new SecureString();
            foreach (var character in Answer($"{_begun}(unseen)")) text.AppendChar(character);
            return text;
        }

        public override void Write(string value) => _begun = value;

        public override void Write(ConsoleColor foregroundColor, ConsoleColor backgroundColor, string value) => _begun = value;

        public override void WriteLine(string value) => Lines.Enqueue(value);

        public override void WriteDebugLine(string message)
        {
        }

        public override void WriteErrorLine(string value)
        {
        }

        public override void WriteProgress(long sourceId, ProgressRecord record)
        {
        }

        public override void WriteVerboseLine(string message)
        {
        }

        public override void WriteWarningLine(string message)
        {
        }

        public override Dictionary<string, PSObject> Prompt(string caption, string message, Collection<FieldDescription> descriptions) =>
            throw new NotSupportedException();

        public override PSCredential PromptForCredential(string caption, string message, string userName, string targetName) =>
            throw new NotSupportedException();

        public override PSCredential PromptForCredential(string caption, string message, string userName, string targetName,
            PSCredentialTypes allowedCredentialTypes, PSCredentialUIOptions options) => throw new NotSupportedException();

        private string Answer(string prompt)
        {
            Prompts.Enqueue(prompt);
            return Answers.TryDequeue(out var answer)
                ? answer : Otherwise ?? throw new NotSupportedException($"There is no answer to: {prompt}");
        }
    }
}
