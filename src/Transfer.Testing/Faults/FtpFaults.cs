using Transfer.Testing.Faults;


namespace Transfer.Testing;

/// <summary>
/// Scripted faults. A rule has a verb (<see cref="AnyVerb"/> for all, <see cref="Greeting"/> and <see cref="Handshake"/> for the time
/// before the first command), and strikes after <c>skip</c> commands that fit, <c>times</c> times. <c>path</c> limits the rule to commands
/// with an argument that, made absolute, fits a pattern of <c>*</c> and <c>?</c>. Of the rules of one kind the oldest that is due strikes,
/// so that two <c>Reply</c> rules for one verb are a sequence; rules of different kinds (a delay, a reply, a fault of the data connection,
/// a fault of the final reply) strike together. All members may be called at any time.
/// </summary>
public sealed class FtpFaults
{
    /// <summary>Stands for every verb.</summary>
    public const string AnyVerb = FaultRules.AnyVerb;

    /// <summary>Stands for the greeting: strikes when a control connection is accepted.</summary>
    public const string Greeting = "(greeting)";

    /// <summary>Stands for the control connection's TLS handshake.</summary>
    public const string Handshake = "(handshake)";

    private readonly FaultRules _rules = new();

    internal FaultRules Rules => _rules;

    /// <summary>
    /// Sends this reply instead of executing the command. Line ends within the reply are CR LF or LF; the last is added.
    /// </summary>
    public TestFault Reply(string verb, string reply, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Command, verb, new ReplyFault(reply), skip, times, path);

    /// <summary>Executes the command, a transfer included, and sends this in place of the final reply.</summary>
    public TestFault FinalReply(string verb, string reply, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Final, verb, new FinalReplyFault(reply), skip, times, path);

    /// <summary>Executes the command, a transfer included, and never sends the final reply.</summary>
    public TestFault OmitFinalReply(string verb, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Final, verb, new FinalReplyFault(null), skip, times, path);

    /// <summary>Executes the command and sends the final reply twice.</summary>
    public TestFault ReplyTwice(string verb, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Final, verb, new ReplyTwiceFault(), skip, times, path);

    /// <summary>Closes the control connection without a reply: before or after the command's execution.</summary>
    public TestFault DropConnection(string verb, bool executed = false, bool reset = false, int skip = 0, int times = 1,
        string? path = null) =>
        _rules.Add(executed ? FaultStage.Final : FaultStage.Command, verb, new DropFault(reset), skip, times, path);

    /// <summary>
    /// Neither executes nor answers the command and later ones until <see cref="TestFault.Release"/>, after which all run.
    /// </summary>
    public TestFault Stall(string verb, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Delay, verb, new StallFault(), skip, times, path);

    /// <summary>Waits before executing the command.</summary>
    public TestFault Delay(string verb, TimeSpan delay, int skip = 0, int times = int.MaxValue, string? path = null) =>
        _rules.Add(FaultStage.Delay, verb, new DelayFault(delay), skip, times, path);

    /// <summary>Sends these bytes instead of executing the command.</summary>
    public TestFault Garbage(string verb, ReadOnlyMemory<byte> bytes, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Command, verb, new GarbageFault(bytes.ToArray()), skip, times, path);

    /// <summary>Sends that many bytes of a reply without a line end, then closes the control connection.</summary>
    public TestFault EndlessReply(string verb, long bytes, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Command, verb, new EndlessReplyFault(bytes, LineEnds: false), skip, times, path);

    /// <summary>Sends about that many bytes of a multi-line reply without a last line, then closes the control connection.</summary>
    public TestFault EndlessLines(string verb, long bytes, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Command, verb, new EndlessReplyFault(bytes, LineEnds: true), skip, times, path);

    /// <summary>
    /// Closes (or resets) the data connection after that many bytes of content, in either direction, and answers 426. An upload's bytes so
    /// far stay.
    /// </summary>
    public TestFault CutData(long afterBytes, string verb = AnyVerb, bool reset = false, int skip = 0, int times = 1,
        string? path = null) =>
        _rules.Add(FaultStage.Data, verb, new CutDataFault(afterBytes, reset), skip, times, path);

    /// <summary>
    /// Stops reading and writing after that many bytes of content, until <see cref="TestFault.Release"/>, ABOR or the connection's end.
    /// </summary>
    public TestFault StallData(long afterBytes, string verb = AnyVerb, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Data, verb, new StallDataFault(afterBytes), skip, times, path);

    /// <summary>
    /// Closes a sending data connection without close_notify after that many bytes of content (null: all), and answers 226 nevertheless.
    /// </summary>
    public TestFault TruncateTls(string verb = AnyVerb, long? afterBytes = null, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Data, verb, new TruncateTlsFault(afterBytes ?? long.MaxValue), skip, times, path);

    /// <summary>Answers 150, then resets the data connection and answers 426.</summary>
    public TestFault RefuseData(string verb = AnyVerb, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Data, verb, new RefuseDataFault(), skip, times, path);

    /// <summary>Inverts the byte at that offset of the content, and reports success.</summary>
    public TestFault CorruptData(long atByte, string verb = AnyVerb, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Data, verb, new CorruptDataFault(atByte), skip, times, path);

    /// <summary>Reads an upload to the end but stores only that many bytes, and reports success.</summary>
    public TestFault LoseData(long afterBytes, string verb = AnyVerb, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Data, verb, new LoseDataFault(afterBytes), skip, times, path);

    /// <summary>Sends these bytes as the content of a download or a listing.</summary>
    public TestFault SendData(string verb, ReadOnlyMemory<byte> content, int skip = 0, int times = 1, string? path = null) =>
        _rules.Add(FaultStage.Data, verb, new SendDataFault(content.ToArray()), skip, times, path);

    /// <summary>
    /// Reports this size for paths that fit the pattern, in SIZE, MLST and listings, until <see cref="TestFault.Release"/>.
    /// </summary>
    public TestFault WrongSize(string path, long size) =>
        _rules.Add(FaultStage.Size, AnyVerb, new WrongSizeFault(size), 0, int.MaxValue, path);

    /// <summary>Releases and forgets all rules.</summary>
    public void Clear() => _rules.Clear();
}
