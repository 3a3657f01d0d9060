using Microsoft.Extensions.Logging;
using Transfer.Pooling;

namespace Transfer.Ftp.Ladders;

/// <summary>
/// All ladders of a host as one client sees them. What is found out is remembered for the process, and in the limits file for others.
/// </summary>
internal sealed class FtpLadders
{
    private readonly string _host;
    private readonly ILogger _logger;
    private readonly ServerMemory? _memory;
    private readonly Lazy<Task> _recalled;

    /// <param name="host">The host, for the log.</param>
    /// <param name="rungs">What the process knows of it.</param>
    /// <param name="options">Force rungs.</param>
    /// <param name="memory">Keeps what is found out; null: nothing does.</param>
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
        DataTls = new(FtpAbility.DataTls, this, null);
        Describe = new(FtpAbility.Describe, this, forced.Describe);
        List = new(FtpAbility.List, this, forced.List);
        Ranges = new(FtpAbility.Ranges, this, null);
        Offsets = new(FtpAbility.Offsets, this, null);
        SiteUtime = new(FtpAbility.SiteUtime, this, null);
        SiteChmod = new(FtpAbility.SiteChmod, this, null);
    }

    /// <summary>What the process knows of the host.</summary>
    public FtpRungs Rungs { get; }

    /// <summary>Commands in one write, the log-in's too, or one by one.</summary>
    public FtpLadder<FtpCommandRung> Commands { get; }

    /// <summary>How data connections are announced.</summary>
    public FtpLadder<FtpDataPort> DataPort { get; }

    /// <summary>
    /// The version of TLS. Where data connections must resume the control connection's session, .NET does so under TLS 1.2 only.
    /// </summary>
    public FtpLadder<FtpTlsRung> DataTls { get; }

    /// <summary>How one entry is described.</summary>
    public FtpLadder<FtpDescription> Describe { get; }

    /// <summary>How a directory is listed.</summary>
    public FtpLadder<FtpListCommand> List { get; }

    /// <summary>RANG.</summary>
    public FtpLadder<FtpOffer> Ranges { get; }

    /// <summary>REST.</summary>
    public FtpLadder<FtpOffer> Offsets { get; }

    /// <summary>SITE UTIME.</summary>
    public FtpLadder<FtpOffer> SiteUtime { get; }

    /// <summary>SITE CHMOD.</summary>
    public FtpLadder<FtpOffer> SiteChmod { get; }

    /// <summary>
    /// Reads, once, what other processes have found out. Begin with it beside the dial: where something is remembered, hashing loads
    /// OpenSSL.
    /// </summary>
    public Task RecallAsync() => _recalled.Value;

    /// <summary>Something has just worked on the present rungs: keeps them, beside the caller, where that is news.</summary>
    public void Confirm()
    {
        if (_memory is not null && Rungs.TryKeep(out var text)) _memory.Remember(text);
    }

    /// <summary>Logs that a rung was left.</summary>
    public void LogLeft(FtpAbility ability, string rung, string next, string reason) =>
        Log.RungLeft(_logger, _host, ability.ToString(), rung, next, reason.TrimEnd('.'));

    private void Recall()
    {
        if (_memory!.Recall() is { } text) Rungs.Recall(text);
    }
}
