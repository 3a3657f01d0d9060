using System.Management.Automation;
using System.Text;
using Transfer.PowerShell.Entries;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Commands;

/// <summary>
/// Runs a command at the host of an SFTP server, as the user that is logged in. The cmdlet writes the command's output line by line, the
/// end of its error output as warnings, and an error if its exit status is not 0.
/// </summary>
[Cmdlet(VerbsLifecycle.Invoke, "TransferCommand", SupportsShouldProcess = true)]
[OutputType(typeof(string))]
public sealed class InvokeTransferCommand : ServerCmdlet
{
    /// <summary>The command line, which the user's shell at the server reads.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    [ValidateNotNullOrEmpty]
    public string Command { get; set; } = string.Empty;

    /// <summary>The encoding of the output; by default that of the server's names, UTF-8.</summary>
    [Parameter]
    [TextEncoding]
    [ValidateNotNull]
    public Encoding? Encoding { get; set; }

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        const string None = "has no remote commands; sftp: has, where its host lets the user run some.";
        if (Client is not IRemoteCommands host)
            Fail(new TransferException(TransferError.Unsupported, $"{Client.Endpoint.Scheme}: {None}"), Client.Endpoint);
        else if (ShouldProcess(Client.Endpoint.ToString(), $"Run {Command}")) Run(host);
    }

    private void Run(IRemoteCommands host)
    {
        var command = Await(token => host.StartAsync(Command, token).AsTask(), Command);
        var hasEnded = false;
        try
        {
            Await(_ => command.CompleteInputAsync().AsTask(), Command);
            var lines = new OutputLines(command.Stream, Encoding ?? host.Names);
            while (Await(lines.ReadAsync, Command) is { } some) WriteObject(some, enumerateCollection: true);
            var status = Await(token => command.ExitStatus.WaitAsync(token), Command);
            hasEnded = true;
            Report(command.ErrorText, status);
        }
        finally
        {
            // Also where the pipeline is stopped, or a cmdlet behind this one wants no more.
            Task.Run(() => EndAsync(command, hasEnded)).GetAwaiter().GetResult();
        }
    }

    private static async Task EndAsync(RemoteCommand command, bool hasEnded)
    {
        if (!hasEnded) await command.TerminateAsync().ConfigureAwait(false);
        await command.DisposeAsync().ConfigureAwait(false);
    }

    private void Report(string errors, int? status)
    {
        const StringSplitOptions Split = StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries;
        var lines = errors.Split('\n', Split).Select(PrintableText.Of).ToList();
        lines.ForEach(WriteWarning);
        // As after a program of this machine.
        SessionState.PSVariable.Set("global:LASTEXITCODE", status ?? -1);
        if (status == 0) return;
        var end = status is { } code ? $"with status {code}" : "without a status, as after a signal";
        var reason = lines.Count > 0 ? $": {lines[^1]}" : ".";
        var error = new TransferException(TransferError.Unknown, $"The command ended {end}{reason}") { ServerCode = status };
        WriteError(Record(error, Command));
    }
}
