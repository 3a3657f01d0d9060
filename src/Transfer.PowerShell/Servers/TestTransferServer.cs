using System.Diagnostics;
using System.Management.Automation;

namespace Transfer.PowerShell.Servers;

/// <summary>Sends a server a request within its time limit: tests connection, log-in and use.</summary>
[Cmdlet(VerbsDiagnostic.Test, "TransferServer")]
[OutputType(typeof(ServerTestResult), typeof(bool))]
public sealed class TestTransferServer : ServerCmdlet
{
    /// <summary>Only true or false, and no error.</summary>
    [Parameter]
    public SwitchParameter Quiet { get; set; }

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        var started = Stopwatch.GetTimestamp();
        TransferException? error = null;
        Await(async token =>
        {
            try
            {
                await Client.PingAsync(token).ConfigureAwait(false);
            }
            catch (TransferException e)
            {
                error = e;
            }
        });
        if (Quiet) WriteObject(error is null);
        else if (error is not null) Fail(error, Client.Endpoint);
        else WriteObject(new ServerTestResult(Client.Endpoint, Client.Features.Server ?? string.Empty, Stopwatch.GetElapsedTime(started)));
    }
}
