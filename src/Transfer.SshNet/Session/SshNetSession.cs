using Microsoft.Extensions.Logging;
using Renci.SshNet;
using Renci.SshNet.Sftp;
using Transfer.Replacing;
using Transfer.Sessions;
using Transfer.SshNet.Diagnostics;

namespace Transfer.SshNet.Session;

/// <summary>One <see cref="SftpClient"/> as a session.</summary>
internal sealed class SshNetSession : OneAtATimeSession
{
    private static readonly string[] ConfirmingServers = ["SSH-2.0-OpenSSH", "SSH-2.0-mod_sftp", "SSH-2.0-Transfer.Testing"];

    private readonly SshNetCalls _calls;
    private readonly SshNetLooks _looks;
    private readonly SshNetLister _lister;
    private readonly SshNetRenamer _renamer;
    private readonly SshNetFolders _folders;
    private readonly SshNetContents _contents;
    private readonly SshNetServerState _server;
    private readonly TransferClientOptions _options;
    private readonly ILogger _logger;
    private (string Path, ISftpFile File)? _seen;

    /// <param name="client">The client, connected; owned from now on.</param>
    /// <param name="options">The options of the session's client.</param>
    /// <param name="server">The knowledge of the server.</param>
    /// <param name="logger">The log.</param>
    public SshNetSession(SftpClient client, TransferClientOptions options, SshNetServerState server, ILogger logger)
    {
        (_options, _server, _logger) = (options, server, logger);
        _calls = new SshNetCalls(client, options, logger);
        _looks = new SshNetLooks(_calls, client.WorkingDirectory);
        _lister = new SshNetLister(_calls, _looks);
        _renamer = new SshNetRenamer(_calls, _looks, server, logger);
        _folders = new SshNetFolders(_calls, _looks, server);
        _contents = new SshNetContents(_calls, _looks);
        Features = new TransferFeatures
        {
            Server = client.ConnectionInfo.ServerVersion,
            ReadsAtOffset = true,
            SegmentedDownloads = true,
            SetsModified = true,
            SetsMode = true,
            TimePrecision = TimeSpan.FromSeconds(1),
        };
        server.ConfirmsChanges = Array.Exists(ConfirmingServers,
            name => Features.Server?.StartsWith(name, StringComparison.OrdinalIgnoreCase) == true);
        Log.SessionOpened(logger, Features.Server ?? "?", client.WorkingDirectory);
    }

    public override bool Usable => _calls.Usable && !_contents.HasLostHandles;

    public override TransferFeatures Features { get; }

    protected override TimeProvider TimeProvider => _options.TimeProvider;

    public override void Break(TransferConnectionException reason) => _calls.Break(reason);

    public override IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report, CancellationToken cancellationToken) =>
        _lister.ListAsync(directory, report, cancellationToken);

    public override async ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken cancellationToken)
    {
        var sight = await _looks.AtAsync(path, cancellationToken).ConfigureAwait(false);
        _seen = sight.File is { IsSymbolicLink: false } file ? (path, file) : null;
        return sight.Require();
    }

    public override async ValueTask<IReadOnlyList<EntryOutcome>> GetEntriesAsync(IReadOnlyList<string> paths,
        CancellationToken cancellationToken) =>
        [.. (await _looks.AtAllAsync(paths, cancellationToken).ConfigureAwait(false)).Select(sight => sight.ToOutcome())];

    public override ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken cancellationToken) =>
        _folders.CreateAsync(paths, cancellationToken);

    public override ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths,
        CancellationToken cancellationToken) =>
        _renamer.DeleteAllAsync(paths, isFolder: false, cancellationToken);

    public override ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken cancellationToken) =>
        _renamer.DeleteAllAsync(paths, isFolder: true, cancellationToken);

    public override async ValueTask RenameAsync(Renaming renaming, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(renaming);
        await SetBeforeRenameAsync(renaming, cancellationToken).ConfigureAwait(false);
        _seen = null;
        // Some servers' plain RENAME replaces, contrary to the draft; and the replacement of a link proves nothing about the folder.
        var memory = _server.Renames;
        if (renaming is { IsTemporary: true, InDoubt: false })
        {
            var target = await _looks.AtAsync(renaming.To, cancellationToken).ConfigureAwait(false);
            renaming = renaming with { TargetSeen = NameSight.Of(target.ToOutcome()) };
            if (target.File is { IsSymbolicLink: true }) memory = new ReplacementMemory();
        }
        var result = await ReplacementDriver.RunAsync(renaming, _renamer, memory, TimeProvider, cancellationToken).ConfigureAwait(false);
        if (result.Error is { } error) throw error;
        if (result.Aside is { } aside) Log.AsideLeft(_logger, renaming.To, aside);
    }

    public override async ValueTask SetMetadataAsync(string path, FileMetadata metadata, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(metadata);
        if (metadata is { Modified: null, Mode: null }) return;
        var file = _seen is { } seen && seen.Path == path ? seen.File
            : await _looks.BehindAsync(path, cancellationToken).ConfigureAwait(false) ?? throw new Sight(path, null, null).Absent();
        if (metadata.Modified is { } modified) file.Attributes.LastWriteTimeUtc = modified.UtcDateTime;
        if (metadata.Mode is { } mode) file.Attributes.SetPermissions(SshNetEntries.ToSshNet(mode));
        try
        {
            await _calls.RunBlockingAsync("Cannot change", path, _ =>
            {
                file.UpdateStatus();
                return true;
            }, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.Unsupported)
        {
            Log.AttributesNotSet(_logger, path);
        }
    }

    public override ValueTask<IReadOnlyList<TransferException?>> CreateLinksAsync(IReadOnlyList<SymbolicLink> links,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(links);
        return new([.. links.Select(link => NoLinkTexts(link.Path))]);
    }

    public override ValueTask<IReadOnlyList<LinkOutcome>> ReadLinksAsync(IReadOnlyList<string> paths, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(paths);
        return new([.. paths.Select(path => new LinkOutcome { Error = NoLinkTexts(path) })]);
    }

    public override async ValueTask<IReadOnlyList<LinkOutcome>> FollowLinksAsync(IReadOnlyList<string> paths,
        CancellationToken cancellationToken) =>
        await SshNetLooks.TogetherAsync(paths, path => FollowAsync(path, cancellationToken)).ConfigureAwait(false);

    /// <summary>Returns null: SSH.NET requests no hashes.</summary>
    public override ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken cancellationToken) => new((string?)null);

    public override async ValueTask<StorageSpace?> GetSpaceAsync(string path, CancellationToken cancellationToken)
    {
        var full = _looks.Expand(path);
        try
        {
            const string request = "Cannot ask for the space at";
            var status = await _calls.RunAsync(request, path, (client, watch) =>
                client.GetStatusAsync(full, watch.Token), cancellationToken).ConfigureAwait(false);
            return new StorageSpace(Bytes(status.AvailableBlocks), Bytes(status.TotalBlocks));

            long Bytes(ulong blocks) => (long)UInt128.Min((UInt128)status.BlockSize * blocks, long.MaxValue);
        }
        catch (TransferException e) when (e.Error == TransferError.Unsupported)
        {
            return null;
        }
    }

    public override ValueTask DisposeAsync() => _calls.DisposeAsync();

    protected override async Task UploadAsync(string path, Stream content, WorkItem item, CancellationToken cancellationToken)
    {
        _seen = null;
        await _contents.UploadAsync(path, content, item, cancellationToken).ConfigureAwait(false);
    }

    protected override Task DownloadAsync(string path, Stream destination, WorkItem item, CancellationToken cancellationToken) =>
        _contents.DownloadAsync(path, destination, item, cancellationToken);

    private async Task<LinkOutcome> FollowAsync(string path, CancellationToken ct)
    {
        try
        {
            return await _looks.BehindAsync(path, ct).ConfigureAwait(false) is { } file
                ? new() { Entry = SshNetEntries.ToEntry(file.FullName, file) } : default;
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return new() { Error = e };
        }
    }

    private static TransferException NoLinkTexts(string path) => new(
        TransferError.Unsupported,
            $"{path}: SSH.NET resolves the texts of symbolic links: they can be neither read nor made. Transfer.Sftp can.")
    {
        RemotePath = path,
    };
}
