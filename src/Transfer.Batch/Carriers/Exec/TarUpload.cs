using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Carriers.Link;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>Sends the archives of a folder to the host's tar, over several channels at once. The archives given to a command count once the
/// command has succeeded.</summary>
internal sealed class TarUpload
{
    // A lost command's archives are sent again, so not more; with less, starting commands takes more than a few hundredths of the time on a
    // long link.
    private const long MostBytes = 64 << 20;
    private const int MostFiles = 20_000;

    private readonly HostShell _shell;
    private readonly StagedFolder _folder;
    private readonly FolderArchives _archives;
    private readonly string _script;
    private readonly LaneBoard _board;
    private readonly ILogger _logger;

    /// <param name="shell">The host's shell.</param>
    /// <param name="folder">The folder to fill.</param>
    /// <param name="archives">The archives to send.</param>
    /// <param name="setsTimes">Whether files get their sources' times.</param>
    /// <param name="board">Shows each lane's work.</param>
    /// <param name="logger">Logs failures of commands.</param>
    public TarUpload(
        HostShell shell, StagedFolder folder, FolderArchives archives, bool setsTimes, LaneBoard board, ILogger logger)
    {
        _shell = shell;
        _folder = folder;
        _archives = archives;
        _script = HostScript.Extract(setsTimes);
        _board = board;
        _logger = logger;
    }

    /// <summary>Ends when every archive is extracted and published, or has failed.</summary>
    /// <exception cref="TransferException">The folder cannot be read.</exception>
    public async Task RunAsync(int lanes, CancellationToken ct)
    {
        TransferException? lost = null;
        await SideBySide.RunAsync(lanes, async token => lost = await RunLaneAsync(token).ConfigureAwait(false) ?? lost,
            ct).ConfigureAwait(false);
        // Without a lane left, the remaining archives fail.
        while (lost is not null && await NextAsync(ct).ConfigureAwait(false) is { } archive) _folder.Fail([archive], lost);
        await _folder.CompleteAsync(ct).ConfigureAwait(false);
    }

    // Returns why the lane ended early.
    private async Task<TransferException?> RunLaneAsync(CancellationToken ct)
    {
        using var work = _board.Add();
        var taken = new List<PackedArchive>();
        if (await NextAsync(ct).ConfigureAwait(false) is { } first) taken.Add(first);
        while (taken.Count > 0)
        {
            PackedArchive? ahead;
            try
            {
                ahead = await RunCommandAsync(taken, work, ct).ConfigureAwait(false);
            }
            catch (TransferException e)
            {
                Log.CommandFailed(_logger, e.Message);
                _folder.Fail(taken, e);
                return e;
            }
            await _folder.PublishAsync([.. taken], ct).ConfigureAwait(false);
            taken.Clear();
            if (ahead is not null) taken.Add(ahead);
        }
        return null;
    }

    // Adds the archives that the command takes, and returns the one too many for the next command.
    private async Task<PackedArchive?> RunCommandAsync(List<PackedArchive> taken, LaneWork work, CancellationToken ct)
    {
        var command = await _shell.StartAsync(_script, _folder.Path, ct, _folder.Made).ConfigureAwait(false);
        await using var end = command.ConfigureAwait(false);
        var payload = new PlainPayload(command, work.Moved);
        // Other commands extract into the same folder. GNU's tar creates folders that the stream does not name, but fails if another tar
        // creates one between the attempt to open a file there and the mkdir: so each stream names the folders of its files.
        var folders = new MetFolders();
        long bytes = 0;
        var (files, begun) = (0, 0);
        try
        {
            while (begun < taken.Count)
            {
                var archive = taken[begun++];
                work.Begin(archive.Index);
                await archive.WritePlainAsync(payload, folders, ct).ConfigureAwait(false);
                bytes = LengthSum.Add(bytes, LengthSum.Of(archive.Plan.Items.Select(item => item.Length)));
                files += archive.Plan.Items.Count;
                if (bytes < MostBytes && files < MostFiles && await NextAsync(ct).ConfigureAwait(false) is { } next) taken.Add(next);
            }
            await ArchivePacker.EndAsync(payload, ct).ConfigureAwait(false);
            await command.FinishAsync(0, ct).ConfigureAwait(false);
        }
        finally
        {
            // Under way until the command has ended.
            work.End(begun);
        }
        return bytes < MostBytes && files < MostFiles ? null : await NextAsync(ct).ConfigureAwait(false);
    }

    private async ValueTask<PackedArchive?> NextAsync(CancellationToken ct) =>
        (PackedArchive?)await _archives.NextAsync(ct).ConfigureAwait(false);
}
