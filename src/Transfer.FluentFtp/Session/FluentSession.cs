using System.Buffers;
using FluentFTP;
using Microsoft.Extensions.Logging;
using Transfer.Modes;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.FluentFtp.Session;

/// <summary>A session over one client of FluentFTP: one file at a time.</summary>
internal sealed class FluentSession : OneAtATimeSession
{
    private const int Chunk = 128 << 10;

    private readonly FluentControl _control;
    private readonly ILogger _logger;
    private readonly FluentLister _lister;
    private readonly FluentLookUp _lookUp;
    private readonly FluentDirectories _directories;
    private readonly FluentAttributes _attributes;
    private readonly FluentRenamer _renamer;
    private readonly FluentOffsetProof _offsets;

    public FluentSession(FluentControl control, ILogger logger)
    {
        _control = control;
        _logger = logger;
        _lister = new FluentLister(control);
        _lookUp = new FluentLookUp(control, _lister);
        _directories = new FluentDirectories(control, _lister, _lookUp);
        _attributes = new FluentAttributes(control, _lister, _lookUp);
        _renamer = new FluentRenamer(control, _lookUp);
        _offsets = new FluentOffsetProof(control, _lookUp);
        var client = control.Client;
        Features = new TransferFeatures
        {
            Server = $"{client.ServerType} [{client.SystemType}]",
            ReadsAtOffset = client.HasFeature(FtpCapability.REST),
            SegmentedDownloads = client.HasFeature(FtpCapability.REST),
            SetsModified = _attributes.TimeVerb is not null,
            SetsMode = true,
            TimePrecision = _lister.HasMlsd ? TimeSpan.FromSeconds(1) : TimeSpan.FromMinutes(1),
            Hashes = [.. _attributes.HashVerbs.Keys],
        };
    }

    public override bool Usable => _control.IsUsable;

    public override TransferFeatures Features { get; }

    protected override TimeProvider TimeProvider => _control.Time;

    public override void Break(TransferConnectionException reason) => _control.Break(reason);

    public override IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report, CancellationToken ct) =>
        _lister.ListAsync(directory, report, ct);

    public override ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken ct) => _lookUp.GetAsync(path, ct);

    public override ValueTask<IReadOnlyList<DirectoryProof>> ProveDirectoriesAsync(
        IReadOnlyList<RemoteEntry> entries, CancellationToken ct) =>
        _directories.ProveAsync(entries, ct);

    public override ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        _directories.CreateAsync(paths, ct);

    public override ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        _directories.DeleteAsync("DELE", paths, ct);

    public override ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(
        IReadOnlyList<string> paths, CancellationToken ct) =>
        _directories.DeleteAsync("RMD", paths, ct);

    public override async ValueTask RenameAsync(Renaming renaming, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(renaming);
        await SetBeforeRenameAsync(renaming, ct).ConfigureAwait(false);
        var result = await ReplacementDriver.RunAsync(renaming, _renamer, _control.Host.Renames, _control.Time, ct).ConfigureAwait(false);
        if (result.Error is { } error) throw error;
        if (result.Aside is { } aside) Log.AsideLeft(_logger, renaming.To, aside);
    }

    public override ValueTask SetMetadataAsync(string path, FileMetadata metadata, CancellationToken ct) =>
        _attributes.SetAsync(path, metadata, ct);

    public override async ValueTask<IReadOnlyList<TransferException?>> SetModesAsync(
        IReadOnlyList<ModeSetting> settings, CancellationToken ct) => await OneByOne.RunAsync(settings,
            (setting, token) => _attributes.SetModeAsync(setting.Path, setting.Mode, token), ct).ConfigureAwait(false);

    public override ValueTask<bool> SettleModeAsync(ModeSettlement settlement, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(settlement);
        return _attributes.SettleModeAsync(settlement, ct);
    }

    public override ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken ct) =>
        _attributes.HashAsync(path, algorithm, ct);

    public override ValueTask DisposeAsync() => _control.DisposeAsync();

    protected override async Task UploadAsync(string path, Stream content, WorkItem item, CancellationToken ct)
    {
        if (_control.WhyUnsendable(path) is { } why) throw why;
        var data = await FluentData.OpenAsync(_control, "STOR", _control.Expand(path), item.AskedPath, 0, ct).ConfigureAwait(false);
        await using var ended = data.ConfigureAwait(false);
        var buffer = ArrayPool<byte>.Shared.Rent(Chunk);
        try
        {
            int read;
            while ((read = await content.ReadAsync(buffer, ct).ConfigureAwait(false)) > 0)
                await data.WriteAsync(buffer.AsMemory(0, read), ct).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
        await data.FinishAsync(ct).ConfigureAwait(false);
    }

    protected override async Task DownloadAsync(string path, Stream destination, WorkItem item, CancellationToken ct)
    {
        if (_control.WhyUnsendable(path) is { } why) throw why;
        if (!await _offsets.RunAsync(item, path, ct).ConfigureAwait(false)) return;
        var data = await FluentData.OpenAsync(_control, "RETR", _control.Expand(path), path, item.Offset, ct).ConfigureAwait(false);
        await using var ended = data.ConfigureAwait(false);
        var buffer = ArrayPool<byte>.Shared.Rent(Chunk);
        try
        {
            for (var offset = item.Offset; ;)
            {
                var claimed = item.Claim(offset, Chunk);
                if (claimed == 0)
                {
                    await EndEarlyAsync(data, ct).ConfigureAwait(false);
                    return;
                }
                for (var end = offset + claimed; offset < end;)
                {
                    var read = await data.ReadAsync(buffer.AsMemory(0, (int)(end - offset)), ct).ConfigureAwait(false);
                    if (read == 0)
                    {
                        await data.FinishAsync(ct).ConfigureAwait(false);
                        return;
                    }
                    await destination.WriteAsync(buffer.AsMemory(0, read), ct).ConfigureAwait(false);
                    offset += read;
                }
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    // All requested bytes have arrived. The server may refuse in the end, as it could not go on; no reply at all (Pure-FTPd's second 150)
    // costs only the session.
    private static async ValueTask EndEarlyAsync(FluentData data, CancellationToken ct)
    {
        try
        {
            await data.CloseAsync(ct).ConfigureAwait(false);
        }
        catch (TransferConnectionException)
        {
            // The session is unusable now, which the session's loop detects.
        }
    }
}
