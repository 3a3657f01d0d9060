using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>Runs the scripts of <see cref="HostScript"/> at a server.</summary>
internal sealed class HostShell
{
    private const int MostAnswer = 16 * 1024;

    // A shell answers a probe at once.
    private static readonly TimeSpan ProbePatience = TimeSpan.FromSeconds(10);

    private readonly IRemoteCommands _commands;
    private readonly ContentPace? _flow;
    private readonly TimeSpan _idle;
    private readonly TimeSpan _logIn;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;

    /// <param name="commands">The server.</param>
    /// <param name="flow">The pace of content; null: none.</param>
    /// <param name="idle">How long nothing may move.</param>
    /// <param name="logIn">How long a command may take until the marker.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Logs leftovers.</param>
    public HostShell(IRemoteCommands commands, ContentPace? flow, TimeSpan idle, TimeSpan logIn, TimeProvider time, ILogger logger)
    {
        _logIn = logIn;
        _commands = commands;
        _flow = flow;
        _idle = idle;
        _time = time;
        _logger = logger;
    }

    public Encoding Names => _commands.Names;

    public TimeSpan IdleTimeout => _idle;

    /// <summary>How long a command may take until the marker.</summary>
    public TimeSpan LogInTimeout => _logIn;

    public TimeProvider Time => _time;

    /// <summary>Starts a script, waits for the marker, and sends the folder's path.</summary>
    /// <param name="script">The script.</param>
    /// <param name="folder">The folder, absolute.</param>
    /// <param name="ct">Stops waiting.</param>
    /// <param name="making">What is awaited before the path is sent, such as the creation of the folder; null: nothing.</param>
    /// <param name="proof">The folder that the script looks for first; null: none.</param>
    /// <param name="flows">Whether the input is content, which is paced; false: the writer paces, so that other messages pass.</param>
    /// <exception cref="TransferException">No connection, or there is no shell.</exception>
    public async ValueTask<HostCommand> StartAsync(string script, string folder, CancellationToken ct, Task? making = null,
        string? proof = null, bool flows = true)
    {
        var marker = NewMarker();
        var command = await LogInClock.RunAsync("The start of a command at the server", _logIn, _time,
            clock => OpenToMarkerAsync(marker, script, flows, clock.Token), ct).ConfigureAwait(false);
        try
        {
            if (making is not null) await making.ConfigureAwait(false);
            byte[] before = proof is null ? [] : HostPath.Line(proof, _commands.Names);
            await command.WriteAsync((byte[])[.. before, .. HostPath.Line(folder, _commands.Names)], ct).ConfigureAwait(false);
            return command;
        }
        catch
        {
            await command.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Probes the host's abilities.</summary>
    /// <exception cref="TransferException">No connection, or the server runs no commands.</exception>
    public async ValueTask<HostTools> ProbeAsync(CancellationToken ct)
    {
        var marker = NewMarker();
        var command = await OpenAsync(marker, HostScript.Probe(marker), null, ct).ConfigureAwait(false);
        await using var end = command.ConfigureAwait(false);
        using var patience = new CancellationTokenSource(ProbePatience, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, patience.Token);
        ReadOnlyMemory<byte> answer;
        try
        {
            // A program that reads instead of a shell learns that no input comes.
            await command.EndWritesAsync(either.Token).ConfigureAwait(false);
            await command.AwaitMarkerAsync(marker, either.Token).ConfigureAwait(false);
            answer = await command.PeekAsync(MostAnswer, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested && !ct.IsCancellationRequested)
        {
            throw new TransferException(TransferError.Timeout,
                $"No shell has answered at the server for {ProbePatience.TotalSeconds:0} s.")
            { IsTransient = false };
        }
        var tools = HostTools.Parse(Encoding.UTF8.GetString(answer.Span), marker)
            ?? throw new TransferException(TransferError.Unsupported,
                "The shell at the server does not answer as a POSIX shell does.")
            { IsTransient = false };
        return tools with { RoundTrip = command.RoundTrip };
    }

    /// <summary>Verifies that the shell sees the files that SFTP shows.</summary>
    /// <param name="proof">A folder that SFTP shows.</param>
    /// <param name="ct">Stops waiting.</param>
    /// <exception cref="TransferException">The shell does not see the folder.</exception>
    public async ValueTask CheckSeesAsync(string proof, CancellationToken ct)
    {
        var command = await StartAsync(HostScript.See, proof, ct).ConfigureAwait(false);
        await using var end = command.ConfigureAwait(false);
        await command.FinishAsync(0, ct).ConfigureAwait(false);
    }

    /// <summary>Deletes a folder with its whole content; false: the folder may still exist.</summary>
    /// <param name="folder">The folder, absolute.</param>
    /// <param name="ct">Stops waiting.</param>
    /// <param name="when">What is awaited before the folder is named to the command; null: nothing.</param>
    public async ValueTask<bool> RemoveAsync(string folder, CancellationToken ct, Task? when = null)
    {
        try
        {
            var command = await StartAsync(HostScript.Remove, folder, ct, when).ConfigureAwait(false);
            await using var end = command.ConfigureAwait(false);
            await command.FinishAsync(MostAnswer, ct).ConfigureAwait(false);
            return true;
        }
        catch (TransferException e)
        {
            Log.NotRemovedByShell(_logger, folder, e.Message);
            return false;
        }
    }

    private async ValueTask<HostCommand> OpenToMarkerAsync(string marker, string script, bool flows, CancellationToken ct)
    {
        var command = await OpenAsync(marker, script, flows ? _flow : null, ct).ConfigureAwait(false);
        try
        {
            await command.AwaitMarkerAsync(marker, ct).ConfigureAwait(false);
            return command;
        }
        catch
        {
            await command.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private static string NewMarker() => $"transfer-{Guid.NewGuid():N}";

    // The peer is unknown before the marker has arrived.
    private async ValueTask<HostCommand> OpenAsync(string marker, string script, ContentPace? flow, CancellationToken ct) =>
        new(await _commands.StartAsync(HostScript.Command(marker, script), ct).ConfigureAwait(false), flow, _idle, _time);
}
