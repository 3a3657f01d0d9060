using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Tar;
using Transfer.Local;
using Transfer.Modes;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// A folder of the job's own at the server into which tar extracts. Files known to be complete are published from there by a rename: all of
/// them at once if the target did not exist before, else file by file, many under way at once. So tar touches nothing of the target, and
/// half a file has no final name. Thread-safe.
/// </summary>
internal sealed class StagedFolder : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    // Renames under way on a lost connection are repeated.
    private const int MostAttempts = 3;

    // The most permissions that are settled at a time.
    private const int SettledTogether = 512;

    // The most sessions that rename, and the least files that are worth one.
    private const int MostRenaming = 4;
    private const int LeastRenamed = 500;

    private readonly TransferClient _client;
    private readonly ClientServices _services;
    private readonly HostShell _shell;
    private readonly string _target;
    private readonly OverwriteMode _overwrite;
    private readonly BatchItems _items;
    private readonly ItemJournal? _kept;
    private readonly ILogger _logger;
    private readonly SemaphoreSlim _publishing = new(1);
    private readonly List<PackedArchive> _extracted = [];
    private readonly List<PackedArchive> _held = [];
    private readonly MetFolders _folders = new();
    private readonly TaskCompletionSource _emptied = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _removing = new();
    private Task<bool>? _removal; // the command that deletes the folder: it starts while files are renamed, and waits for the path
    private bool _targetIsThere;
    private bool _isMade;
    private bool _holdsOnlyCopy; // the folder holds the only copy of a file, whose old version is gone
    private volatile bool _doubtful;

    /// <param name="client">The server.</param>
    /// <param name="shell">The server's shell.</param>
    /// <param name="target">The folder that is filled, absolute.</param>
    /// <param name="targetIsThere">Whether the target exists.</param>
    /// <param name="overwrite">How to treat files that exist.</param>
    /// <param name="items">Receives the items to be moved on their own.</param>
    /// <param name="kept">The job's journal, which records the folder first; null: none.</param>
    /// <param name="logger">Logs leftovers.</param>
    public StagedFolder(TransferClient client, HostShell shell, string target, bool targetIsThere, OverwriteMode overwrite,
        BatchItems items, ItemJournal? kept, ILogger logger)
    {
        _client = client;
        _services = ClientServices.Of(client);
        _shell = shell;
        _target = target;
        _targetIsThere = targetIsThere;
        _overwrite = overwrite;
        _items = items;
        _kept = kept;
        _logger = logger;
        // Inside an existing target, which may be on another file system than its parent.
        Path = RemotePath.Combine(targetIsThere ? target : RemotePath.GetParent(target) ?? target,
            (kept?.Names ?? new TemporaryNames()).Next());
    }

    /// <summary>The folder into which tar extracts, absolute.</summary>
    public string Path { get; }

    /// <summary>The permissions of a folder that is made in the target; null: those of <see cref="FolderMode"/>.</summary>
    public Func<string, UnixFileMode?> ModeOf { get; init; } = static _ => null;

    /// <summary>The permissions that new folders get there.</summary>
    public required UnixFileMode FolderMode { get; init; }

    /// <summary>Whether a file that replaces another one gets that one's permissions. Else all files keep those of the
    /// extraction.</summary>
    public bool KeepsReplacedModes { get; init; }

    /// <summary>The creation of the folder; fails if impossible.</summary>
    public Task Made { get; private set; } = Task.CompletedTask;

    /// <summary>Begins to create the folder.</summary>
    public void Make(CancellationToken ct)
    {
        _isMade = true;
        _kept?.Leaves(Path + "/");
        Made = MakeAsync(ct);
    }

    /// <summary>A command ended well: all of these archives are extracted. Those that wait here are published together, for that takes
    /// the same round trips for any number of files.</summary>
    public async ValueTask PublishAsync(IReadOnlyList<PackedArchive> archives, CancellationToken ct)
    {
        lock (_extracted) _extracted.AddRange(archives);
        await _publishing.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            PackedArchive[] extracted;
            lock (_extracted)
            {
                extracted = [.. _extracted];
                _extracted.Clear();
            }
            if (!_targetIsThere)
            {
                _held.AddRange(extracted);
            }
            else if (extracted.Length > 0)
            {
                _removal ??= _shell.RemoveAsync(Path, _removing.Token, when: _emptied.Task).AsTask();
                await MoveAsync(extracted, ct).ConfigureAwait(false);
            }
        }
        finally
        {
            _publishing.Release();
        }
    }

    /// <summary>Fails the archives of a failed command: their files on the server are unknown.</summary>
    public void Fail(IEnumerable<PackedArchive> archives, TransferException error)
    {
        foreach (var archive in archives)
        {
            _doubtful = true;
            archive.Fail(error);
        }
    }

    /// <summary>Publishes the remaining files, once nothing more is extracted.</summary>
    public async ValueTask CompleteAsync(CancellationToken ct)
    {
        if (_targetIsThere) return;
        var isWhole = !_doubtful
            && _held.TrueForAll(archive => archive.Plan.Items.All(item => item.Outcome != PackOutcome.Changed)) && AreApart(_held);
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

    /// <summary>Deletes the rest of the folder. Not cancelled, except by a time limit.</summary>
    public async ValueTask RemoveAsync()
    {
        if (!_isMade) return;
        if (_holdsOnlyCopy)
        {
            _kept?.Stays(Path + "/", _target);
            Log.FolderLeft(_logger, Path, "the folder holds the only copy of a file for the target.");
            _emptied.TrySetCanceled(CancellationToken.None);
            if (_removal is not null) await ((Task)_removal).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            return;
        }
        await Made.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        using var patience = new CancellationTokenSource(Patience, _shell.Time);
        using var ending = patience.Token.UnsafeRegister(static removing => ((CancellationTokenSource)removing!).Cancel(), _removing);
        try
        {
            _emptied.TrySetResult();
            if (!await (_removal ?? _shell.RemoveAsync(Path, patience.Token).AsTask()).ConfigureAwait(false))
                await _client.DeleteAsync(Path, recursive: true, patience.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException or ObjectDisposedException)
        {
            Log.FolderLeft(_logger, Path, e.Message);
        }
    }

    public void Dispose()
    {
        _publishing.Dispose();
        _removing.Dispose();
    }

    // The files inside are unfinished, with their final permissions: the folder keeps other users out.
    private async Task MakeAsync(CancellationToken ct)
    {
        await _client.CreateDirectoryAsync(Path, parents: true, ct).ConfigureAwait(false);
        await _client.SetMetadataAsync(Path, new FileMetadata { Mode = EntryForm.Owners }, ct).ConfigureAwait(false);
    }

    private async ValueTask<bool> TryRenameAsync(CancellationToken ct)
    {
        try
        {
            await _client.SetMetadataAsync(Path, new FileMetadata { Mode = ModeOf(string.Empty) ?? FolderMode }, ct).ConfigureAwait(false);
            await _client.MoveAsync(Path, _target, overwrite: false, ct).ConfigureAwait(false);
            return true;
        }
        catch (TransferException e)
        {
            // The target was made by another meanwhile, most likely.
            Log.NotRenamed(_logger, Path, e.Message);
            return false;
        }
    }

    // On a server that ignores case or Unicode's forms, one of two such files is extracted over the other, without an error.
    private static bool AreApart(IEnumerable<PackedArchive> archives)
    {
        var seen = new HashSet<string>(LocalNames.Lenient);
        return archives.SelectMany(archive => archive.Plan.Items).All(item => seen.Add(item.Path));
    }

    private async ValueTask MoveAsync(IReadOnlyList<PackedArchive> archives, CancellationToken ct)
    {
        var files = archives.SelectMany(
            archive => archive.Plan.Items.Where(item => item.Outcome == PackOutcome.Packed && item.Type != TarEntryType.Directory))
            .ToList();
        TransferException?[] errors;
        try
        {
            await MakeFoldersAsync(archives, ct).ConfigureAwait(false);
            // Over several sessions, since each is a processor's work at the server.
            var share = Math.Max(LeastRenamed, (files.Count + MostRenaming - 1) / MostRenaming);
            errors = [.. (await Task.WhenAll(files.Chunk(share).Select(some => RenameAllAsync(some, ct))).ConfigureAwait(false))
                .SelectMany(static some => some)];
        }
        catch (TransferException e)
        {
            Log.CommandFailed(_logger, e.Message);
            Fail(archives, e);
            return;
        }
        var failures = new List<ArchiveFailure>();
        var skipped = new List<string>();
        for (var i = 0; i < errors.Length; i++)
        {
            if (errors[i] is not { } error) continue;
            if (error.Kept.Count > 0) _holdsOnlyCopy = true;
            if (_overwrite == OverwriteMode.Skip && error.Error == TransferError.Exists) skipped.Add(files[i].Path);
            else failures.Add(new ArchiveFailure(files[i].Path, error.Error, error.Message));
        }
        foreach (var archive in archives) archive.Confirm(new ArchiveReceipt(archive.Index, default, 0, failures) { Skipped = skipped });
    }

    // On some systems a hard link to a symbolic link is one to the link's target: symbolic links are always renamed.
    private Renaming NamingOf(PackItem item, bool replaces) =>
        new(RemotePath.Combine(Path, item.Path), RemotePath.Combine(_target, item.Path))
        {
            IsTemporary = item.Type != TarEntryType.Link,
            Replace = replaces,
            Length = item.Type == TarEntryType.Link ? null : item.Length,
        };

    // Of most files there is none to replace, which one request shows.
    private ValueTask<bool> SettleModesAsync(PackItem[] files, List<int> open, CancellationToken ct) =>
        _services.UseSessionAsync("set metadata", async (session, token) =>
    {
        string[] paths = [.. open.Where(i => files[i].Type == TarEntryType.File).Select(i => files[i].Path)];
        var there = await session.GetEntriesAsync([.. paths.Select(path => RemotePath.Combine(_target, path))],
            token).ConfigureAwait(false);
        var settlements = paths.Where((_, i) => !there[i].IsAbsent)
            .Select(path =>
                new ModeSettlement(RemotePath.Combine(Path, path), RemotePath.Combine(_target, path), null) { KeepsOwn = true });
        foreach (var some in settlements.Chunk(SettledTogether))
            await Task.WhenAll(some.Select(settlement => session.SettleModeAsync(settlement, token).AsTask())).ConfigureAwait(false);
        return true;
    }, retry: true, ct);

    // After a lost connection the outcome of the renames is unknown.
    private async Task<TransferException?[]> RenameAllAsync(PackItem[] files, CancellationToken ct)
    {
        var errors = new TransferException?[files.Length];
        var open = Enumerable.Range(0, files.Length).ToList();
        var replaces = _overwrite is OverwriteMode.Always or OverwriteMode.Newer;
        for (var attempt = 1; open.Count > 0; attempt++)
        {
            try
            {
                if (KeepsReplacedModes && replaces) await SettleModesAsync(files, open, ct).ConfigureAwait(false);
                Renaming[] renamings = [.. open.Select(i => NamingOf(files[i], replaces))];
                var moved = await _services.UseSessionAsync("move", (session, token) => session.RenameFilesAsync(renamings, token),
                    retry: false, ct).ConfigureAwait(false);
                for (var at = 0; at < moved.Count; at++) errors[open[at]] = moved[at];
                var failed = open.Where(i => errors[i] is not null).ToList();
                if (attempt == 1 || failed.Count == 0) break;
                // A lost rename may have succeeded before the repeated request.
                foreach (var i in failed.Except(await WithoutNameAsync(files, failed, ct).ConfigureAwait(false))) errors[i] = null;
                break;
            }
            catch (TransferConnectionException e)
            {
                Log.CommandFailed(_logger, e.Message);
                open = await WithoutNameAsync(files, open, ct).ConfigureAwait(false);
                if (attempt < MostAttempts) continue;
                foreach (var i in open) errors[i] = e;
                break;
            }
        }
        return errors;
    }

    // Returns the files not proved renamed. Proof: the file is gone here, and the target's file has the same length.
    private async ValueTask<List<int>> WithoutNameAsync(PackItem[] files, List<int> asked, CancellationToken ct)
    {
        string[] here = [.. asked.Select(i => RemotePath.Combine(Path, files[i].Path))];
        string[] there = [.. asked.Select(i => RemotePath.Combine(_target, files[i].Path))];
        var staged = await _services.UseSessionAsync("stat", (session, token) => session.GetEntriesAsync(here, token), retry: true,
            ct).ConfigureAwait(false);
        var named = await _services.UseSessionAsync("stat", (session, token) => session.GetEntriesAsync(there, token), retry: true,
            ct).ConfigureAwait(false);
        return [.. asked.Where((i, at) => !staged[at].IsAbsent || !IsOurs(files[i], named[at].Entry))];
    }

    private static bool IsOurs(PackItem item, RemoteEntry? entry) => item.Type == TarEntryType.Link
        ? entry is { Type: RemoteEntryType.Link }
        : entry is { Type: RemoteEntryType.File } && entry.Length == item.Length;

    // A folder that can't be created fails the files that are moved there.
    private async ValueTask MakeFoldersAsync(IEnumerable<PackedArchive> archives, CancellationToken ct)
    {
        var items = archives.SelectMany(archive => archive.Plan.Items).Where(item => item.Outcome != PackOutcome.Postponed);
        var wanted = items.SelectMany(
            item => _folders.Meet(item.Type == TarEntryType.Directory ? item.Path : RemotePath.GetParent(item.Path))).ToList();
        if (wanted.Count == 0) return;
        string[] paths = [.. wanted.Select(path => RemotePath.Combine(_target, path))];
        // The permissions travel with the creation: a folder whose creation is repeated after a lost session has them already.
        var modes = new UnixFileMode?[paths.Length];
        var (masked, maskedPaths) = (new List<int>(), new List<string>());
        for (var i = 0; i < modes.Length; i++)
        {
            if (ModeOf(wanted[i]) is not { } mode || mode == FolderMode) continue;
            modes[i] = mode;
            if ((mode & ~FolderMode) == 0) continue;
            masked.Add(i);
            maskedPaths.Add(paths[i]);
        }
        IReadOnlyList<EntryOutcome>? before = null;
        var isRepeated = false;
        var outcomes = await _services.UseSessionAsync("mkdir", async (session, token) =>
        {
            // Only this look distinguishes a folder of an attempt that was lost from one of another's.
            if (masked.Count > 0) before ??= await session.GetEntriesAsync(maskedPaths, token).ConfigureAwait(false);
            var inDoubt = isRepeated;
            isRepeated = true;
            var made = await session.CreateDirectoriesAsync(paths, modes, token).ConfigureAwait(false);
            var own = new List<ModeSetting>();
            for (var at = 0; at < masked.Count; at++)
            {
                var i = masked[at];
                if (made[i].Created || inDoubt && made[i].Error is null && before![at].IsAbsent)
                    own.Add(new ModeSetting(paths[i], modes[i]!.Value));
            }
            await UnmaskAsync(session, own, token).ConfigureAwait(false);
            return made;
        }, retry: true, ct).ConfigureAwait(false);
        for (var i = 0; i < wanted.Count; i++)
        {
            if (outcomes[i].Error is not null) _items.AddToRest(wanted[i]);
        }
    }

    // The server's umask removes permissions from a creation's. Where they can't be set, the folder has those it gets file by file.
    private async ValueTask UnmaskAsync(TransferSession session, List<ModeSetting> settings, CancellationToken ct)
    {
        if (settings.Count == 0) return;
        var refusals = await session.SetModesAsync(settings, ct).ConfigureAwait(false);
        if (refusals.FirstOrDefault(static refusal => refusal is not null) is { } first) Log.CommandFailed(_logger, first.Message);
    }
}
