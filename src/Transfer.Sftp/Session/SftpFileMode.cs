using Transfer.Modes;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// The permissions of one file that is written: those that OPEN creates it with, and those that it gets before its name, as <see cref="FinalMode"/> decides. What there is to find out for that is
/// asked beside requests that are made anyway.
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
    /// <param name="path">The path that the file is written under, as the server wants it.</param>
    /// <param name="replaced">The path of what it may replace, as the server wants it; null: it replaces nothing.</param>
    /// <param name="isUnfinished">It is written under another name than its own.</param>
    /// <param name="exact">Permissions that were asked for by name; null: none were.</param>
    /// <param name="source">The permissions of its source; null: not known.</param>
    public SftpFileMode(SftpSessionContext context, string path, string? replaced, bool isUnfinished, UnixFileMode? exact, UnixFileMode? source)
    {
        (_context, _path, _replaced, _isUnfinished, _exact, _source) = (context, path, replaced, isUnfinished, exact, source);
    }

    /// <summary>What OPEN is to ask for; null: nothing, so that the server gives what is usual there.</summary>
    public uint? Created
    {
        get
        {
            if (_isUnfinished && !_context.Server.NoModes) return (uint)FinalMode.Unfinished;
            return (uint?)((_exact ?? _source) & FinalMode.Permissions);
        }
    }

    /// <summary>What the open file is to get at once, before anything is written to it; null: nothing.</summary>
    public uint? AtOnce { get; private set; }

    /// <summary>What the file is to get behind its content; null: nothing, or that is not known yet: see <see cref="FindLateAsync"/>.</summary>
    public uint? BehindContent => _decided is null or FinalMode.Unfinished ? null : (uint)_decided;

    /// <summary>The file's own attributes are needed for the decision: <see cref="FindLateAsync"/>.</summary>
    public bool NeedsGroup => _sameGroup is not null;

    /// <summary>What it gets is decided once its content is there.</summary>
    public bool IsLate => _umask is not null || _sameGroup is not null;

    /// <summary>Asks for what is there already; beside OPEN.</summary>
    public void Look()
    {
        if (_replaced is not null && _exact is null && !_context.Server.NoModes) _looking = _context.Operations.StatAsync(_replaced, follow: true, CancellationToken.None);
    }

    /// <summary>Decides, once the file is open, as far as that can be done.</summary>
    /// <param name="source">The permissions of its source, where only the server knows them; null: not known, or known before.</param>
    public async ValueTask DecideAsync(UnixFileMode? source = null)
    {
        _source ??= source;
        var look = _looking is { } asked ? await asked.ConfigureAwait(false) : default;
        var there = _looking is not null && look is { IsOk: true, Attributes.Type: not RemoteEntryType.Directory } ? look.Attributes : (SftpAttributes?)null;
        _looking = null;
        if (_exact is not null || _context.Server.NoModes) return;
        if (!_isUnfinished)
        {
            // What is written under its own name keeps its permissions, but for what was given to another content.
            if (there?.Mode is { } own && (own & ~FinalMode.Permissions) != 0) AtOnce = (uint)(own & FinalMode.Permissions);
            return;
        }
        if (there is { } old)
        {
            if (old.Mode is { } mode) Replace(mode, old.GroupId);
            return;
        }
        if (!FinalMode.DependsOnUmask(_source)) _decided = FinalMode.Decide(null, null, _source, UnixFileMode.None);
        else if (_context.Server.Umask.Known is { } umask) _decided = FinalMode.Decide(null, null, _source, umask);
        else _umask = _context.Server.Umask.AskAsync(_context, _path);
    }

    /// <summary>An earlier run has begun the file: it is closed to others before more is written to it.</summary>
    public void Continue() => AtOnce = _isUnfinished && !_context.Server.NoModes ? (uint)FinalMode.Unfinished : null;

    /// <summary>Decides what was left open. Null: the file has its permissions.</summary>
    /// <param name="file">The file's attributes, as they are now.</param>
    public async ValueTask<uint?> FindLateAsync(SftpAttributes file)
    {
        if (_sameGroup is { } same) return file.GroupId == same.Group ? (uint)same.Mode : null;
        if (_umask is null) return null;
        // Asked for while as many files were open as the server allows, it is asked for once more: this one is closed.
        var umask = await _umask.ConfigureAwait(false) ?? await _context.Server.Umask.AskAsync(_context, _path).ConfigureAwait(false);
        // What a session was asked that is lost by now is no answer of the server's, and the file comes again.
        if (umask is null && _context.Engine.Fault is null) Log.ModeUnknown(_context.Logger, _path);
        return (uint?)FinalMode.Decide(null, null, _source, umask);
    }

    /// <summary>All that was decided, of a file that somebody else gives its name; null: nothing, or nothing is known.</summary>
    /// <inheritdoc cref="FindLateAsync"/>
    public async ValueTask<UnixFileMode?> FindFinalAsync(SftpAttributes file) => (UnixFileMode?)await FindLateAsync(file).ConfigureAwait(false) ?? _decided;

    /// <summary>The server has refused to set attributes. Gives those that it refused only because permissions were to be set with them: they can be set alone. Empty: there are none.</summary>
    public static SftpAttributes NotSet(SftpSessionContext context, string path, SftpAttributes attributes, SftpStatus status)
    {
        Log.AttributesNotSet(context.Logger, path, (uint)status);
        if (attributes.Permissions is null) return default;
        Refused(context, path, status);
        return attributes with { Permissions = null };
    }

    /// <summary>The server has refused to set permissions: the next files are created with those that they are to have.</summary>
    public static void Refused(SftpSessionContext context, string path, SftpStatus status)
    {
        if (status is not (SftpStatus.PermissionDenied or SftpStatus.Unsupported))
        {
            Log.ModeNotSet(context.Logger, path, (uint)status);
            return;
        }
        if (context.Server.NoModes) return;
        context.Server.NoModes = true;
        Log.ModesNotSet(context.Logger, path, (uint)status);
    }

    /// <summary>The file that is at a name, where a look at it shows one, beside the attributes of the one that replaces it; else null.</summary>
    public static ReplacedFile? Replaced(in SftpReply look, in SftpAttributes file) =>
        look is { IsOk: true, Attributes: { Mode: { } mode, Type: not RemoteEntryType.Directory } there } ? new(mode, there.GroupId is { } group && group == file.GroupId) : null;

    private void Replace(UnixFileMode mode, uint? group)
    {
        var (same, other) = (FinalMode.Decide(null, new(mode, true), null, null), FinalMode.Decide(null, new(mode, false), null, null));
        _decided = other;
        if (same != other && group is { } known) _sameGroup = (same.GetValueOrDefault(), known);
    }
}
