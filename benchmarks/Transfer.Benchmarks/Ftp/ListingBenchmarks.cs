using System.Globalization;
using System.Text;
using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Ftp.Listing;

namespace Transfer.Benchmarks.Ftp;

/// <summary>Listings of 10,000 lines, from the bytes of a data connection to entries, by the line.</summary>
public class ListingBenchmarks
{
    private const int Lines = 10_000;

    private static readonly ListingContext Context = new() { Now = new DateTimeOffset(2026, 11, 21, 9, 0, 0, TimeSpan.Zero) };

    private MemoryStream _mlsd = null!;
    private MemoryStream _unix = null!;
    private MemoryStream _windows = null!;

    [GlobalSetup]
    public void SetUp()
    {
        _mlsd = Listing(
            i => $"type=file;size={i * 137};modify=20260{1 + (i % 9)}1508{i % 60:00}00;UNIX.mode=0644;UNIX.owner=user; "
            + $"report-{i:000000}.csv");
        _unix = Listing(i => $"-rw-r--r--   1 user     group    {i * 137,12} {Month(i)} 15 08:{i % 60:00} report-{i:000000}.csv");
        _windows = Listing(i => $"{1 + (i % 9):00}-15-26  08:{i % 60:00}AM {i * 137,20} report-{i:000000}.csv");
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Lines, Description = "MLSD")]
    public Task<int> Mlsd() => ReadAsync(_mlsd, ListingKind.Mlsd);

    [Benchmark(OperationsPerInvoke = Lines, Description = "LIST, Unix")]
    public Task<int> Unix() => ReadAsync(_unix, ListingKind.List);

    [Benchmark(OperationsPerInvoke = Lines, Description = "LIST, Windows")]
    public Task<int> Windows() => ReadAsync(_windows, ListingKind.List);

    private static async Task<int> ReadAsync(MemoryStream listing, ListingKind kind)
    {
        listing.Position = 0;
        var entries = 0;
        await foreach (var entry in ListingReader.ReadAsync(listing.ReadAsync, kind, "/reports", NameEncoding.LosslessUtf8, Context,
            new ListingSummary(), NullLogger.Instance))
        {
            if (entry.Length is not null) entries++;
        }
        return entries == Lines ? entries : throw new InvalidOperationException($"{entries} entries of {Lines} lines.");
    }

    private static string Month(int i) => CultureInfo.InvariantCulture.DateTimeFormat.GetAbbreviatedMonthName(1 + (i % 9));

    private static MemoryStream Listing(Func<int, string> line) =>
        new(Encoding.ASCII.GetBytes(string.Concat(Enumerable.Range(0, Lines).Select(i => line(i) + "\r\n"))), writable: false);
}
