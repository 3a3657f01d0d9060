using System.Management.Automation;
using Transfer.PowerShell.Errors;

namespace Transfer.PowerShell.Servers;

/// <summary>Closes servers. Running work of other commands at these servers fails.</summary>
[Cmdlet(VerbsCommunications.Disconnect, "TransferServer")]
public sealed class DisconnectTransferServer : TransferCmdlet
{
    /// <summary>Servers, or their names; by default the current one.</summary>
    [Parameter(Position = 0, ValueFromPipeline = true)]
    [ArgumentCompleter(typeof(ServerCompleter))]
    [ValidateNotNullOrEmpty]
    public object[]? Server { get; set; }

    /// <inheritdoc/>
    protected override void ProcessRecord()
    {
        foreach (var given in Server ?? [ServerBoard.Current!])
        {
            var found = PipelineValue.Unwrap(given) switch
            {
                TransferServer server => server,
                string name => ServerBoard.Find(name),
                _ => null,
            };
            if (found is not null)
            {
                Await(_ => ServerBoard.CloseAsync(found), found);
            }
            else
            {
                WriteError(
                    Record(new TransferException(TransferError.NotFound,
                        given is null ? "No server is connected." : $"No server with the name '{ShownUrl.Server(given)}' is connected."),
                        ShownUrl.Server(given)));
            }
        }
    }
}
