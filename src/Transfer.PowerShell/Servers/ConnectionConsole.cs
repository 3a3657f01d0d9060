using System.Management.Automation.Host;
using Transfer.PowerShell.Clients;

namespace Transfer.PowerShell.Servers;

/// <summary>The person who connects to a server, if there is one: asked on the pipeline's thread.</summary>
/// <param name="host">The host program.</param>
/// <param name="writeDebug">Receives why nobody can be asked.</param>
internal sealed class ConnectionConsole(PSHost host, Action<string> writeDebug)
{
    /// <summary>Asks whether a host with a key that is not known is connected to. False: no, or there is nobody to ask.</summary>
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
            // There is nobody to ask: the refusal says what to give instead.
            writeDebug(e.Message);
            return false;
        }
    }

    /// <summary>Asks what a server wants to know; null: there is nobody to ask.</summary>
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
