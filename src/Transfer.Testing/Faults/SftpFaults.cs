using Transfer.Testing.Faults;


namespace Transfer.Testing;

/// <summary>
/// Scripted faults. A rule has a verb: a request's name in capitals (<c>OPEN</c>, <c>READ</c>, <c>MKDIR</c>), an extension's name,
/// <see cref="AnyVerb"/> for all requests, or <see cref="Greeting"/>, <see cref="LogIn"/>, <see cref="Channel"/> or
/// <see cref="Subsystem"/> for the steps before them. A rule strikes after <c>skip</c> requests that fit, <c>times</c> times. <c>path</c>
/// limits the rule to requests whose path, or the path of whose handle, fits a pattern of <c>*</c> and <c>?</c>. Of the rules of one kind
/// the oldest that is due strikes, so that two <c>Status</c> rules for one verb are a sequence; rules of different kinds (a delay, a
/// status, a fault of the content, a fault of the reply) strike together. All members may be called at any time.
/// </summary>
public sealed class SftpFaults
{
    /// <summary>Stands for every request.</summary>
    public const string AnyVerb = FaultRules.AnyVerb;

    /// <summary>Stands for the greeting: strikes when a connection is accepted.</summary>
    public const string Greeting = "(greeting)";

    /// <summary>
    /// Stands for an attempt to log in; the path is the method: <c>password</c>, <c>publickey</c>, <c>keyboard-interactive</c> or
    /// <c>none</c>.
    /// </summary>
    public const string LogIn = "(log-in)";

    /// <summary>Stands for the opening of a channel; the path is the channel's type, <c>session</c>.</summary>
    public const string Channel = "(channel)";

    /// <summary>Stands for the request for the subsystem; the path is <c>sftp</c>.</summary>
    public const string Subsystem = "(subsystem)";

    private readonly FaultRules _rules = new();

    internal FaultRules Rules => _rules;

    /// <summary>Answers this status instead of executing the request. Log-ins, channels and subsystems are refused.</summary>
    public TestFault Status(string verb, SftpTestStatus status, string text = "", int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Command, verb, new StatusFault(status, text), skip, times, path);

    /// <summary>Executes the request and sends this status in place of the reply.</summary>
    public TestFault FinalStatus(string verb, SftpTestStatus status, string text = "", int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Final, verb, new StatusFault(status, text), skip, times, path);

    /// <summary>Executes the request without a reply.</summary>
    public TestFault OmitReply(string verb, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Final, verb, new OmitReplyFault(), skip, times, path);

    /// <summary>Executes the request and sends the reply twice.</summary>
    public TestFault ReplyTwice(string verb, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Final, verb, new ReplyTwiceFault(), skip, times, path);

    /// <summary>Closes or resets the connection without a reply: before or after the request's execution.</summary>
    public TestFault DropConnection(
        string verb, bool executed = false, bool reset = false, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(executed ? FaultStage.Final : FaultStage.Command, verb, new DropFault(reset), skip, times, path);

    /// <summary>
    /// Neither executes nor answers the request and later ones on the channel until <see cref="TestFault.Release"/>, after which all run.
    /// </summary>
    public TestFault Stall(string verb, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Delay, verb, new StallFault(), skip, times, path);

    /// <summary>Waits before executing the request.</summary>
    public TestFault Delay(string verb, TimeSpan delay, int skip = 0, int times = int.MaxValue, string? path = null) =>
        _rules.Add(FaultStage.Delay, verb, new DelayFault(delay), skip, times, path);

    /// <summary>Sends these bytes on the channel instead of executing the request.</summary>
    public TestFault Garbage(string verb, ReadOnlyMemory<byte> bytes, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Command, verb, new GarbageFault(bytes.ToArray()), skip, times, path);

    /// <summary>
    /// Closes or resets the connection when that many bytes of a file's content have gone through one handle by READ or WRITE, which the
    /// verb may name.
    /// Bytes that were written until then stay. A rule strikes one handle a time.
    /// </summary>
    public TestFault CutData(
        long afterBytes, string verb = AnyVerb, bool reset = false, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Data, verb, new CutDataFault(afterBytes, reset), skip, times, path);

    /// <summary>
    /// Answers no more on the channel after that many bytes of a file's content, until <see cref="TestFault.Release"/> or the connection's
    /// end.
    /// </summary>
    public TestFault StallData(long afterBytes, string verb = AnyVerb, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Data, verb, new StallDataFault(afterBytes), skip, times, path);

    /// <summary>Inverts the byte at that offset of a file's content, and reports success.</summary>
    public TestFault CorruptData(long atByte, string verb = AnyVerb, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Data, verb, new CorruptDataFault(atByte), skip, times, path);

    /// <summary>Stores only that many bytes of the WRITEs through one handle, and reports success.</summary>
    public TestFault LoseData(long afterBytes, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Data, "WRITE", new LoseDataFault(afterBytes), skip, times, path);

    /// <summary>Reports this size for paths that fit the pattern, in all attributes, until <see cref="TestFault.Release"/>.</summary>
    public TestFault WrongSize(string path, long size) =>
        _rules.Add(FaultStage.Size, AnyVerb, new WrongSizeFault(size), 0, int.MaxValue, path);

    /// <summary>Releases and forgets all rules.</summary>
    public void Clear() => _rules.Clear();
}
