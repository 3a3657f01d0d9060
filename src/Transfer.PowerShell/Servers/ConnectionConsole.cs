using System.Management.Automation.Host;
using Transfer.PowerShell.Clients;

namespace Transfer.PowerShell.Servers;

/// <summary>Prompts the user of a connection, if one is present, on the pipeline's thread.</summary>
/// <param name="host">The host program.</param>
/// <param name="writeDebug">Receives the reason why no prompt is possible.</param>
internal sealed class ConnectionConsole(PSHost host, Action<string> writeDebug)
{
    /// <summary>Prompts whether to connect to a host with an unknown key. False: no, or no prompt is possible.</summary>
    public bool IsTrusted(string message)
    {
        try
        {
            // Not ShouldContinue, which takes a line without an answer for a yes.
            return host.UI.PromptForChoice("Unknown host key", $"{message}\nConnect to it this time?",
                [new("&Yes", "The key is trusted once, and not remembered."), new("&No", "Nothing is connected.")], 1) == 0;
        }
        catch (Exception e) when (e is InvalidOperationException or HostException)
        {
            // No prompt is possible: the refusal names the parameter to give instead.
            writeDebug(e.Message);
            return false;
        }
    }

    /// <summary>Prompts with a server's questions; null: no prompt is possible.</summary>
    public List<string>? Ask(ClientQuestion question)
    {
        var answers = new List<string>();
        try
        {
            host.UI.WriteLine(question.Caption);
            foreach (var (text, echo) in question.Prompts)
            {
                host.UI.Write($"{text} ");
                answers.Add(echo ? host.UI.ReadLine() : SecretText.Of(host.UI.ReadLineAsSecureString())!);
            }
            return answers;
        }
        catch (Exception e) when (e is InvalidOperationException or HostException)
        {
            writeDebug(e.Message);
            return null;
        }
    }
}
