using Transfer.Modes;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// The permissions of one file that is written: those of OPEN, and those set before the rename, as <see cref="FinalMode"/> decides. The
/// necessary requests fly beside requests that are made anyway.
/// </summary>
internal sealed class SftpFileMode
{
    private readonly SftpSessionContext _context;
    private readonly UnixFileMode? _exact;
    private readonly string? _replaced;
    private readonly string _path;
    private readonly bool _isUnfinished;
    private UnixFileMode? _source;
    private PendingReply? _looking;
    private Task<UnixFileMode?>? _umask;
    private UnixFileMode? _decided;
    private (UnixFileMode Mode, uint Group)? _sameGroup; // what it gets if it belongs to that group

    /// <param name="context">The session.</param>
    /// <param name="path">The path that the file is written under, in the server's form.</param>
    /// <param name="replaced">The path of the file to replace, in the server's form; null for none.</param>
    /// <param name="isUnfinished">Whether the file is written under a temporary name.</param>
    /// <param name="exact">The permissions set by the caller; null for none.</param>
    /// <param name="source">The permissions of the source; null when unknown.</param>
    public SftpFileMode(SftpSessionContext context, string path, string? replaced, bool isUnfinished, UnixFileMode? exact,
        UnixFileMode? source)
    {
        (_context, _path, _replaced, _isUnfinished, _exact, _source) = (context, path, replaced, isUnfinished, exact, source);
    }

    /// <summary>The permissions for OPEN; null leaves the server's default.</summary>
    public uint? Created
    {
        get
        {
            if (_isUnfinished && !_context.Server.NoModes) return (uint)FinalMode.Unfinished;
            return (uint?)((_exact ?? _source) & FinalMode.Permissions);
        }
    }

    /// <summary>The permissions to set on the open file before the content; null for none.</summary>
    public uint? BeforeContent { get; private set; }

    /// <summary>
    /// The permissions to set after the content; null when there are none, or not yet: see <see cref="DecidePendingAsync"/>.
    /// </summary>
    public uint? AfterContent => _decided is null or FinalMode.Unfinished ? null : (uint)_decided;

    /// <summary>Whether the decision needs the file's own attributes: <see cref="DecidePendingAsync"/>.</summary>
    public bool NeedsGroup => _sameGroup is not null;

    /// <summary>Whether the permissions are decided after the content.</summary>
    public bool IsPending => _umask is not null || _sameGroup is not null;

    /// <summary>Requests the attributes of the file to replace; beside OPEN.</summary>
    public void RequestReplaced()
    {
        if (_replaced is not null && _exact is null && !_context.Server.NoModes)
            _looking = _context.Operations.StatAsync(_replaced, follow: true, CancellationToken.None);
    }

    /// <summary>Decides after OPEN, as far as possible.</summary>
    /// <param name="source">The permissions of the source, where only the server knows them; null when unknown, or known before.</param>
    public async ValueTask DecideAsync(UnixFileMode? source = null)
    {
        _source ??= source;
        var look = _looking is { } asked ? await asked.ConfigureAwait(false) : default;
        var there = _looking is not null && look is { IsOk: true, Attributes.Type: not RemoteEntryType.Directory }
            ? look.Attributes : (SftpAttributes?)null;
        _looking = null;
        if (_exact is not null || _context.Server.NoModes) return;
        if (!_isUnfinished)
        {
            // A file written in place keeps its permissions, except those granted to other content.
            if (there?.Mode is { } own && (own & ~FinalMode.Permissions) != 0) BeforeContent = (uint)(own & FinalMode.Permissions);
            return;
        }
        if (there is { } old)
        {
            if (old.Mode is { } mode) Replace(mode, old.GroupId);
            return;
        }
        if (!FinalMode.DependsOnUmask(_source)) _decided = FinalMode.Decide(null, null, _source, UnixFileMode.None);
        else if (_context.Server.Umask.Known is { } umask) _decided = FinalMode.Decide(null, null, _source, umask);
        else _umask = _context.Server.Umask.FindAsync(_context, _path);
    }

    /// <summary>Continues a file of an earlier run: other users lose access before more content arrives.</summary>
    public void Continue() => BeforeContent = _isUnfinished && !_context.Server.NoModes ? (uint)FinalMode.Unfinished : null;

    /// <summary>Decides a pending mode. Null: the file has its permissions.</summary>
    /// <param name="file">The current attributes of the file.</param>
    public async ValueTask<uint?> DecidePendingAsync(SftpAttributes file)
    {
        if (_sameGroup is { } same) return file.GroupId == same.Group ? (uint)same.Mode : null;
        if (_umask is null) return null;
        // Another try, with this file closed: the first may have met the server's limit of open files.
        var umask = await _umask.ConfigureAwait(false) ?? await _context.Server.Umask.FindLateAsync(_context, _path).ConfigureAwait(false);
        return (uint?)FinalMode.Decide(null, null, _source, umask);
    }

    /// <summary>Returns the decided mode of a file that the engine renames; null when there is none, or none known.</summary>
    /// <inheritdoc cref="DecidePendingAsync"/>
    public async ValueTask<UnixFileMode?> FindFinalAsync(SftpAttributes file) =>
        (UnixFileMode?)await DecidePendingAsync(file).ConfigureAwait(false) ?? _decided;

    /// <summary>
    /// Handles the server's refusal to set attributes. Returns those refused only because of permissions in the same request, which can be
    /// set alone; empty when there are none.
    /// </summary>
    public static SftpAttributes HandleRefusal(SftpSessionContext context, string path, SftpAttributes attributes, SftpStatus status)
    {
        Log.AttributesNotSet(context.Logger, path, (uint)status);
        if (attributes.Permissions is null) return default;
        HandleModeRefusal(context, path, status);
        return attributes with { Permissions = null };
    }

    /// <summary>Handles attributes that were set: a later FAILURE of permissions concerns one file.</summary>
    public static void HandleSet(SftpSessionContext context, in SftpAttributes attributes)
    {
        if (attributes.Permissions is not null) context.Server.HasSetModes = true;
    }

    /// <summary>
    /// Handles the server's refusal to set permissions: later files are created with their final ones. FAILURE is such a refusal where no
    /// permissions were set before.
    /// </summary>
    public static void HandleModeRefusal(SftpSessionContext context, string path, SftpStatus status)
    {
        var isRefusal = status is SftpStatus.PermissionDenied or SftpStatus.Unsupported
            || status == SftpStatus.Failure && !context.Server.HasSetModes;
        if (!isRefusal)
        {
            Log.ModeNotSet(context.Logger, path, (uint)status);
            return;
        }
        if (context.Server.NoModes) return;
        context.Server.NoModes = true;
        Log.ModesNotSet(context.Logger, path, (uint)status);
    }

    /// <summary>The file at a name, if a look shows one, beside the attributes of the replacement; else null.</summary>
    public static ReplacedFile? Replaced(in SftpReply look, in SftpAttributes file) =>
        look is { IsOk: true, Attributes: { Mode: { } mode, Type: not RemoteEntryType.Directory } there }
        ? new(mode, there.GroupId is { } group && group == file.GroupId) : null;

    private void Replace(UnixFileMode mode, uint? group)
    {
        var (same, other) = (FinalMode.Decide(null, new(mode, true), null, null), FinalMode.Decide(null, new(mode, false), null, null));
        _decided = other;
        if (same != other && group is { } known) _sameGroup = (same.GetValueOrDefault(), known);
    }
}
