using System.Text;
using System.Text.RegularExpressions;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>The commands of docs/tasks.md do what they are for: each runs against an FTP and an SFTP server.</summary>
[TestFixture]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Category(Categories.Slow)]
public sealed partial class DocumentedTaskTests : IAsyncDisposable
{
    private const string Host = "user@files.example.com";

    // The names of the page that are files and folders here.
    private static readonly string[] Local =
        ["report.pdf", "a.csv", "site", "list.txt", "names.txt", "filter.txt", "mirror", "down", "down/", "run.log",
        "script.txt"];

    private readonly TempFolder _folder = new();
    private readonly MemoryStore _store = new();
    private FtpTestServer? _ftp;
    private SftpTestServer? _sftp;

    private static IEnumerable<TestCaseData> Tasks() =>
        Row().Matches(File.ReadAllText(Path.Combine(Repository.Root, "docs", "tasks.md")))
            .Select(match => new TestCaseData(match.Groups["task"].Value, match.Groups["command"].Value)
                .SetArgDisplayNames(match.Groups["task"].Value));

    [SetUp]
    public async Task Start()
    {
        foreach (var path in new[] { "/in/a.csv", "/in/b.csv", "/in/sub/c.csv", "/www/index.html", "/logs/today.log", "/backup/full.tar" })
            _store.AddFile(path, Encoding.UTF8.GetBytes(path + "\n"), new DateTimeOffset(2024, 3, 5, 10, 20, 30, TimeSpan.Zero));
        foreach (var path in new[] { "report.pdf", "a.csv", "site/index.html", "site/css/main.css", "site/draft.tmp" })
            _folder.Add(path, path);
        _folder.Add("mirror/a.csv", "/in/a.csv\n");
        _folder.Add("list.txt", "index.html\ncss/main.css\n");
        _folder.Add("names.txt", "a.csv\nsub/c.csv\n");
        _folder.Add("filter.txt", "- *.tmp\n");
        _folder.Add("script.txt", "cd sub\ncat c.csv\n");
        _ftp = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store });
        _sftp = await SftpTestServer.StartAsync(new SftpTestServerOptions { Store = _store });
    }

    public async ValueTask DisposeAsync()
    {
        if (_ftp is not null) await _ftp.DisposeAsync();
        if (_sftp is not null) await _sftp.DisposeAsync();
        _folder.Dispose();
    }

    [Test]
    public void The_page_has_sixty_tasks_at_least() => Assert.That(Tasks().Count(), Is.GreaterThanOrEqualTo(60));

    [TestCaseSource(nameof(Tasks))]
    public async Task A_task_of_the_page_is_done_by_its_command(string task, string command)
    {
        var words = Word().Matches(command).Select(match => match.Groups["plain"].Success ? match.Value : match.Groups["quoted"].Value)
            .Skip(1).Select(Here).ToList();
        if (command.Contains("sftp://", StringComparison.Ordinal))
            words.InsertRange(1, ["--ssh-config", "none", "--known-hosts", _folder.Add("known", string.Empty), "--accept-new-host-key"]);
        var harness = new CliHarness
        {
            Input = words[0] == "run" ? "ls sub\n"u8.ToArray() : "content"u8.ToArray(),
            Shell = new ShellTerminal(_ => new ConsoleKeyInfo('\x4', ConsoleKey.D, false, false, control: true), () => 80, static _ => { },
                static () => CancellationToken.None),
            Environment = { ["TRANSFER_PASSWORD"] = "demo", ["XDG_STATE_HOME"] = _folder["state"] },
        };
        if (words[0] == "copy")
        {
            var password = _folder.AddPrivate("password", "demo\n");
            words.InsertRange(1, ["--from-password-file", password, "--to-password-file", password]);
        }

        // One that would go on is interrupted, whatever has been done by then; WatchTests see what is.
        using var end = new CancellationTokenSource();
        if (words.Contains("watch") || words.Contains("--watch")) end.CancelAfter(TimeSpan.FromSeconds(1));
        var result = await harness.RunAsync(end.Token, [.. words]);
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(TaskEffects.Of, Does.ContainKey(task), "each task has an effect that is checked");
        TaskEffects.Of[task](new TaskEffects(_store, _folder, result));
    }

    [Test]
    public void No_effect_is_checked_of_a_task_that_is_gone() =>
        Assert.That(TaskEffects.Of.Keys, Is.SubsetOf(Tasks().Select(data => data.Arguments[0])));

    private string Here(string word) =>
        Local.Contains(word) ? _folder[word]
        : word.Replace("sftp://" + Host, $"sftp://demo@{_sftp!.EndPoint}", StringComparison.Ordinal)
            .Replace("ftp://" + Host, $"ftp://demo@{_ftp!.EndPoint}", StringComparison.Ordinal);

    [GeneratedRegex(@"^\| (?<task>[^|]+) \| `(?<command>transfer [^`]+)` \|$", RegexOptions.Multiline)]
    private static partial Regex Row();

    [GeneratedRegex("'(?<quoted>[^']*)'|(?<plain>[^ ']+)")]
    private static partial Regex Word();
}
