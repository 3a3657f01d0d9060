using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Language;

namespace Transfer.PowerShell.Servers;

/// <summary>Completes the names of servers that are connected.</summary>
public sealed class ServerCompleter : IArgumentCompleter
{
    /// <inheritdoc/>
    public IEnumerable<CompletionResult> CompleteArgument(string commandName, string parameterName, string wordToComplete,
        CommandAst commandAst, IDictionary fakeBoundParameters)
    {
        var word = (wordToComplete ?? string.Empty).Trim('\'', '"');
        return from server in ServerBoard.All
               where server.Name.StartsWith(word, StringComparison.OrdinalIgnoreCase)
               select new CompletionResult(CommandText.Quoted(server.Name), server.Name, CompletionResultType.ParameterValue,
                   server.Uri.ToString());
    }
}
