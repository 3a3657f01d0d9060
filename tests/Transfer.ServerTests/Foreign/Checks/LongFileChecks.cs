using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Foreign.Checks;

/// <summary>Files that take a while: interrupted, or moved by several sessions.</summary>
internal static class LongFileChecks
{
    // More than what is on its way between two processes when one is killed, and than what a journal keeps the place of.
    private const int Length = 20_000_000;
    private const int Killed = 9_000_000;

    // A busy machine may see the progress only behind the end: then again, slower.
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
        var options = new UploadOptions { Journal = Path.Combine(round.Scratch, "journal"), Resume = true };
        await KilledAsync(round, round.Disk("file"),
            (client, progress) => client.UploadFileAsync(source, round.At("file"), options, progress));
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
        var target = Path.Combine(round.Scratch, "target");
        var options = new DownloadOptions { Journal = Path.Combine(round.Scratch, "journal"), Resume = true };
        await KilledAsync(round, target, (client, progress) => client.DownloadFileAsync(round.At("file"), target, options, progress));
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

    /// <summary>Kills the server while bytes move, and starts it again.</summary>
    private static async Task KilledAsync(Round round, string target, Func<TransferClient, IProgress<TransferProgress>, Task> move)
    {
        foreach (var rate in Rates)
        {
            if (await IsBrokenOffAsync(round, rate, move)) return;
            File.Delete(target);
        }

        Assert.Fail("The file had always arrived before the server could be killed.");
    }

    private static async Task<bool> IsBrokenOffAsync(Round round, long rate, Func<TransferClient, IProgress<TransferProgress>, Task> move)
    {
        await using var client = round.Client(options => options with { MaxBytesPerSecond = rate });
        var killer = new Killer(round.Server);
        try
        {
            await move(client, killer);
            return false;
        }
        catch (TransferException error) when (error.IsTransient && killer.HasKilled)
        {
            return true;
        }
        finally
        {
            if (killer.HasKilled) await round.Server.StartAsync();
        }
    }

    private sealed class Killer(RealServer server) : IProgress<TransferProgress>
    {
        private int _kills;

        public bool HasKilled => Volatile.Read(ref _kills) > 0;

        public void Report(TransferProgress value)
        {
            if (value.Bytes < Killed || value.Bytes >= Length || Interlocked.Exchange(ref _kills, 1) != 0) return;
            server.Kill();
        }
    }
}
