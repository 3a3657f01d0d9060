using System.Globalization;
using Transfer.Ftp.Ladders;
using Transfer.Ftp.Protocol;
using Transfer.Modes;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>Sets and reads the facts of a file beside its content: times, permissions, hashes and free space.</summary>
internal sealed class FtpAttributes
{
    private const string Chmod = "CHMOD";
    private const string ShowTime = "MDTM";

    private static readonly TimeSpan CoarsestStep = TimeSpan.FromSeconds(2); // FAT's
    private static readonly TimeSpan ZoneStep = TimeSpan.FromMinutes(15);

    private readonly FtpSessionContext _context;

    public FtpAttributes(FtpSessionContext context)
    {
        _context = context;
        context.Control.Unanswered = NoteUnanswered;
    }

    /// <summary>Whether times can surely be set. SITE UTIME is also tried unannounced.</summary>
    public bool SetsModified => _context.Ladders is { Times.IsOnFirst: true, KeptTimes.IsOnFirst: true } && IsAnnounced;

    private bool IsAnnounced =>
        _context.Profile.Features.Has("MFMT") || _context.Profile.MdtmSets || _context.Profile.Features.Has("SITE", "UTIME");

    /// <summary>
    /// Returns the commands that set metadata on a path: they depend on no other and may go in any batch. The one that sets a time is
    /// followed by one that shows the time, until the server is known to keep times: some confirm and ignore the command.
    /// </summary>
    public IEnumerable<FtpCommand> SetCommands(string path, FileMetadata? metadata)
    {
        if (metadata is null) yield break;
        if (metadata.Modified is { } modified && ModifiedCommand(path, modified) is { } command)
        {
            yield return command;
            if (MustLook) yield return new FtpCommand(ShowTime, path);
        }
        if (metadata.Mode is { } mode && SetsMode) yield return ChangeMode(path, mode);
    }

    /// <summary>The command that sets permissions.</summary>
    public static FtpCommand ChangeMode(string path, UnixFileMode mode) =>
        new("SITE", $"{Chmod} {Convert.ToString((int)mode & 0xFFF, 8)} {path}");

    /// <summary>Whether a command sets permissions.</summary>
    public static bool ChangesMode(FtpCommand command) =>
        command.Is("SITE") && command.Argument!.StartsWith(Chmod, StringComparison.Ordinal);

    /// <summary>Checks the reply to one of <see cref="SetCommands"/>: a refusal is no failure of the file.</summary>
    /// <param name="command">The command.</param>
    /// <param name="reply">The reply.</param>
    /// <param name="isThere">Whether the file is known to exist: then a lack of the file is no reason.</param>
    public void Check(FtpCommand command, FtpReply reply, bool isThere = false)
    {
        var ladder = LadderOf(command);
        ladder?.NoteAnswer();
        if (ladder == _context.Ladders.Times) NoteTime(command, reply, isThere);
        if (reply.IsDone) return;
        if (IsUnknown(reply) && command.Is("SITE"))
        {
            (ChangesMode(command) ? _context.Ladders.SiteChmod : _context.Ladders.SiteUtime).Leave(FtpOffer.Used,
                $"{command.Verb} was answered with {reply.Code}");
            _context.Ladders.Confirm();
        }

        Log.AttributeNotSet(_context.Logger, command.Verb, reply.Code);
    }

    private void NoteTime(FtpCommand command, FtpReply reply, bool isThere)
    {
        if (reply.IsDone)
        {
            if (!MustLook) NoteKept();
        }
        // Behind a time that was set, a refusal is about one file.
        else if (IsAnnounced && !AreTimesKept && (reply.Code is 500 or 502 || isThere && reply.IsPermanentFailure))
        {
            LeaveKeptTimes($"{command.Verb} was answered with {reply.Code}");
        }
    }

    /// <summary>Whether a command shows the time that the command before it has set.</summary>
    public static bool ShowsTime(FtpCommand command) => command.Is(ShowTime) && !SetsTime(command.Argument!);

    /// <summary>Compares the time that a file has with the one that was set. One in another zone proves neither.</summary>
    /// <param name="set">The command that set a time.</param>
    /// <param name="answer">The reply to it.</param>
    /// <param name="shown">The reply to the command that shows the time.</param>
    public void CheckShown(FtpCommand set, FtpReply answer, FtpReply shown)
    {
        if (!answer.IsDone) return;
        var digits = set.Argument!.Split(' ').First(word => FtpTime.TryParse(word, out _));
        if (FtpTime.OfReply(shown) is not { } found || !FtpTime.TryParse(digits, out var wanted))
        {
            NoteKept();
            return;
        }
        var distance = (found - wanted).Duration();
        if (distance <= CoarsestStep) NoteKept();
        else if (distance.Ticks % ZoneStep.Ticks != 0) LeaveKeptTimes($"{set.Verb} had no effect");
    }

    private void NoteKept()
    {
        var ladder = _context.Ladders.KeptTimes;
        ladder.NoteAnswer();
        if (ladder.Return()) _context.Ladders.Confirm();
    }

    private void LeaveKeptTimes(string reason)
    {
        _context.Ladders.KeptTimes.Leave(FtpOffer.Used, reason);
        _context.Ladders.Confirm();
    }

    private bool MustLook =>
        IsAnnounced && !AreTimesKept && _context.Profile is { Flavor: FtpFlavor.Unknown } profile && profile.Features.Has(ShowTime);

    private bool AreTimesKept => _context.Host.Rungs.HasAnswered(FtpAbility.KeptTimes);

    public async ValueTask SetAsync(string path, FileMetadata metadata, CancellationToken ct)
    {
        FtpCommand[] commands = [.. SetCommands(_context.Expand(path), metadata)];
        var replies = await _context.ExecuteAllAsync(commands, ct).ConfigureAwait(false);
        for (var i = 0; i < commands.Length; i++)
        {
            if (ShowsTime(commands[i]))
            {
                CheckShown(commands[i - 1], replies[i - 1], replies[i]);
                continue;
            }
            Check(commands[i], replies[i]);
            // 500 to 504: a command that the server lacks, which the features show; any other refusal is about this file.
            if (!replies[i].IsDone && !IsUnknown(replies[i]))
                throw ReplyErrors.ToException(replies[i], commands[i], path, writes: true);
        }
    }

    /// <summary>Sets permissions, in few writes. Returns an error or null for each, in order.</summary>
    public async ValueTask<IReadOnlyList<TransferException?>> SetModesAsync(IReadOnlyList<ModeSetting> settings, CancellationToken ct)
    {
        if (!SetsMode) return [.. settings.Select(setting => NoModes(setting.Path))];
        await _context.Spaces.ProveAsync(settings.Select(setting => setting.Path), ct).ConfigureAwait(false);
        TransferException?[] errors = [.. settings.Select(setting => _context.Spaces.WhyRefused(setting.Path))];
        int[] sent = [.. Enumerable.Range(0, errors.Length).Where(i => errors[i] is null)];
        FtpCommand[] commands = [.. sent.Select(i => ChangeMode(_context.Expand(settings[i].Path), settings[i].Mode))];
        var replies = await _context.ExecuteAllAsync(commands, ct).ConfigureAwait(false);
        foreach (var (i, command, reply) in sent.Zip(commands, replies))
        {
            if (reply.IsDone) continue;
            Check(command, reply);
            errors[i] = IsUnknown(reply) ? NoModes(settings[i].Path)
                : ReplyErrors.ToException(reply, command, settings[i].Path, writes: true);
        }
        return errors;
    }

    /// <summary>Gives a complete file the permissions of the file to be replaced. False: impossible.</summary>
    public async ValueTask<bool> SettleModeAsync(ModeSettlement settlement, CancellationToken ct)
    {
        if (settlement.Replaced is not { } replaced) return true;
        var mode = new FtpFileMode(_context, _context.Expand(settlement.Path), _context.Expand(replaced));
        mode.Take(await _context.ExecuteAllAsync(mode.LookCommands, ct).ConfigureAwait(false));
        await ApplyAsync(mode, ct).ConfigureAwait(false);
        return !mode.LosesReplacedMode;
    }

    /// <summary>Sets the permissions of a file, where any are to be set.</summary>
    public async ValueTask ApplyAsync(FtpFileMode mode, CancellationToken ct)
    {
        if (mode.MustLook) mode.Take(await _context.ExecuteAllAsync(mode.LookCommands, ct).ConfigureAwait(false));
        if (mode.Command is not { } command) return;
        mode.MarkSent();
        mode.TryTake(this, command, await _context.Control.ExecuteAsync(command, ct).ConfigureAwait(false));
    }

    public async ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken ct)
    {
        if (!_context.Profile.HashCommands.TryGetValue(algorithm, out var verb)) return null;
        var argument = _context.Expand(path);
        var hash = new FtpCommand(verb, argument);
        FtpCommand[] commands = verb == "HASH" ? [new FtpCommand("OPTS", "HASH " + algorithm.ToUpperInvariant()), hash] : [hash];
        var replies = await _context.ExecuteAllAsync(commands, ct).ConfigureAwait(false);
        var reply = replies[^1];
        if (!reply.IsSuccess) throw ReplyErrors.ToException(reply, hash, path, writes: false);
        return reply.Lines.Select(line => FtpHashCommands.Find(line, algorithm)).FirstOrDefault(found => found is not null)
            ?? throw new TransferException(TransferError.Protocol, $"The reply to {verb} holds no {algorithm} hash.") { RemotePath = path };
    }

    public async ValueTask<long?> AvailableSpaceAsync(string path, CancellationToken ct)
    {
        if (!_context.Profile.Features.Has("AVBL")) return null;
        var command = new FtpCommand("AVBL", _context.Expand(path));
        var reply = await _context.Control.ExecuteAsync(command, ct).ConfigureAwait(false);
        if (!reply.IsSuccess) throw ReplyErrors.ToException(reply, command, path, writes: false);
        foreach (var word in reply.Text.Split(' '))
        {
            if (long.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out var bytes)) return bytes;
        }
        return null;
    }

    // 550 and the like are for the file.
    private static bool IsUnknown(FtpReply reply) => reply.Code is 202 or 500 or 501 or 502 or 503 or 504;

    private static TransferException NoModes(string path) =>
        new(TransferError.Unsupported, $"{path}: this server sets no permissions (SITE CHMOD).") { RemotePath = path };

    private bool SetsMode => _context.Ladders.SiteChmod.IsOnFirst;

    // Some servers do not answer what they do not have, or end the session there.
    private void NoteUnanswered(FtpCommand command, TransferConnectionException fault)
    {
        if (fault.Error is not (TransferError.Timeout or TransferError.Lost)) return;
        if (command.Is("RNFR")) _context.NoteUnansweredRename(isFirst: true, fault);
        // Without a look, the reply to the setting stands.
        if (ShowsTime(command)) _context.Ladders.KeptTimes.NoteAnswer();
        LadderOf(command)?.LeaveUnanswered(FtpOffer.Used, fault, _context.OpenedAt);
    }

    private FtpLadder<FtpOffer>? LadderOf(FtpCommand command) => command.Verb switch
    {
        "SITE" when ChangesMode(command) => _context.Ladders.SiteChmod,
        "SITE" or "MFMT" => _context.Ladders.Times,
        "MDTM" when SetsTime(command.Argument!) => _context.Ladders.Times,
        _ => null,
    };

    // The time comes first (20240102030405 name).
    private static bool SetsTime(string argument) =>
        argument.IndexOf(' ', StringComparison.Ordinal) is >= 14 and var space && !argument.AsSpan(0, 14).ContainsAnyExceptInRange('0', '9')
        && space < argument.Length - 1;

    private FtpCommand? ModifiedCommand(string path, DateTimeOffset modified)
    {
        if (!_context.Ladders.Times.IsOnFirst) return null;
        var time = FtpTime.Format(modified);
        if (_context.Profile.Features.Has("MFMT")) return new FtpCommand("MFMT", $"{time} {path}");
        if (_context.Profile.MdtmSets) return new FtpCommand("MDTM", $"{time} {path}");
        return _context.Ladders.SiteUtime.IsOnFirst ? new FtpCommand("SITE", $"UTIME {time} {path}") : null;
    }
}
