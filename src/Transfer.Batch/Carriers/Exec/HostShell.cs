using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>Runs the scripts of <see cref="HostScript"/> at a server.</summary>
internal sealed class HostShell
{
    private const int MostAnswer = 16 * 1024;

    // Whoever is asked what he is and can do answers at once, or is no shell.
    private static readonly TimeSpan ProbePatience = TimeSpan.FromSeconds(10);

    private readonly IRemoteCommands _commands;
    private readonly ContentPace? _flow;
    private readonly TimeSpan _idle;
    private readonly TimeSpan _logIn;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;

    /// <param name="commands">The server.</param>
    /// <param name="flow">What holds content back; null: nothing.</param>
    /// <param name="idle">How long nothing may move.</param>
    /// <param name="logIn">How long a command may take until it has said what it is.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Is told what is left behind.</param>
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

    /// <summary>How long a command may take until it has said what it is.</summary>
    public TimeSpan LogInTimeout => _logIn;

    public TimeProvider Time => _time;

    /// <summary>Starts a script, waits for its marker, and tells it the folder.</summary>
    /// <param name="script">The script.</param>
    /// <param name="folder">The folder, absolute.</param>
    /// <param name="ct">Gives it up.</param>
    /// <param name="making">Making the folder, which is waited for before the script is told of it; null: it is there.</param>
    /// <param name="proof">The folder that the script looks for first; null: it looks for none.</param>
    /// <param name="flows">What goes there is content, and held back as such; false: who writes it does that, so that other messages pass.</param>
    /// <exception cref="TransferException">No connection, or there is no shell.</exception>
    public async ValueTask<HostCommand> StartAsync(string script, string folder, CancellationToken ct, Task? making = null, string? proof = null, bool flows = true)
    {
        var marker = NewMarker();
        var command = await LogInClock.RunAsync("The start of a command at the server", _logIn, _time, clock => OpenToMarkerAsync(marker, script, flows, clock.Token), ct).ConfigureAwait(false);
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

    /// <summary>Asks what the host can do.</summary>
    /// <exception cref="TransferException">No connection, or it runs no commands.</exception>
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
            // Whatever reads in the shell's place and waits for more so learns that nothing comes.
            await command.EndWritesAsync(either.Token).ConfigureAwait(false);
            await command.AwaitMarkerAsync(marker, either.Token).ConfigureAwait(false);
            answer = await command.PeekAsync(MostAnswer, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested && !ct.IsCancellationRequested)
        {
            throw new TransferException(TransferError.Timeout, $"No shell has answered at the server for {ProbePatience.TotalSeconds:0} s.") { IsTransient = false };
        }
        var tools = HostTools.Parse(Encoding.UTF8.GetString(answer.Span), marker)
            ?? throw new TransferException(TransferError.Unsupported, "The shell at the server does not answer as a POSIX shell does.") { IsTransient = false };
        return tools with { RoundTrip = command.RoundTrip };
    }

    /// <summary>Makes sure that the shell has the files before it that SFTP shows.</summary>
    /// <param name="proof">A folder that SFTP has made.</param>
    /// <param name="ct">Gives it up.</param>
    /// <exception cref="TransferException">It does not see it.</exception>
    public async ValueTask CheckSeesAsync(string proof, CancellationToken ct)
    {
        var command = await StartAsync(HostScript.See, proof, ct).ConfigureAwait(false);
        await using var end = command.ConfigureAwait(false);
        await command.FinishAsync(0, ct).ConfigureAwait(false);
    }

    /// <summary>Deletes a folder with all that is in it; false: it is not sure that it is gone.</summary>
    public async ValueTask<bool> RemoveAsync(string folder, CancellationToken ct)
    {
        try
        {
            var command = await StartAsync(HostScript.Remove, folder, ct).ConfigureAwait(false);
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

    // Nothing is known of who answers before the marker has come.
    private async ValueTask<HostCommand> OpenAsync(string marker, string script, ContentPace? flow, CancellationToken ct) =>
        new(await _commands.StartAsync(HostScript.Command(marker, script), ct).ConfigureAwait(false), flow, _idle, _time);
}
