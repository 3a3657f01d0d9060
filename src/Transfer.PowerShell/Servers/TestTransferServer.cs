using System.Diagnostics;
using System.Management.Automation;

namespace Transfer.PowerShell.Servers;

/// <summary>Sends a server a request within its time limit: tests connection, log-in and use.</summary>
[Cmdlet(VerbsDiagnostic.Test, "TransferServer")]
[OutputType(typeof(ServerTestResult), typeof(bool))]
public sealed class TestTransferServer : ServerCmdlet
{
    private readonly long _started = Stopwatch.GetTimestamp();
    private bool _isUnavailable;

    /// <summary>Only true or false, and no error: false also where no server is connected, or none can be.</summary>
    [Parameter]
    public SwitchParameter Quiet { get; set; }

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        if (_isUnavailable)
        {
            WriteObject(false);
            return;
        }
        try
        {
            var roundTrip = Join(PingAsync);
            var elapsed = Stopwatch.GetElapsedTime(_started);
            WriteObject(Quiet ? (object)true : new ServerTestResult(Client.Endpoint, Used.Software, roundTrip, elapsed, Client.Features));
        }
        catch (Exception e) when (Known(e) is { } known)
        {
            if (Quiet) WriteObject(false);
            else Fail(known, Client.Endpoint);
        }
    }

    /// <inheritdoc/>
    private protected override void FailWithoutServer(Exception error)
    {
        if (Quiet) _isUnavailable = true;
        else base.FailWithoutServer(error);
    }

    private async Task<TimeSpan> PingAsync(CancellationToken ct)
    {
        // The log-in is no part of the round trip.
        await Client.ConnectAsync(ct).ConfigureAwait(false);
        var sent = Stopwatch.GetTimestamp();
        await Client.PingAsync(ct).ConfigureAwait(false);
        return Stopwatch.GetElapsedTime(sent);
    }
}
