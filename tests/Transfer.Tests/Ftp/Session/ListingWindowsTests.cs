using System.Text;
using Transfer.Ftp.Session;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>A directory that Pure-FTPd does not list whole is seen whole from its two ends, where these overlap.</summary>
public sealed class ListingWindowsTests
{
    // First, last, hidden (in their order; a + behind: truncated), known otherwise, all there is.
    [TestCase("a b c+", "e d c+", "a b+", "", true, TestName = "They overlap")]
    [TestCase("a b+", "d c+", "a b+", "", false, TestName = "They only touch")]
    [TestCase("a b c", "c b+", "a b+", "", true, TestName = "The first is whole")]
    [TestCase("a b c+", "e d c+", ".x .y+", "", false, TestName = "Hidden names may go on")]
    [TestCase("a b c+", "e d c+", ".x a+", "", true, TestName = "Hidden names end")]
    [TestCase(".x a b+", "c b a+", ".x .y+", "", true, TestName = "Hidden names are shown unasked")]
    [TestCase("a b c+", "e d c+", "a b+", "f", false, TestName = "A known name is outside")]
    [TestCase("a b c+", "a b c+", "a b+", "", false, TestName = "The order is not kept")]
    [TestCase("c a b+", "c b a+", "a b+", "", false, TestName = "Nothing is sorted")]
    [TestCase("a b a+", "e d a+", "a b+", "", false, TestName = "A name comes twice")]
    [TestCase("a+", "a+", "a+", "", false, TestName = "One name shows no order")]
    [TestCase("B a ä+", "ö ä a+", "B a+", "", true, TestName = "They are sorted by bytes")]
    [TestCase("a B c+", "e d c+", "B a+", "", false, TestName = "They are sorted otherwise")]
    [TestCase("", "", ".x", "", true, TestName = "There are hidden names only")]
    public void What_three_windows_show_is_all_there_is(string first, string last, string hidden, string known, bool expected) =>
        Assert.That(
            new ListingWindows(Window(first), Window(last), Window(hidden)).AreComplete(
                known.Split(' ', StringSplitOptions.RemoveEmptyEntries)), Is.EqualTo(expected));

    [Test]
    public async Task A_truncated_folder_is_listed_from_both_ends_and_each_entry_once()
    {
        await using var ftp = await StartAsync(["c", "a", ".h"], ["a", "b", "c"], ["e", "d", "c"], [".h", "a", "b"]);
        var entries = await ftp.Client.ListAsync("/d").ToListAsync();
        Assert.That(entries.Select(entry => entry.Name), Is.EquivalentTo(new[] { ".h", "a", "b", "c", "d", "e" }));
        Assert.That(entries.Select(entry => entry.Modified?.Second), Has.All.EqualTo(5), "as exact as the others");
    }

    [Test]
    public async Task A_truncated_folder_of_which_the_middle_is_not_seen_gives_both_ends_and_is_partial()
    {
        await using var ftp = await StartAsync(["c", "a"], ["a", "b"], ["e", "d"], ["a", "b"]);
        await AssertPartialAsync(ftp, 5);
    }

    [Test]
    public async Task Numbers_that_do_not_agree_with_the_lines_prove_nothing()
    {
        await using var ftp = await StartAsync(["c", "a"], ["a", "b", "c"], ["e", "d", "c"], ["a", "b", "c"], count: 2);
        await AssertPartialAsync(ftp, 2);
    }

    [Test]
    public async Task Where_LIST_is_refused_the_listing_stays_partial()
    {
        await using var ftp = await StartAsync(["c", "a"], [], [], []);
        ftp.Server.Faults.Clear();
        ftp.Server.Faults.SendData("MLSD", Encoding.UTF8.GetBytes("type=file;size=1; a\r\n"));
        ftp.Server.Faults.FinalReply("MLSD", "226 Output truncated to 1 matches");
        ftp.Server.Faults.Reply("LIST", "550 no", times: 9);
        await AssertPartialAsync(ftp, 1);
        Assert.That(await ftp.Client.ListAsync("/d").CountAsync(), Is.EqualTo(6), "and the session goes on");
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    private static async Task AssertPartialAsync(FtpHarness ftp, int entries)
    {
        var count = 0;
        var error = await FtpHarness.FailsAsync(async () =>
        {
            await foreach (var _ in ftp.Client.ListAsync("/d")) count++;
        });
        Assert.That((error.Error, count), Is.EqualTo((TransferError.Partial, entries)), error.Message);
        Assert.That(error.Message, Does.Contain("Output truncated to"));
    }

    private static async Task<FtpHarness> StartAsync(string[] mlsd, string[] first, string[] last, string[] hidden, int? count = null)
    {
        var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { Greeting = "---------- Welcome to Pure-FTPd [privsep] [TLS] ----------" });
        foreach (var name in (string[])["a", "b", "c", "d", "e", ".h"])
            ftp.Store.AddFile("/d/" + name, "x"u8, new DateTimeOffset(2024, 1, 2, 3, 4, 5, TimeSpan.Zero));
        Answer("MLSD", mlsd.Select(name => $"type=file;size=1;modify=20240102030405; {name}\r\n"));
        foreach (var names in (string[][])[first, last, hidden])
            Answer("LIST", names.Select(name => $"-rw-r--r--   1 u g    1 Jan  2  2024 {name}\r\n"));
        return ftp;

        void Answer(string verb, IEnumerable<string> lines)
        {
            ftp.Server.Faults.SendData(verb, Encoding.UTF8.GetBytes(string.Concat(lines)));
            ftp.Server.Faults.FinalReply(verb, $"226-Options: -l\r\n226 Output truncated to {count ?? lines.Count()} matches");
        }
    }

    private static ListingWindow Window(string names) => new(
        [.. names.TrimEnd('+').Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(
            name => new RemoteEntry { Path = "/d/" + name, Type = RemoteEntryType.File })], names.EndsWith('+'));
}
