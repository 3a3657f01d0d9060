using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;
using Transfer.Ftp.Listing;

namespace Transfer.Tests.Ftp.Listing;

public sealed class ListingReaderTests
{
    private const string Unix =
        "total 8\r\n" +
        "drwxr-xr-x   2 alice    users        4096 Mar  5 10:22 .\r\n" +
        "drwxr-xr-x   2 alice    users        4096 Mar  5 10:22 ..\r\n" +
        "drwxr-xr-x   2 alice    users        4096 Mar  5 10:22 d\u00E9j\u00E0\r\n" +
        "garbage\r\n" +
        "-rw-r--r--   1 bob      users          10 Mar  5 10:22 b\n" +
        "\r\n" +
        "-rw-r--r--   1 bob      users          10 Mar  5 10:22  c \r\r\n" +
        "lrwxrwxrwx   1 bob      users          10 Mar  5 10:22 d -> \u65E5/\u672C\r\n";

    private static readonly string[] UnixExpected =
    [
        "dir 4096 2024-03-05T10:22:00Z 755 alice [d\u00E9j\u00E0]",
        "file 10 2024-03-05T10:22:00Z 644 bob [b]",
        "file 10 2024-03-05T10:22:00Z 644 bob [ c ]",
        "link 10 2024-03-05T10:22:00Z 777 bob [d] -> \u65E5/\u672C",
    ];

    [Test]
    public async Task Lines_become_entries_without_dots_totals_and_garbage()
    {
        var log = new ListLogger();

        var entries = await ReadAsync(ListingKind.List, Encoding.UTF8.GetBytes(Unix), log: log);

        Assert.That(entries, Is.EqualTo(UnixExpected));
        Assert.That(log.Messages, Is.EqualTo(new[] { "Warning 2200: 1 lines of the listing of /pub were not understood and skipped." }));
    }

    [Test]
    public async Task One_warning_counts_all_lines_that_nobody_understands()
    {
        var log = new ListLogger();

        var entries = await ReadAsync(ListingKind.List, Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat("what is this\r\n", 500))),
            log: log);

        Assert.That(entries, Is.Empty);
        Assert.That(log.Messages, Is.EqualTo(new[] { "Warning 2200: 500 lines of the listing of /pub were not understood and skipped." }));
    }

    [Test]
    public async Task Half_a_vms_record_is_counted_as_not_understood()
    {
        var log = new ListLogger();

        await ReadAsync(ListingKind.List, "LOST.TXT;1\r\nA.TXT;1  5/6  2-JAN-1996 03:33\r\nLAST.TXT;1\r\n"u8.ToArray(), log: log);

        Assert.That(log.Messages, Is.EqualTo(new[] { "Warning 2200: 2 lines of the listing of /pub were not understood and skipped." }));
    }

    [Test]
    public async Task An_understood_listing_is_quiet()
    {
        var log = new ListLogger();

        await ReadAsync(ListingKind.Mlsd, "type=cdir; .\r\ntype=pdir; ..\r\ntype=file; a\r\n"u8.ToArray(), log: log);
        await ReadAsync(ListingKind.List, [], log: log);

        Assert.That(log.Messages, Is.Empty);
    }

    [Test]
    public async Task Mlsd_drops_the_directory_itself_and_its_parent_however_they_are_named()
    {
        var entries = await ReadAsync(ListingKind.Mlsd,
            "type=cdir; /pub\r\ntype=pdir; /\r\ntype=cdir; pub\r\ntype=dir; .\r\ntype=dir; ..\r\ntype=file;size=3; a; b\r\n"u8.ToArray());

        Assert.That(entries, Is.EqualTo(new[] { "file 3 ? ? ? [a; b]" }));
    }

    [Test]
    public async Task Names_that_are_paths_are_dropped_with_one_warning()
    {
        var log = new ListLogger();
        string[] names = ["../../etc/passwd", "/etc/passwd", "/pub/../x", "/pub/a/b", "/pub/", "/public/x", "a/b", "a/", "/", "\0", "a\0b",
            "a\rb", "ok"];

        var entries = await ReadAsync(ListingKind.Mlsd,
            Encoding.UTF8.GetBytes(string.Concat(names.Select(name => $"type=file; {name}\r\n"))), log: log);

        Assert.That(entries, Is.EqualTo(new[] { "file ? ? ? ? [ok]" }));
        Assert.That(log.Messages,
            Is.EqualTo(new[] { "Warning 2201: 12 names in the listing of /pub hold a slash, CR or NUL and were dropped." }));
    }

    [TestCase("/pub", "/pub/a", "/pub/a")]
    [TestCase("/pub/", "/pub/a", "/pub/a")]
    [TestCase("/", "/a", "/a")]
    [TestCase("/~", "a", "/~/a")]
    [TestCase("", "a", "a")]
    [TestCase("/pub", "/pub/..", null)]
    [TestCase("/pub", "/pub/.", null)]
    [TestCase("/pub", "/Pub/a", null)]
    public async Task A_full_path_of_the_listed_directory_is_taken_as_its_last_component(string directory, string pathname,
        string? expected)
    {
        foreach (var (kind, line) in new[] { (ListingKind.Mlsd, "type=file; "),
            (ListingKind.List, "-rw-r--r-- 1 alice users 10 Mar  5 10:22 ") })
        {
            var paths = new List<string>();
            await foreach (var entry in ListingReader.ReadAsync(
                Source(Encoding.UTF8.GetBytes(line + pathname + "\r\n"), 100), kind, directory, Encoding.UTF8, Listed.Context,
                new ListingSummary(), new ListLogger()))
            {
                paths.Add(entry.Path);
            }

            Assert.That(paths, Is.EqualTo(expected is null ? [] : new[] { expected }));
        }
    }

    [Test]
    public async Task A_directory_may_be_marked_with_a_slash()
    {
        var entries = await ReadAsync(ListingKind.List,
            "drwxr-xr-x 1 alice users 10 Mar  5 10:22 sub/\r\n-rw-r--r-- 1 alice users 10 Mar  5 10:22 file/\r\n"u8.ToArray());

        Assert.That(entries, Is.EqualTo(new[] { "dir 10 2024-03-05T10:22:00Z 755 alice [sub]" }));
    }

    [Test]
    public async Task Names_that_do_not_decode_keep_their_bytes()
    {
        byte[] line = [.. "type=file; gr"u8, 0xFC, .. "n\r\n"u8];

        var entries = new List<RemoteEntry>();
        await foreach (var entry in ListingReader.ReadAsync(
            Source(line, 7), ListingKind.Mlsd, "/pub", NameEncoding.LosslessUtf8, Listed.Context, new ListingSummary(), new ListLogger()))
        {
            entries.Add(entry);
        }

        Assert.That(NameEncoding.LosslessUtf8.GetBytes(entries.Single().Name),
            Is.EqualTo(new byte[] { (byte)'g', (byte)'r', 0xFC, (byte)'n' }));
    }

    [Test]
    public void The_split_of_the_reads_does_not_matter() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(300), Prop.ForAll(
            Gen.Elements(Encoding.UTF8.GetBytes(Unix), "type=file; a\r\ntype=dir;  b \n\r\nx\ntype=file; c\r"u8.ToArray()).ToArbitrary(),
            Gen.Choose(1, 40).ArrayOf().ToArbitrary(),
            (bytes, sizes) =>
            {
                var kind = bytes[1] == 'o' ? ListingKind.List : ListingKind.Mlsd;
                var whole = ReadAsync(kind, bytes).Result;
                return whole.Count > 0 && whole.SequenceEqual(ReadAsync(kind, bytes, [.. sizes, 1]).Result);
            }));

    [Test]
    public void Arbitrary_bytes_give_entries_or_nothing_however_they_are_split() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(500), Prop.ForAll(Pieces(), Gen.Choose(1, 9).ToArbitrary(), (bytes, size) =>
        {
            foreach (var kind in Enum.GetValues<ListingKind>())
            {
                var whole = ReadAsync(kind, bytes).Result;
                if (!whole.SequenceEqual(ReadAsync(kind, bytes, [size]).Result)) return false;
            }

            return true;
        }));

    [TestCase(32 * 1024, true)]
    [TestCase((32 * 1024) + 1, false)]
    public async Task A_line_has_at_most_32_kib(int length, bool accepted)
    {
        var line = "type=file; " + new string('x', length - 11);
        foreach (var end in new[] { "\n", "" })
        {
            foreach (var size in new[] { 1000, 4096, 1 << 20 })
            {
                var bytes = Encoding.UTF8.GetBytes("type=file; first\n" + line + end);
                var names = new List<string>();
                Exception? error = null;
                try
                {
                    await foreach (var entry in ListingReader.ReadAsync(
                        Source(bytes, size), ListingKind.Mlsd, "/pub", Encoding.UTF8, Listed.Context, new ListingSummary(),
                        new ListLogger()))
                    {
                        names.Add(entry.Name);
                    }
                }
                catch (TransferException caught)
                {
                    error = caught;
                    Assert.That(caught.Error, Is.EqualTo(TransferError.Protocol));
                }

                Assert.That(error, accepted ? Is.Null : Is.Not.Null);
                Assert.That(names, Has.Count.EqualTo(accepted && end.Length > 0 ? 2 : 1),
                    "what came before is given all the same, and half a line never");
            }
        }
    }

    [Test]
    public void A_gigabyte_without_a_line_end_is_given_up_early()
    {
        var read = 0L;
        ValueTask<int> Endless(Memory<byte> into, CancellationToken ct)
        {
            into.Span.Fill((byte)'x');
            read += into.Length;
            return new ValueTask<int>(into.Length);
        }

        Assert.That(
            async () =>
            await ListingReader.ReadAsync(Endless, ListingKind.List, "/pub", Encoding.UTF8, Listed.Context, new ListingSummary(),
                new ListLogger()).GetAsyncEnumerator().MoveNextAsync(),
            Throws.TypeOf<TransferException>().With.Property(nameof(TransferException.Error)).EqualTo(TransferError.Protocol));
        Assert.That(read, Is.LessThan(1 << 20));
    }

    [TestCase("LIST", "garbage\r\n")]
    [TestCase("LIST", "\n")]
    [TestCase("LIST", "total 8\r\n")]
    [TestCase("LIST", "-rw-r--r--   1 u g    3 Jan  2  2024 a/b\r\n")]
    [TestCase("LIST", "drwxr-xr-x   1 u g    3 Jan  2  2024 ..\r\n")]
    [TestCase("MLSD", "garbage\r\n")]
    [TestCase("MLSD", "\n")]
    [TestCase("MLSD", "type=;size=3; a\r\n")]
    [TestCase("MLSD", "type=file;size=3; a/b\r\n")]
    [TestCase("MLSD", "type=pdir; ..\r\n")]
    [TestCase("MLSD", "type=cdir; .\r\n")]
    public async Task Lines_without_an_entry_that_never_end_are_given_up(string verb, string line)
    {
        const int Most = 200_000;
        var (read, at, bytes) = (0L, 0, Encoding.ASCII.GetBytes("type=file; first\r\n" + string.Concat(Enumerable.Repeat(line, 1000))));
        ValueTask<int> Endless(Memory<byte> into, CancellationToken ct)
        {
            if (at == bytes.Length) at = "type=file; first\r\n".Length;
            var count = Math.Min(into.Length, bytes.Length - at);
            bytes.AsSpan(at, count).CopyTo(into.Span);
            (at, read) = (at + count, read + count);
            return new ValueTask<int>(read > 100 * Most ? 0 : count);
        }

        var summary = new ListingSummary { MostUnused = Most };
        var entries = ListingReader.ReadAsync(Endless, verb == "LIST" ? ListingKind.List : ListingKind.Mlsd, "/pub", Encoding.UTF8,
            Listed.Context, summary, new ListLogger());
        var error = await entries.CountAsync().AsTask().Failure<TransferException>();
        Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Partial, "/pub")));
        Assert.That(error.Message, Does.Contain("--max-listing"));
        Assert.That(read, Is.LessThan(Most + (200 << 10)));
    }

    [Test]
    public async Task Two_hundred_thousand_entries_leave_nothing_behind()
    {
        const int Count = 200_000;
        var line = 0;
        ValueTask<int> Generate(Memory<byte> into, CancellationToken ct)
        {
            var written = 0;
            while (line < Count && into.Length - written > 100)
            {
                written += Encoding.ASCII.GetBytes($"type=file;size={line};modify=20240305102233;UNIX.owner=alice; file-{line++:D6}\r\n",
                    into.Span[written..]);
            }

            return new ValueTask<int>(written);
        }

        var seen = 0L;
        var given = new List<WeakReference>();
        await foreach (var entry in ListingReader.ReadAsync(Generate, ListingKind.Mlsd, "/pub", NameEncoding.LosslessUtf8, Listed.Context,
            new ListingSummary(), new ListLogger()))
        {
            if (entry.Length != seen || entry.Path != $"/pub/file-{seen:D6}") Assert.Fail($"{entry} is not number {seen}.");
            if (seen++ % 1000 == 0) given.Add(new WeakReference(entry));
        }

        GC.Collect();
        Assert.That(seen, Is.EqualTo(Count));
        // A slot of this method's stack may hold one or two.
        Assert.That(given.Count(reference => reference.IsAlive), Is.LessThan(5), "an entry that was given is not kept");
    }

    [Test]
    public async Task Reading_allocates_the_entries_and_their_strings_only()
    {
        var bytes = Encoding.ASCII.GetBytes(
            string.Concat(Enumerable.Range(0, 2000).Select(i => $"-rw-r--r--   1 alice    users    10 Mar  5 10:22 f{i:D7}\r\n")));
        await CountAsync(bytes);

        var before = GC.GetAllocatedBytesForCurrentThread();
        var count = await CountAsync(bytes);
        var each = (GC.GetAllocatedBytesForCurrentThread() - before) / (double)count;

        // A path of 13 characters is 48 bytes, an entry 128, and unoptimised code boxes 96 more for each of owner and group. A name, an
        // owner string or a group string would be over.
        Assert.That(each, Is.LessThan(390));

        static async Task<int> CountAsync(byte[] bytes)
        {
            var count = 0;
            await foreach (var _ in ListingReader.ReadAsync(
                Source(bytes, int.MaxValue), ListingKind.List, "/pub", NameEncoding.LosslessUtf8, Listed.Context, new ListingSummary(),
                new ListLogger()))
            {
                count++;
            }

            return count;
        }
    }

    [Test]
    public void Cancellation_and_failures_of_the_connection_pass_through()
    {
        using var cancellation = new CancellationTokenSource();
        cancellation.Cancel();
        Func<Memory<byte>, CancellationToken, ValueTask<int>> broken =
            (_, _) => throw new TransferConnectionException(TransferError.Lost, "cut");

        Assert.That(async () => await First(Source([1], 1), cancellation.Token), Throws.InstanceOf<OperationCanceledException>());
        Assert.That(async () => await First(broken, default), Throws.TypeOf<TransferConnectionException>());

        static async Task First(Func<Memory<byte>, CancellationToken, ValueTask<int>> read, CancellationToken ct) =>
            await ListingReader.ReadAsync(read, ListingKind.List, "/pub", Encoding.UTF8, Listed.Context, new ListingSummary(),
                new ListLogger(), ct).GetAsyncEnumerator(ct).MoveNextAsync();
    }

    [Test]
    public async Task A_listing_that_is_left_early_still_says_what_it_skipped()
    {
        var log = new ListLogger();
        await foreach (var _ in ListingReader.ReadAsync(
            Source("garbage\r\ntype=file; a\r\ntype=file; b\r\n"u8.ToArray(), 100), ListingKind.Mlsd, "/pub", Encoding.UTF8, Listed.Context,
            new ListingSummary(), log))
        {
            break;
        }

        Assert.That(log.Messages, Has.Count.EqualTo(1));
    }

    private static Func<Memory<byte>, CancellationToken, ValueTask<int>> Source(byte[] bytes, params int[] sizes)
    {
        var at = 0;
        var turn = 0;
        return (into, ct) =>
        {
            ct.ThrowIfCancellationRequested();
            var count = Math.Min(Math.Min(sizes[turn++ % sizes.Length], into.Length), bytes.Length - at);
            bytes.AsSpan(at, count).CopyTo(into.Span);
            at += count;
            return new ValueTask<int>(count);
        };
    }

    private static async Task<List<string>> ReadAsync(ListingKind kind, byte[] bytes, int[]? sizes = null, ILogger? log = null)
    {
        var entries = new List<string>();
        await foreach (var entry in ListingReader.ReadAsync(
            Source(bytes, sizes ?? [int.MaxValue]), kind, Listed.Directory, NameEncoding.LosslessUtf8, Listed.Context, new ListingSummary(),
            log ?? new ListLogger()))
        {
            entries.Add(Listed.Describe(entry));
        }

        return entries;
    }

    private static Arbitrary<byte[]> Pieces() =>
        Gen.OneOf(
                Gen.Elements("\r\n", "\n", "\r", " ", "; ", "type=file;", "-rw-r--r-- 1 a b 3 ", "Mar 5 10:22", " x", "\0", "/", "A.TXT;1",
                    "02-23-05 09:24AM ", "<DIR>", "+r,\t", "*FILE ")
                    .Select(Encoding.UTF8.GetBytes),
                Gen.Choose(0, 255).Select(b => new[] { (byte)b }))
            .ListOf().Select(pieces => pieces.SelectMany(piece => piece).ToArray()).ToArbitrary();
}
