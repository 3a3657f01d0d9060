using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Tar;
using Transfer.Engine;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// A folder of the job's own at the server that tar extracts into. What is known to be whole gets its name from there by a rename: all of it at once where the target
/// was not there before, else file by file, many under way at once. So nothing of the target is touched by tar, and what is half there has no name. Thread-safe.
/// </summary>
internal sealed class StagedFolder : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly TransferClient _client;
    private readonly HostShell _shell;
    private readonly string _target;
    private readonly Overwrite _overwrite;
    private readonly BatchItems _items;
    private readonly ILogger _logger;
    private readonly SemaphoreSlim _publishing = new(1);
    private readonly List<PackedArchive> _held = [];
    private readonly HashSet<string> _folders = [];
    private bool _targetIsThere;
    private bool _isMade;
    private volatile bool _doubtful;

    /// <param name="client">The server.</param>
    /// <param name="shell">Its shell.</param>
    /// <param name="target">The folder that is filled, absolute.</param>
    /// <param name="targetIsThere">It is there already.</param>
    /// <param name="overwrite">What to do with files that exist.</param>
    /// <param name="items">Gets what is to go on its own.</param>
    /// <param name="logger">Is told what is left behind.</param>
    public StagedFolder(TransferClient client, HostShell shell, string target, bool targetIsThere, Overwrite overwrite, BatchItems items, ILogger logger)
    {
        _client = client;
        _shell = shell;
        _target = target;
        _targetIsThere = targetIsThere;
        _overwrite = overwrite;
        _items = items;
        _logger = logger;
        // In the target, where it is there: it may be another file system than the folder that it is in.
        Path = RemotePath.Combine(targetIsThere ? target : RemotePath.GetParent(target) ?? target, new TemporaryNames().Next());
    }

    /// <summary>Where tar extracts, absolute.</summary>
    public string Path { get; }

    /// <summary>Its being made; fails where it can't be.</summary>
    public Task Made { get; private set; } = Task.CompletedTask;

    /// <summary>Begins to make it.</summary>
    public void Make(CancellationToken ct)
    {
        _isMade = true;
        Made = _client.CreateDirectoryAsync(Path, parents: true, ct).AsTask();
    }

    /// <summary>A command ended well: all of these archives are extracted.</summary>
    public async ValueTask PublishAsync(IReadOnlyList<PackedArchive> archives, CancellationToken ct)
    {
        await _publishing.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            if (_targetIsThere) await MoveAsync(archives, ct).ConfigureAwait(false);
            else _held.AddRange(archives);
        }
        finally
        {
            _publishing.Release();
        }
    }

    /// <summary>A command failed: nobody knows what there is of these.</summary>
    public void Fail(IEnumerable<PackedArchive> archives, TransferException error)
    {
        foreach (var archive in archives)
        {
            _doubtful = true;
            foreach (var item in archive.Plan.Items)
            {
                if (item.Type == TarEntryType.Directory) _items.Leave(item.Path);
            }
            archive.Fail(error);
        }
    }

    /// <summary>Nothing more is extracted: what has no name yet gets it.</summary>
    public async ValueTask CompleteAsync(CancellationToken ct)
    {
        if (_targetIsThere) return;
        var isWhole = !_doubtful && _held.TrueForAll(archive => archive.Plan.Items.All(item => item.Outcome != PackOutcome.Spoilt));
        if (isWhole && await TryRenameAsync(ct).ConfigureAwait(false))
        {
            _isMade = false;
            foreach (var archive in _held) archive.Confirm(new ArchiveReceipt(archive.Index, default, 0, []));
            return;
        }
        _targetIsThere = true;
        try
        {
            await _client.CreateDirectoryAsync(_target, parents: true, ct).ConfigureAwait(false);
            await MoveAsync(_held, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            Fail(_held, e);
        }
    }

    /// <summary>Deletes what is left of it. Nothing stops that but time.</summary>
    public async ValueTask RemoveAsync()
    {
        if (!_isMade) return;
        await Made.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        using var patience = new CancellationTokenSource(Patience, _shell.Time);
        try
        {
            if (!await _shell.RemoveAsync(Path, patience.Token).ConfigureAwait(false)) await _client.DeleteAsync(Path, recursive: true, patience.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException or ObjectDisposedException)
        {
            Log.FolderLeft(_logger, Path, e.Message);
        }
    }

    public void Dispose() => _publishing.Dispose();

    private async ValueTask<bool> TryRenameAsync(CancellationToken ct)
    {
        try
        {
            await _client.MoveAsync(Path, _target, overwrite: false, ct).ConfigureAwait(false);
            return true;
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // Somebody has made it meanwhile, most likely.
            Log.NotRenamed(_logger, Path, e.Message);
            return false;
        }
    }

    private async ValueTask MoveAsync(IReadOnlyList<PackedArchive> archives, CancellationToken ct)
    {
        var files = archives.SelectMany(archive => archive.Plan.Items.Where(item => item.Outcome == PackOutcome.Packed && item.Type != TarEntryType.Directory).Select(item => item.Path)).ToList();
        IReadOnlyList<TransferException?> errors;
        try
        {
            await MakeFoldersAsync(archives, ct).ConfigureAwait(false);
            var moves = files.ConvertAll(path => new FileMove(RemotePath.Combine(Path, path), RemotePath.Combine(_target, path)));
            var replaces = _overwrite is Overwrite.Always or Overwrite.Newer;
            errors = await _client.Engine.ControlAsync("move", (session, token) => session.MoveFilesAsync(moves, replaces, token), retry: false, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            Log.CommandFailed(_logger, e.Message);
            Fail(archives, e);
            return;
        }
        var failures = new List<ArchiveFailure>();
        var skipped = new List<string>();
        for (var i = 0; i < errors.Count; i++)
        {
            if (errors[i] is not { } error) continue;
            if (_overwrite == Overwrite.Skip && error.Error == TransferError.Exists) skipped.Add(files[i]);
            else failures.Add(new ArchiveFailure(files[i], error.Error, error.Message));
        }
        foreach (var archive in archives) archive.Confirm(new ArchiveReceipt(archive.Index, default, 0, failures) { Skipped = skipped });
    }

    // One that can't be made shows when something is to be moved there.
    private async ValueTask MakeFoldersAsync(IEnumerable<PackedArchive> archives, CancellationToken ct)
    {
        var wanted = new List<string>();
        foreach (var item in archives.SelectMany(archive => archive.Plan.Items)) Add(item.Type == TarEntryType.Directory ? item.Path : RemotePath.GetParent(item.Path) ?? string.Empty, wanted);
        if (wanted.Count == 0) return;
        string[] paths = [.. wanted.Select(path => RemotePath.Combine(_target, path))];
        var outcomes = await _client.Engine.ControlAsync("mkdir", (session, token) => session.CreateDirectoriesAsync(paths, token), retry: true, ct).ConfigureAwait(false);
        for (var i = 0; i < wanted.Count; i++)
        {
            if (outcomes[i].Error is not null) _items.Leave(wanted[i]);
        }
    }

    private void Add(string folder, List<string> wanted)
    {
        if (folder.Length == 0 || !_folders.Add(folder)) return;
        Add(RemotePath.GetParent(folder) ?? string.Empty, wanted);
        wanted.Add(folder);
    }
}
