using Transfer.Testing;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>Names with a leading dot, and lines without a format, at servers without MLSD that are not known by name.</summary>
public sealed class HiddenNameTests
{
    private const string Line = "-rw-r--r-- 1 a a 3 Jan  1  2020 ";

    private static readonly FtpTestServerOptions Unknown = new()
    {
        Greeting = "ready",
        DisabledCommands = new HashSet<string> { "MLSD", "MLST" },
    };

    private string[] _lists = [];

    [TestCase("a|.h", "a,.h", 2, TestName = "LIST -a shows more: it is used from then on")]
    [TestCase("", "a", 2, TestName = "LIST -a shows nothing: LIST is used")]
    [TestCase(".x", "a,.x", 2, TestName = "LIST -a shows something else: what both show counts, and LIST is used")]
    public async Task LIST_is_compared_with_LIST_a_once(string all, string expected, int lists)
    {
        await using var ftp = await StartAsync();
        ftp.Store.AddFile("/d/a", [1, 2, 3]);
        Send(ftp, "a", all);
        Assert.That(await NamesAsync(ftp), Is.EqualTo(expected.Split(',')));
        Assert.That(_lists, Is.EqualTo(new[] { "LIST", "LIST -a" }).And.Length.EqualTo(lists));

        var isAll = all.StartsWith('a');
        Send(ftp, isAll ? all : "a");
        Assert.That(await NamesAsync(ftp), Is.EqualTo(isAll ? ["a", ".h"] : new[] { "a" }));
        Assert.That(_lists[2..], Is.EqualTo(new[] { isAll ? "LIST -a" : "LIST" }));
    }

    [TestCase(".h|a")]
    [TestCase("-a|b")]
    public async Task A_listing_that_shows_such_names_or_holds_an_entry_named_like_the_option_is_not_compared(string shown)
    {
        await using var ftp = await StartAsync();
        ftp.Store.AddFile("/d/a", [1]);
        Send(ftp, shown);
        Assert.That(await NamesAsync(ftp), Is.EqualTo(shown.Split('|')));
        Assert.That(_lists, Is.EqualTo(new[] { "LIST" }));
    }

    [Test]
    public async Task Bare_names_are_those_of_NLST_and_each_is_looked_at()
    {
        await using var ftp = await StartAsync();
        ftp.Store.AddFile("/d/notes.txt", [1, 2, 3]);
        ftp.Store.AddDirectory("/d/sub");
        ftp.Server.Faults.SendData("LIST", "notes.txt\r\nsub\r\n"u8.ToArray(), times: 99);
        var entries = await ftp.Client.ListAsync("/d").OrderBy(entry => entry.Name).ToListAsync();
        Assert.That(entries.Select(entry => (entry.Name, entry.Type, entry.Length)), Is.EqualTo(new[]
        {
            ("notes.txt", RemoteEntryType.File, 3L), ("sub", RemoteEntryType.Directory, (long?)null),
        }));
    }

    [TestCase("/L", "SOURCE.FILE")]
    [TestCase("/L/SOURCE.FILE", "MAIN.MBR")]
    public async Task Members_of_a_file_are_entries_of_that_file_only(string directory, string expected)
    {
        await using var ftp = await StartAsync();
        ftp.Store.AddDirectory("/L/SOURCE.FILE");
        const string members = "ALICE                                   *MEM       SOURCE.FILE/MAIN.MBR\r\n";
        var file = directory == "/L" ? "ALICE           45056 04/12/14 14:19:31 *FILE      SOURCE.FILE\r\n" : string.Empty;
        ftp.Server.Faults.SendData("LIST", System.Text.Encoding.ASCII.GetBytes(file + members), times: 99);
        Assert.That(await ftp.Client.ListAsync(directory).Select(entry => entry.Name).ToArrayAsync(), Is.EqualTo(new[] { expected }));
    }

    private static Task<FtpHarness> StartAsync() => FtpHarness.StartAsync(Unknown, FtpHarness.Options with { MaxSessions = 1 });

    private static void Send(FtpHarness ftp, params string[] listings)
    {
        foreach (var listing in listings)
        {
            var lines = string.Concat(listing.Split('|', StringSplitOptions.RemoveEmptyEntries).Select(name => $"{Line}{name}\r\n"));
            ftp.Server.Faults.SendData("LIST", System.Text.Encoding.UTF8.GetBytes(lines));
        }
    }

    private async Task<string[]> NamesAsync(FtpHarness ftp)
    {
        var names = await ftp.Client.ListAsync("/d").Select(entry => entry.Name).ToArrayAsync();
        _lists = [.. ftp.Server.Commands.Where(command => command.Verb == "LIST").Select(command => command.Text)];
        return names;
    }
}
