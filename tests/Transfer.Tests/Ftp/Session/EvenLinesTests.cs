using System.Globalization;
using System.Text;
using Transfer.Ftp.Protocol;
using Transfer.Ftp.Session;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Commands in lines of even length, for a server that loses a line end where one of its reads ends in the middle.</summary>
public sealed class EvenLinesTests
{
    private const string ProFtpd = "ProFTPD 1.3.8 Server";
    private const int Folders = 20;
    private const int Files = 40;

    [TestCase("DELE", "/d/f", "/d//f")]
    [TestCase("DELE", "/d/fi", "/d/fi")]
    [TestCase("CWD", "/", "//")]
    [TestCase("MLST", "f", "f")]
    [TestCase("MLST", "fi", ".//fi")]
    [TestCase("DELE", "/ä/bc", "/ä//bc")]
    [TestCase("SITE", "CHMOD 700 /d/f", "CHMOD 700 /d//f")]
    [TestCase("MFMT", "20260102030405 /d/f", "20260102030405 /d/f")]
    public void A_path_gets_what_says_nothing(string verb, string argument, string sent)
    {
        var lines = Make(new FtpCommand(verb, argument))!;
        Assert.That(lines.Commands[0].Argument, Is.EqualTo(sent));
        Assert.That(lines.Commands.Select(command => BytesOf(command) % 2), Has.All.Zero);
        Assert.That(lines.Bytes, Is.EqualTo(lines.Commands.Select(BytesOf)));
    }

    [Test]
    public void PWD_goes_by_its_older_name() =>
        Assert.That(Make(new FtpCommand("PWD"))!.Commands[0].Verb, Is.EqualTo("XPWD"));

    // Taken for one, the first would give a file the second's name.
    [TestCase("RNTO", "/d/f")]
    [TestCase("MKD", "/d/f")]
    [TestCase("OPTS", "UTF8 ON")]
    public void Other_commands_keep_the_bounds(string verb, string argument) =>
        Assert.That(Make(new FtpCommand("DELE", "/d/f"), new(verb, argument)), Is.Null);

    [Test]
    public void Marks_are_in_between_and_at_the_end_and_not_in_the_replies()
    {
        FtpCommand[] commands = [.. Enumerable.Range(0, 200).Select(i => new FtpCommand("DELE", $"/{i}"))];
        var lines = Make(commands)!;
        Assert.That(lines.Commands, Has.Count.EqualTo(200 + 3 + 8));
        FtpReply[] replies = [.. lines.Commands.Select((command, i) => Reply(command.Verb switch
        {
            "XPWD" => "257 \"/\"",
            "NOOP" => "200 OK",
            _ => $"250 {i}",
        }))];
        Assert.That(replies.Select((reply, i) => lines.Fits(i, reply)), Has.All.True);
        Assert.That(lines.WithoutMarks(replies).Select(reply => reply.Code), Is.EqualTo(Enumerable.Repeat(250, 200)));
        // A reply too few shows at the next mark.
        Assert.That(lines.Fits(64, replies[65]), Is.False);
    }

    [TestCase(1448, ExpectedResult = true)]
    [TestCase(1447, ExpectedResult = false)]
    [TestCase(65483, ExpectedResult = true)]
    public bool Segments_have_even_sizes_or_hold_a_whole_write(int size) => FtpEvenLines.Fit(size);

    [TestCase("rm")]
    [TestCase("chmod")]
    public async Task A_tree_takes_few_flights(string work)
    {
        await using var ftp = await StartAsync();
        if (work == "rm") await ftp.Client.DeleteAsync("/d", recursive: true).Soon();
        else await ftp.Client.ChangeModeAsync("/d", ModeChange.Parse("u=rwX,go="), recursive: true).Soon();
        Assert.That(ftp.Store.Files.Count, Is.EqualTo(work == "rm" ? 0 : Folders * Files));
        var changes = ftp.Work.Where(c => c.Verb is "DELE" or "SITE").ToArray();
        Assert.That(changes, Has.Length.GreaterThanOrEqualTo(Folders * Files));
        Assert.That(changes.Count(c => c.Argument.Contains("//", StringComparison.Ordinal)), Is.GreaterThan(Folders * Files / 3));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    // As ProFTPD does with a line end that it loses: both commands of the two have one reply.
    [Test]
    public async Task Where_a_reply_is_missing_the_work_goes_on_within_the_bounds_and_nothing_counts_twice()
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Reply("DELE", "550 Not now", times: 9, path: "/d/07/f347");
        var lost = ftp.Server.Faults.OmitFinalReply("DELE", skip: 100);
        await using var job = ftp.Client.StartDelete("/d", recursive: true, readItems: true);
        var items = await job.ReadItemsAsync().ToListAsync().AsTask().Soon();
        Assert.That(lost.Fired, Is.EqualTo(1));
        var files = items.Where(item => item.Type == RemoteEntryType.File).ToArray();
        Assert.That(files.Select(item => item.Path), Is.Unique.And.Exactly(Folders * Files).Items);
        Assert.That(files.Where(item => item.Error is not null).Select(item => item.Path), Is.EqualTo(new[] { "/d/07/f347" }));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/07/f347" }));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(2));
        Assert.That(ftp.Work.Where(c => c.Connection == 2 && c.Verb == "DELE").Select(c => c.Argument), Has.None.Contains("//"));
        var probe = await ftp.Client.ProbeAsync();
        Assert.That(probe.Abilities.Single(ability => ability.Name == "EvenLines").IsFallBack);
    }

    private static async Task<FtpHarness> StartAsync()
    {
        var ftp = await FtpHarness.StartAsync(new() { Greeting = ProFtpd });
        for (var i = 0; i < Folders * Files; i++) ftp.Store.AddFile($"/d/{i % Folders:D2}/f{i}", [1]);
        return ftp;
    }

    private static FtpReply Reply(string line) => new(int.Parse(line[..3], CultureInfo.InvariantCulture), [line]);

    private static FtpEvenLines? Make(params FtpCommand[] commands) => FtpEvenLines.TryMake(commands, [.. commands.Select(BytesOf)]);

    private static int BytesOf(FtpCommand command) => Encoding.UTF8.GetByteCount(command.ToString()) + 2;
}
