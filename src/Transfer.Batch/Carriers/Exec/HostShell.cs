using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.Engine.Flow;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>Runs the scripts of <see cref="HostScript"/> at a server.</summary>
internal sealed class HostShell
{
    private const int MostAnswer = 16 * 1024;

    private readonly IRemoteCommands _commands;
    private readonly ContentFlow? _flow;
    private readonly TimeSpan _idle;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;

    /// <param name="commands">The server.</param>
    /// <param name="flow">What holds content back; null: nothing.</param>
    /// <param name="idle">How long nothing may move.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Is told what is left behind.</param>
    public HostShell(IRemoteCommands commands, ContentFlow? flow, TimeSpan idle, TimeProvider time, ILogger logger)
    {
        _commands = commands;
        _flow = flow;
        _idle = idle;
        _time = time;
        _logger = logger;
    }

    public Encoding Names => _commands.Names;

    public TimeSpan IdleTimeout => _idle;

    public TimeProvider Time => _time;

    /// <summary>Starts a script, waits for its marker, and tells it the folder.</summary>
    /// <param name="script">The script.</param>
    /// <param name="folder">The folder, absolute.</param>
    /// <param name="ct">Gives it up.</param>
    /// <param name="making">Making the folder, which is waited for before the script is told of it; null: it is there.</param>
    /// <exception cref="TransferException">No connection, or there is no shell.</exception>
    public async ValueTask<HostCommand> StartAsync(string script, string folder, CancellationToken ct, Task? making = null)
    {
        var command = await StartAsync(NewMarker(), _ => script, _flow, ct).ConfigureAwait(false);
        try
        {
            if (making is not null) await making.ConfigureAwait(false);
            await command.WriteAsync(HostPath.Line(folder, _commands.Names), ct).ConfigureAwait(false);
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
        var command = await StartAsync(marker, HostScript.Probe, null, ct).ConfigureAwait(false);
        await using var end = command.ConfigureAwait(false);
        await command.EndWritesAsync(ct).ConfigureAwait(false);
        var answer = await command.PeekAsync(MostAnswer, ct).ConfigureAwait(false);
        var tools = HostTools.Parse(Encoding.UTF8.GetString(answer.Span), marker)
            ?? throw new TransferException(TransferError.Unsupported, "The shell at the server does not answer as a POSIX shell does.") { IsTransient = false };
        return tools with { RoundTrip = command.RoundTrip };
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

    private static string NewMarker() => $"transfer-{Guid.NewGuid():N}";

    private async ValueTask<HostCommand> StartAsync(string marker, Func<string, string> script, ContentFlow? flow, CancellationToken ct)
    {
        var command = new HostCommand(await _commands.StartAsync(HostScript.Command(marker, script(marker)), ct).ConfigureAwait(false), flow, _idle, _time);
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
}
