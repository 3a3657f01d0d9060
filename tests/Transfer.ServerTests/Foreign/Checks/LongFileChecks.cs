using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Foreign.Checks;

/// <summary>Files that take a while: interrupted, or moved by several sessions.</summary>
internal static class LongFileChecks
{
    // More than what is on its way between two processes when one is killed.
    private const int Length = 20_000_000;
    private const int Killed = 9_000_000;

    private static readonly long[] Rates = [12_000_000, 2_000_000, 500_000];

    public static IReadOnlyList<Check> All { get; } =
    [
        new("put goes on after the server was killed", ResumedPutAsync),
        new("get goes on after the server was killed", ResumedGetAsync),
        new("a large file down by segments", SegmentsDownAsync),
        new("a large file up, segments wanted", SegmentsUpAsync),
    ];

    private static async Task ResumedPutAsync(Round round)
    {
        var content = Bytes.Random(Length);
        var source = round.LocalFile("source", content);
        // One segment: where several write, the length says nothing of the bytes.
        var options = new UploadOptions { Journal = Path.Combine(round.Scratch, "journal"), Resume = true, Segments = 1 };
        await KilledAsync(round, round.Disk(string.Empty), round.Disk("file"),
            client => client.UploadFileAsync(source, round.At("file"), options));
        Assert.That(File.Exists(round.Disk("file")), Is.False, "what is not whole has no name");

        await using var next = round.Client();
        var result = await next.UploadFileAsync(source, round.At("file"), options);
        Bytes.AssertSame(File.ReadAllBytes(round.Disk("file")), content);
        Assert.That(round.RemoteNames, Is.EqualTo(new[] { "file" }), "no temporary file is left");
        ThrowIfBegunAgain(result);
    }

    private static async Task ResumedGetAsync(Round round)
    {
        var content = Bytes.Random(Length);
        round.Plant("file", content);
        var folder = Directory.CreateDirectory(Path.Combine(round.Scratch, "here")).FullName;
        var target = Path.Combine(folder, "target");
        var options = new DownloadOptions { Journal = Path.Combine(round.Scratch, "journal"), Resume = true, Segments = 1 };
        await KilledAsync(round, folder, target, client => client.DownloadFileAsync(round.At("file"), target, options));
        Assert.That(File.Exists(target), Is.False, "what is not whole has no name");

        await using var next = round.Client();
        var result = await next.DownloadFileAsync(round.At("file"), target, options);
        Bytes.AssertSame(File.ReadAllBytes(target), content);
        ThrowIfBegunAgain(result);
    }

    private static void ThrowIfBegunAgain(TransferResult result)
    {
        if (result.ResumedAt == 0) throw new ServerLimitException("The file began again, and is whole.");
    }

    private static async Task SegmentsDownAsync(Round round)
    {
        var content = Bytes.Random(Length);
        round.Plant("file", content);
        var target = Path.Combine(round.Scratch, "target");
        await using var client = round.Client(options => options with { MaxSessions = 4 });
        await client.DownloadFileAsync(round.At("file"), target, new() { Segments = 4 });
        Bytes.AssertSame(File.ReadAllBytes(target), content);
    }

    private static async Task SegmentsUpAsync(Round round)
    {
        var content = Bytes.Random(Length);
        await using var client = round.Client(options => options with { MaxSessions = 4 });
        await client.UploadFileAsync(round.LocalFile("source", content), round.At("file"), new() { Segments = 4 });
        Bytes.AssertSame(File.ReadAllBytes(round.Disk("file")), content);
        Assert.That(round.RemoteNames, Is.EqualTo(new[] { "file" }), "no temporary file is left");
    }

    /// <summary>
    /// Kills the server while bytes move, and starts it again: as soon as so many bytes are on the disk to which the file goes, whatever
    /// the client counts. At a high rate a busy machine may see that behind the end only: then again, slower.
    /// </summary>
    private static async Task KilledAsync(Round round, string folder, string target,
        Func<TransferClient, Task<TransferResult>> move)
    {
        foreach (var rate in Rates)
        {
            if (await IsBrokenOffAsync(round, folder, rate, move)) return;
            File.Delete(target);
        }

        Assert.Fail("The file had always arrived before the server could be killed.");
    }

    private static async Task<bool> IsBrokenOffAsync(Round round, string folder, long rate,
        Func<TransferClient, Task<TransferResult>> move)
    {
        await using var client = round.Client(options => options with { MaxBytesPerSecond = rate });
        var moving = move(client);
        while (!moving.IsCompleted && StoredIn(folder) < Killed) await Task.WhenAny(moving, Task.Delay(5));
        if (moving.IsCompletedSuccessfully) return false;
        round.Server.Kill();
        try
        {
            await moving;
            return false;
        }
        catch (TransferException error) when (error.IsTransient)
        {
            return true;
        }
        finally
        {
            await round.Server.StartAsync();
        }
    }

    /// <summary>The bytes of a folder's files, whatever their names: a file that is not whole has another than its own.</summary>
    private static long StoredIn(string folder) =>
        new DirectoryInfo(folder).EnumerateFiles().Select(LengthOf).DefaultIfEmpty().Max();

    private static long LengthOf(FileInfo file)
    {
        file.Refresh();
        return file.Exists ? file.Length : 0;
    }
}
