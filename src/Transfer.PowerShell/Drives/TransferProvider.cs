using System.Management.Automation;
using System.Management.Automation.Provider;
using Transfer.PowerShell.Clients;
using Transfer.PowerShell.Errors;
using Transfer.PowerShell.Pump;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Drives;

/// <summary>
/// Drives that are folders of servers: <c>New-PSDrive -Name in -PSProvider Transfer -Root sftp://files.example.com/inbox</c>.
/// </summary>
[CmdletProvider("Transfer", ProviderCapabilities.ShouldProcess | ProviderCapabilities.Credentials | ProviderCapabilities.Filter)]
public sealed partial class TransferProvider : NavigationCmdletProvider, IContentCmdletProvider
{
    private volatile PipelineWork? _running;

    /// <inheritdoc/>
    protected override void StopProcessing() => _running?.Stop();

    /// <inheritdoc/>
    protected override object NewDriveDynamicParameters() => new DriveParameters();

    /// <inheritdoc/>
    protected override PSDriveInfo NewDrive(PSDriveInfo drive)
    {
        ArgumentNullException.ThrowIfNull(drive);
        if (drive is TransferDrive made) return made;
        var parameters = DynamicParameters as DriveParameters ?? new DriveParameters();
        var (server, folder) = parameters.Server is null
            ? (Connect(drive, parameters), string.Empty) : (Connected(drive, parameters), drive.Root);
        var result = new TransferDrive(drive, server, folder, ownsServer: parameters.Server is null);
        try
        {
            Await(result, ShownUrl.Text(drive.Root), async token =>
            {
                var root = await result.Client.GetEntryAsync(folder, token).ConfigureAwait(false);
                // A root that cannot be described may be listed: no parent exists to list it.
                if (root is null)
                {
                    await result.Client.ListAsync(folder, new() { AcceptPartial = true }, token).AnyAsync(token).ConfigureAwait(false);
                }
                else if (root.Type == RemoteEntryType.File)
                {
                    throw new TransferException(TransferError.NotFound,
                        $"{ShownUrl.Text(drive.Root)} is a file; a drive's root is a folder.");
                }
                return true;
            });
        }
        catch when (result.OwnsServer)
        {
            ServerBoard.CloseAsync(server).GetAwaiter().GetResult();
            throw;
        }
        return result;
    }

    /// <inheritdoc/>
    protected override PSDriveInfo RemoveDrive(PSDriveInfo drive)
    {
        if (drive is TransferDrive { OwnsServer: true } own) ServerBoard.CloseAsync(own.Server).GetAwaiter().GetResult();
        return drive;
    }

    /// <summary>Waits for work at a drive's server. An error of the work ends the command.</summary>
    internal T Await<T>(TransferDrive drive, string path, Func<CancellationToken, Task<T>> work) =>
        Run(drive.Server.Messages, path, running => At(drive, () => running.Await(work)));

    /// <summary>Runs work; an error is the item's. False: the work failed, and the error is written.</summary>
    private bool Try(TransferDrive drive, string path, Func<CancellationToken, Task> work) =>
        TryRun(drive, path, running => running.Await(token => PipelineWork.Done(work, token)));

    private bool TryRun(TransferDrive drive, string path, Func<PipelineWork, bool> work) => Run(drive.Server.Messages, path, running =>
    {
        try
        {
            return At(drive, () => work(running));
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            WriteError(Record(e, path));
            return false;
        }
    });

    private static T At<T>(TransferDrive drive, Func<T> work)
    {
        try
        {
            return work();
        }
        catch (ObjectDisposedException e) when (drive.Server.IsClosed)
        {
            throw drive.ClosedError(e);
        }
    }

    private T Run<T>(MessageRelay messages, string path, Func<PipelineWork, T> work)
    {
        using var running = new PipelineWork(() => Stopping);
        Action<ClientMessage> say = message => running.Pump.Post(() => message.WriteTo(WriteDebug, WriteVerbose, WriteWarning));
        _running = running;
        messages.Listen(say);
        try
        {
            // A stop that came before there was anything to stop.
            if (Stopping) throw new PipelineStoppedException();
            return work(running);
        }
        catch (Exception e) when (e is TransferException or ArgumentException or IOException or UnauthorizedAccessException)
        {
            End(Record(e, path));
            throw;
        }
        finally
        {
            messages.Leave(say);
            _running = null;
        }
    }

    private void End(ErrorRecord record) => ThrowTerminatingError(
        new(new DriveException(record), record.FullyQualifiedErrorId, record.CategoryInfo.Category,
            record.TargetObject)
        { ErrorDetails = record.ErrorDetails });

    // Commands of drives replace with -Force, where those of the module have -Overwrite.
    private static ErrorRecord Record(Exception error, string path) =>
        ErrorRecords.Of(error, path, error is TransferException { Error: TransferError.Exists }
            ? "Give -Force to replace it, or take another name." : null);

    private TransferServer Connect(PSDriveInfo drive, DriveParameters parameters)
    {
        var messages = new MessageRelay();
        var server = Run(messages, ShownUrl.Text(drive.Root), running =>
        {
            if (!Uri.TryCreate(drive.Root, UriKind.Absolute, out var uri) || !drive.Root.Contains("://", StringComparison.Ordinal))
            {
                throw new ArgumentException($"'{ShownUrl.Text(drive.Root)}' is no absolute URI: give one such as sftp://user@host/folder "
                    + "as -Root, or a folder of a server that is connected, and -Server.");
            }
            var connector = new ServerConnector(parameters, SessionState.Path, new(Host, WriteDebug), running.Pump);
            var settings = connector.Settings(uri, drive.Credential);
            // By the drive's name, so that -Server accepts the name.
            var name = ServerBoard.Find(drive.Name) is null ? drive.Name : null;
            return running.Await(token => connector.OpenAsync(settings, messages, name, token));
        });
        if (ServerBoard.TryAdd(server)) return server;
        server.CloseAsync().GetAwaiter().GetResult();
        throw new TransferException(TransferError.Exists, $"A server with the name '{server.Name}' is connected.");
    }

    private TransferServer Connected(PSDriveInfo drive, DriveParameters parameters) => Run(new(), ShownUrl.Text(drive.Root), _ =>
    {
        if (parameters.Connects)
            throw new ArgumentException("Server goes without the parameters that say how to connect: it is connected already.");
        return PipelineValue.Unwrap(parameters.Server) switch
        {
            TransferServer { IsClosed: false } server => server,
            string name when ServerBoard.Find(name) is { } named => named,
            var given => throw new ArgumentException($"'{ShownUrl.Server(given)}' is no server that is connected."),
        };
    });

    private TransferDrive DriveOf(string path)
    {
        if (TransferDrive.NameIn(path) is { } name)
        {
            // An item's path names its drive, which may differ from the command's drive.
            if (PSDriveInfo is TransferDrive current && current.Name.Equals(name, StringComparison.OrdinalIgnoreCase)) return current;
            var named = ProviderInfo.Drives.OfType<TransferDrive>()
                .FirstOrDefault(drive => drive.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
            if (named is not null) return named;
        }
        return PSDriveInfo as TransferDrive
            ?? throw new ItemNotFoundException($"{path} is on no drive of Transfer: paths begin with a drive's name and a colon.");
    }
}
