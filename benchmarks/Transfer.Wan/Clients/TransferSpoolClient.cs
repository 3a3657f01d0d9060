using System.Globalization;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>
/// Ours in batch mode, through a server's folder: <c>transfer send --to N there</c> is one <c>transfer send</c> for N recipients, whose
/// <c>transfer fetch --watch</c> on the server's own machine
/// read that folder on its disk, and wait before the time begins; <c>here</c> they are on this side, and fetch from the server. All have
/// keys of their own.
/// It ends when the last recipient has confirmed the last archive, and has deleted the job.
/// </summary>
internal sealed class TransferSpoolClient : WanClient
{
    public const string Name = TransferSendClient.Name + " --to";

    private const string Over = "over";
    private const string Ended = "ended";

    private readonly int _recipients;
    private readonly bool _isHere;

    public TransferSpoolClient(string label)
        : base(label)
    {
        if (label.Split(' ') is not [_, _, _, var number, "here" or "there"]
            || !int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out _recipients) || _recipients == 0)
        {
            throw new ArgumentException($"There is no client '{label}': {Name} N here|there.", nameof(label));
        }

        _isHere = label.EndsWith(" here", StringComparison.Ordinal);
    }

    public override IReadOnlyList<Protocol> Protocols => [Protocol.FTP, Protocol.FTPS];

    public override string? WhyNot => File.Exists(Program) ? null : "transfer is not built: ./build.sh build";

    public override bool WorksAtFarEnd => !_isHere;

    public override TimeSpan? TimePrecision(ClientJob job) => TimeSpan.FromTicks(1);

    protected override string Program => TransferClientCommand.Path;

    private IEnumerable<int> Recipients => Enumerable.Range(1, _recipients);

    // Keys are made before the time begins, also where the recipients are here.
    public override ClientCommand? FarEnd(ClientJob job) => Script(
        job,
        [
            Line($"{Word(Program)} key me.key > me.pub"),
            .. Recipients.Select(i => Line($"{Word(Program)} key r{i}.key > r{i}.pub")),
            .. _isHere ? [] : Fetchers(job, job.RemoteFolder),
            .. _isHere ? [] : Recipients.Select(i => Line($"until [ -d state-{i}/transfer/spool ] || [ -e {Ended} ]; do sleep 0.05; done")),
            "echo ready",
            $"until [ -e {Over} ]; do sleep 0.1; done",
        ]);

    public override ClientCommand Command(ClientJob job)
    {
        if (!job.IsUpload) throw new NotSupportedException($"{Label} sends.");
        var url = Url(job);
        string[] send = [Program, "send", job.Local, url, .. Recipients.SelectMany(i => (string[])["--to", Line($"r{i}=r{i}.pub")]),
            "--key-file", "me.key", "--quiet"];
        return Script(
            job,
            [
                $"trap 'touch {Over}' EXIT",
                .. _isHere ? Fetchers(job, url) : [],
                $"{State(job, 0)} {ShellWords.Join(send)}",
                // The job goes when all have confirmed all of it.
                $"while set -- {Word(job.RemoteFolder)}/*; [ -e \"$1\" ]; do",
                $"  if [ -e {Ended} ]; then cat fetch-*.err >&2; exit 1; fi",
                "  sleep 0.05",
                "done",
            ]);
    }

    public override IEnumerable<string> Received(ClientJob job) => Recipients.Select(i => Path.Combine(job.Scratch, Line($"received-{i}")));

    // One that ends has failed: it would wait for the next job else.
    private IEnumerable<string> Fetchers(ClientJob job, string spool) => Recipients.Select(i =>
        $"{{ {State(job, i)} {ShellWords.Join([Program, "fetch", spool, Line($"received-{i}"), "--as", Line($"r{i}"), "--key-file", Line($"r{i}.key"), "--from", "me.pub", "--watch", "--quiet"])} > /dev/null 2> {Line($"fetch-{i}.err")} || true; touch {Ended}; }} &");

    // Each is a machine of its own.
    private static string State(ClientJob job, int who) => $"XDG_STATE_HOME={Word(Path.Combine(job.Scratch, Line($"state-{who}")))}";

    private static string Url(ClientJob job) =>
        $"{(job.Server.Protocol == Protocol.FTPS ? "ftpes" : "ftp")}://{job.Server.User}@{job.Server.HostAndPort}{job.RemotePath}/";

    private static ClientCommand Script(ClientJob job, IEnumerable<string> lines) =>
        new("/bin/sh", ["-c", string.Join('\n', ["set -e", .. lines])])
        {
            Environment = new Dictionary<string, string> { ["TRANSFER_PASSWORD"] = job.Server.Password },
        };

    private static string Word(string word) => ShellWords.Quote(word);

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
