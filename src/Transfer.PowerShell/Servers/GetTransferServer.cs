using System.Management.Automation;
using Transfer.PowerShell.Errors;

namespace Transfer.PowerShell.Servers;

/// <summary>Gives the servers that are connected.</summary>
[Cmdlet(VerbsCommon.Get, "TransferServer")]
[OutputType(typeof(TransferServer))]
public sealed class GetTransferServer : TransferCmdlet
{
    /// <summary>Names, with wildcards; by default all.</summary>
    [Parameter(Position = 0, ValueFromPipeline = true)]
    [ArgumentCompleter(typeof(ServerCompleter))]
    [SupportsWildcards]
    [ValidateNotNullOrEmpty]
    public string[] Name { get; set; } = ["*"];

    /// <inheritdoc/>
    protected override void ProcessRecord()
    {
        foreach (var name in Name)
        {
            var pattern = new WildcardPattern(name, WildcardOptions.IgnoreCase);
            TransferServer[] found = [.. ServerBoard.All.Where(server => pattern.IsMatch(server.Name))];
            if (found.Length == 0 && !WildcardPattern.ContainsWildcardCharacters(name))
            {
                WriteError(
                    Record(new TransferException(TransferError.NotFound, $"No server with the name '{ShownUrl.Text(name)}' is connected."),
                        ShownUrl.Text(name)));
            }

            WriteObject(found, enumerateCollection: true);
        }
    }
}
