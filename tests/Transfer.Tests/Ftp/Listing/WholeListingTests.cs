using System.Text;
using Transfer.Ftp.Listing;

namespace Transfer.Tests.Ftp.Listing;

public sealed class WholeListingTests
{
    [Test]
    public void A_day_above_twelve_gives_the_order_of_all_lines()
    {
        string[] dayFirst = ["03-04-21  11:12    <DIR>    a", "25-04-21  11:12    10 b", "05-04-21  11:12    10 c"];
        string[] monthFirst = ["03-04-21  11:12    <DIR>    a", "04-25-21  11:12    10 b", "05-04-21  11:12    10 c"];

        Assert.That(Times(dayFirst), Is.EqualTo(new[] { "2021-04-03T11:12:00Z", "2021-04-25T11:12:00Z", "2021-04-05T11:12:00Z" }));
        Assert.That(Times(monthFirst), Is.EqualTo(new[] { "2021-03-04T11:12:00Z", "2021-04-25T11:12:00Z", "2021-05-04T11:12:00Z" }));
    }

    [Test]
    public void Dates_of_ls_in_numbers_have_one_order_too() =>
        Assert.That(Times("-rw-r--r-- 1 alice users 10 03/04/21 11:12 a", "-rw-r--r-- 1 alice users 10 25/04/21 11:12 b"),
            Is.EqualTo(new[] { "2021-04-03T11:12:00Z", "2021-04-25T11:12:00Z" }));

    [Test]
    public void What_no_line_decides_has_a_range_in_place_of_a_time()
    {
        var entry = Read("03-04-21  11:12    10 a\r\n05/05/21  11:12    10 b\r\n")[0];

        Assert.That(entry.Modified, Is.Null);
        Assert.That(entry.ModifiedRange, Is.EqualTo(new TimeRange(
            new DateTimeOffset(2021, 3, 4, 11, 12, 0, TimeSpan.Zero), new DateTimeOffset(2021, 4, 3, 11, 12, 0, TimeSpan.Zero))));
    }

    [Test]
    public void The_same_day_either_way_is_no_question() =>
        Assert.That(Times("05/05/21  11:12    10 b"), Is.EqualTo(new[] { "2021-05-05T11:12:00Z" }));

    [Test]
    public void Files_do_not_come_from_the_future() =>
        Assert.That(Times("01-08-24  11:12    10 a", "03-04-21  11:12    10 b"),
            Is.EqualTo(new[] { "2024-01-08T11:12:00Z", "2021-03-04T11:12:00Z" }));

    [Test]
    public void Iis_has_the_month_first_unless_a_line_proves_otherwise()
    {
        Assert.That(Times("03-04-21  11:12AM    10 a"), Is.EqualTo(new[] { "2021-03-04T11:12:00Z" }));
        Assert.That(Times("03-04-21  11:12AM    10 a", "25-04-21  11:12AM    10 b"),
            Is.EqualTo(new[] { "2021-04-03T11:12:00Z", "2021-04-25T11:12:00Z" }));
    }

    [Test]
    public void Ibm_i_has_the_order_of_the_job() =>
        Assert.That(Times("ALICE 10 03/04/21 15:09:55 *STMF a", "ALICE 10 25/04/21 15:09:55 *STMF b"),
            Is.EqualTo(new[] { "2021-04-03T15:09:55Z", "2021-04-25T15:09:55Z" }));

    [Test]
    public void Behind_lines_that_contradict_each_other_open_dates_have_no_time() =>
        Assert.That(Times("03-04-21  11:12    10 a", "25-04-21  11:12    10 b", "04-25-21  11:12    10 c", "03-04-21  11:12    10 d"),
            Is.EqualTo(new[] { "2021-04-03T11:12:00Z", "2021-04-25T11:12:00Z", "2021-04-25T11:12:00Z", "?" }));

    [Test]
    public async Task A_huge_listing_waits_for_no_more_than_the_bound_and_later_lines_gain()
    {
        var line = Encoding.ASCII.GetBytes("03-04-21  11:12                10 file with a name\r\n");
        var lines = 4 * DateInference.MostWaiting / line.Length;
        var (given, last) = (0, "25-04-21  11:12   10 proof\r\n03-04-21  11:12   10 after\r\n"u8.ToArray());
        var (entries, before) = (new List<RemoteEntry>(), 0);

        await foreach (var entry in ListingReader.ReadAsync(
            Next, ListingKind.List, "/pub", Encoding.ASCII, Listed.Context, new ListingSummary(), new ListLogger()))
        {
            if (entries.Count == 0) before = given;
            entries.Add(entry);
        }

        Assert.That(before * line.Length, Is.LessThan(2 * DateInference.MostWaiting));
        Assert.That(entries, Has.Count.EqualTo(lines + 2));
        Assert.That(entries[0].Modified, Is.Null);
        Assert.That(entries[0].ModifiedRange, Is.Not.Null);
        Assert.That(entries[^1].Modified, Is.EqualTo(new DateTimeOffset(2021, 4, 3, 11, 12, 0, TimeSpan.Zero)));

        ValueTask<int> Next(Memory<byte> into, CancellationToken ct)
        {
            if (given > lines) return new(0);
            var from = given++ < lines ? line : last;
            from.CopyTo(into);
            return new(from.Length);
        }
    }

    private static string[] Times(params string[] lines) =>
        [.. Listed.ParseAll(lines).Select(line => line.Split(' ')[2])];

    private static List<RemoteEntry> Read(string text)
    {
        var entries = new List<RemoteEntry>();
        using var interpreter = new ListingInterpreter(ListingKind.List, "/pub", Encoding.ASCII, Listed.Context, new ListingSummary());
        using var lines = new LineBuffer();
        lines.FillAsync((into, _) => new(Encoding.ASCII.GetBytes(text, into.Span)), default).AsTask().GetAwaiter().GetResult();
        while (interpreter.TryRead(lines, final: true, out var entry)) entries.Add(entry);
        return entries;
    }
}
