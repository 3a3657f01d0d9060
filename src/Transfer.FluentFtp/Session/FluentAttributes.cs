using FluentFTP;
using Transfer.Modes;
using Transfer.Sessions;

namespace Transfer.FluentFtp.Session;

/// <summary>Times, permissions and hashes: the attributes of a file beside its content.</summary>
internal sealed class FluentAttributes
{
    private readonly FluentControl _control;
    private readonly FluentLister _lister;
    private readonly FluentLookUp _lookUp;

    public FluentAttributes(FluentControl control, FluentLister lister, FluentLookUp lookUp)
    {
        _control = control;
        _lister = lister;
        _lookUp = lookUp;
        // vsftpd sets times by "MDTM time name", an extension older than MFMT.
        TimeVerb = control.Client.HasFeature(FtpCapability.MFMT) ? "MFMT" : control.Client.ServerType == FtpServer.VsFTPd ? "MDTM" : null;
        HashVerbs = FluentHashes.Of(control.Client);
    }

    /// <summary>The command that sets times (draft-somers-ftp-mfxx); null: the server has none.</summary>
    public string? TimeVerb { get; }

    /// <summary>The commands that compute hashes, by the algorithm's common name.</summary>
    public IReadOnlyDictionary<string, string> HashVerbs { get; }

    /// <summary>Sets the attributes that the server can set.</summary>
    public async ValueTask SetAsync(string path, FileMetadata metadata, CancellationToken ct)
    {
        if (metadata.Modified is { } modified && TimeVerb is { } verb)
            Check(await SendAsync(verb, FtpTime.Format(modified), path, ct).ConfigureAwait(false), verb, path);
        if (metadata.Mode is { } mode && !_control.Host.LacksModes)
            Check(await SendModeAsync(path, mode, ct).ConfigureAwait(false), "SITE CHMOD", path);
    }

    /// <summary>Sets permissions; returns an error or null.</summary>
    public async ValueTask<TransferException?> SetModeAsync(string path, UnixFileMode mode, CancellationToken ct)
    {
        if (_control.Host.LacksModes) return NoModes(path);
        if (_control.WhyUnsendable(path) is { } why) return why;
        var reply = await SendModeAsync(path, mode, ct).ConfigureAwait(false);
        if (reply.IsSuccess) return null;
        return reply.IsUnknownCommand ? NoModes(path) : ReplyErrors.ToException(reply, "SITE CHMOD", path, writes: true);
    }

    /// <summary>Gives a complete file the permissions of the one it replaces. FTP cannot set permissions at creation.</summary>
    /// <returns>False when this is impossible.</returns>
    public async ValueTask<bool> SettleModeAsync(ModeSettlement settlement, CancellationToken ct)
    {
        if (settlement.Replaced is not { } replaced) return true;
        var there = await ModeOfAsync(replaced, ct).ConfigureAwait(false);
        if (there is null or { Type: RemoteEntryType.Directory }) return true;
        if (there is not { Type: RemoteEntryType.File, Mode: { } mode }) return false;
        var own = await ModeOfAsync(settlement.Path, ct).ConfigureAwait(false);
        var wanted = FinalMode.Decide(null, new ReplacedFile(mode, there.Group is { } group && group == own?.Group), null, null);
        return wanted is null || own?.Mode == wanted
            || await SetModeAsync(settlement.Path, wanted.Value, ct).ConfigureAwait(false) is null;
    }

    /// <summary>Returns a hash computed by the server, in lower-case hex; null: the server does not offer the algorithm.</summary>
    public async ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken ct)
    {
        if (!HashVerbs.TryGetValue(algorithm, out var verb)) return null;
        var command = _control.Command(verb, path);
        if (verb == "HASH") await _control.ExecuteAsync("OPTS HASH " + algorithm.ToUpperInvariant(), ct).ConfigureAwait(false);
        var reply = await _control.ExecuteAsync(command, ct).ConfigureAwait(false);
        if (!reply.IsSuccess) throw ReplyErrors.ToException(reply, verb, path, writes: false);
        return reply.Lines.Append(reply.Text).Select(line => FluentHashes.Find(line, algorithm)).FirstOrDefault(hash => hash is not null)
            ?? throw new TransferException(TransferError.Protocol, $"{path}: the reply to {verb} holds no {algorithm} hash.");
    }

    private ValueTask<RemoteEntry?> ModeOfAsync(string path, CancellationToken ct) =>
        _lister.HasMlsd ? _lookUp.GetAsync(path, ct) : _lister.StatAsync(path, ct);

    private ValueTask<Reply> SendModeAsync(string path, UnixFileMode mode, CancellationToken ct) =>
        SendAsync("SITE CHMOD", Convert.ToString((int)mode & 0xFFF, 8), path, ct);

    private ValueTask<Reply> SendAsync(string verb, string value, string path, CancellationToken ct) =>
        _control.ExecuteAsync(_control.Command($"{verb} {value}", path), ct);

    // 500 to 504: the server can't, which the features report; other codes concern this file.
    private void Check(Reply reply, string verb, string path)
    {
        if (reply.IsSuccess) return;
        if (!reply.IsUnknownCommand) throw ReplyErrors.ToException(reply, verb, path, writes: true);
        if (verb == "SITE CHMOD") _control.Host.LacksModes = true;
    }

    private static TransferException NoModes(string path) =>
        new(TransferError.Unsupported, $"{path}: this server sets no permissions (SITE CHMOD).") { RemotePath = path };
}
