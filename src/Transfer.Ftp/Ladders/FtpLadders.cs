using System.Security.Authentication;
using Microsoft.Extensions.Logging;
using Transfer.Pooling;

namespace Transfer.Ftp.Ladders;

/// <summary>
/// All ladders of a host as one client sees them. The rungs are remembered for the process, and for other processes in the limits file.
/// </summary>
internal sealed class FtpLadders
{
    private readonly string _host;
    private readonly ILogger _logger;
    private readonly ServerMemory? _memory;
    private readonly Lazy<Task> _recalled;

    /// <param name="host">The host, for the log.</param>
    /// <param name="rungs">The rungs known to the process.</param>
    /// <param name="options">The options, which may force rungs.</param>
    /// <param name="memory">The memory of the server; null: none.</param>
    /// <param name="logger">The log.</param>
    public FtpLadders(string host, FtpRungs rungs, FtpOptions options, ServerMemory? memory, ILogger logger)
    {
        _host = host;
        _logger = logger;
        _memory = memory;
        Rungs = rungs;
        _recalled = new Lazy<Task>(() => memory is null ? Task.CompletedTask : Task.Run(Recall));
        var forced = options.Compatibility;
        Commands = new(FtpAbility.Commands, this, options.Pipelining == FtpPipelining.Off ? FtpCommandRung.OneByOne : null);
        DataPort = new(FtpAbility.DataPort, this, forced.DataPort);
        DataTls = new(FtpAbility.DataTls, this, options.Tls.Protocols switch
        {
            SslProtocols.Tls12 => FtpTlsRung.Tls12,
            SslProtocols.Tls13 => FtpTlsRung.Newest,
            _ => null,
        });
        Describe = new(FtpAbility.Describe, this, forced.Describe);
        List = new(FtpAbility.List, this, forced.List);
        Ranges = new(FtpAbility.Ranges, this, null);
        Offsets = new(FtpAbility.Offsets, this, null);
        SiteUtime = new(FtpAbility.SiteUtime, this, null);
        SiteChmod = new(FtpAbility.SiteChmod, this, null);
        EarlyUploads = new(FtpAbility.EarlyUploads, this, null);
        EvenLines = new(FtpAbility.EvenLines, this, null);
        ListAll = new(FtpAbility.ListAll, this,
            options.Pipelining == FtpPipelining.Off && forced.List is not null ? FtpListAll.Plain : null);
        Spaces = new(FtpAbility.Spaces, this, null);
        Times = new(FtpAbility.Times, this, null);
        KeptTimes = new(FtpAbility.KeptTimes, this, null);
        LogIn = new Dictionary<string, FtpLadder<FtpOffer>>(StringComparer.Ordinal)
        {
            ["CLNT"] = new(FtpAbility.Clnt, this, null),
            ["OPTS"] = new(FtpAbility.Opts, this, null),
            ["SYST"] = new(FtpAbility.Syst, this, null),
            ["FEAT"] = new(FtpAbility.Feat, this, null),
            ["PWD"] = new(FtpAbility.Pwd, this, null),
            ["XPWD"] = new(FtpAbility.Xpwd, this, null),
        };
        Find = new(FtpAbility.Find, this, forced.List is null && options.Pipelining != FtpPipelining.Off ? null : FtpOffer.Refused);
    }

    /// <summary>The rungs of the host that are known to the process.</summary>
    public FtpRungs Rungs { get; }

    /// <summary>Commands in one write, those of the log-in too, or one by one.</summary>
    public FtpLadder<FtpCommandRung> Commands { get; }

    /// <summary>The announcement of data connections.</summary>
    public FtpLadder<FtpDataPort> DataPort { get; }

    /// <summary>
    /// The version of TLS. Where data connections must resume the control connection's session, .NET does so under TLS 1.2 only.
    /// </summary>
    public FtpLadder<FtpTlsRung> DataTls { get; }

    /// <summary>The description of one entry.</summary>
    public FtpLadder<FtpDescription> Describe { get; }

    /// <summary>The listing of a directory.</summary>
    public FtpLadder<FtpListCommand> List { get; }

    /// <summary>RANG.</summary>
    public FtpLadder<FtpOffer> Ranges { get; }

    /// <summary>REST.</summary>
    public FtpLadder<FtpOffer> Offsets { get; }

    /// <summary>SITE UTIME.</summary>
    public FtpLadder<FtpOffer> SiteUtime { get; }

    /// <summary>SITE CHMOD.</summary>
    public FtpLadder<FtpOffer> SiteChmod { get; }

    /// <summary>MFMT, MDTM and SITE UTIME, which set times.</summary>
    public FtpLadder<FtpOffer> Times { get; }

    /// <summary>Times that files have once they were set. What one process has found, each that sends files tests again.</summary>
    public FtpLadder<FtpOffer> KeptTimes { get; }

    /// <summary>Names with spaces.</summary>
    public FtpLadder<FtpSpaceUse> Spaces { get; }

    /// <summary>The commands that a log-in can do without, by their verbs.</summary>
    public IReadOnlyDictionary<string, FtpLadder<FtpOffer>> LogIn { get; }

    /// <summary>STOR and APPE in front of their data connections.</summary>
    public FtpLadder<FtpOffer> EarlyUploads { get; }

    /// <summary>Lines of even length.</summary>
    public FtpLadder<FtpOffer> EvenLines { get; }

    /// <summary>LIST -a.</summary>
    public FtpLadder<FtpListAll> ListAll { get; }

    /// <summary>STAT of directories.</summary>
    public FtpLadder<FtpOffer> Find { get; }

    /// <summary>
    /// Reads the rungs that other processes have found, once. To be started beside the dial: hashing the key loads OpenSSL.
    /// </summary>
    public Task RecallAsync() => _recalled.Value;

    /// <summary>Keeps the present rungs, on which an operation has just succeeded; in the background, and only if new.</summary>
    public void Confirm()
    {
        if (_memory is not null && Rungs.TryKeep(out var text)) _memory.Remember(text);
    }

    /// <summary>The rungs that the limits file has for the host.</summary>
    public FtpRungs Remembered()
    {
        var rungs = new FtpRungs();
        if (_memory?.Recall() is { } text) rungs.Recall(text);
        return rungs;
    }

    /// <summary>Logs that a rung was left.</summary>
    public void LogLeft(FtpAbility ability, string rung, string next, string reason) =>
        Log.RungLeft(_logger, _host, ability.ToString(), rung, next, reason.TrimEnd('.'));

    private void Recall()
    {
        if (_memory!.Recall() is not { } text) return;
        Rungs.Recall(text);
        // A job that finds nothing to send for a week must not send everything then, since the rung was forgotten.
        if (!KeptTimes.IsOnFirst) _memory.Remember(text);
    }
}
