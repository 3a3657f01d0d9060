using FsCheck;
using FsCheck.Fluent;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Plans;

/// <summary>
/// Parts of a plan, and shards, in any order, repeated, and killed in the middle, then the last phase: together they do as one run does.
/// </summary>
[TestFixture]
[Category(Categories.Slow)]
public sealed class PlanPropertyTests
{
    // Names that are one name at a target without regard to case, on purpose. A file and a folder never are: which one a run keeps of those
    // depends on what is there already.
    private static readonly string[] Files = ["a", "A", "b", "c.txt", "C.txt"];
    private static readonly string[] Folders = ["d", "D", "e"];

    [Test]
    public void Parts_of_a_plan_leave_what_one_run_leaves([Values] bool caseless) => ForAny(caseless, runs: 1,
        async (client, target, random) =>
    {
        using var folder = new TempFolder();
        var parts = random.Next(1, 5);
        var options = new SyncOptions { Delete = true, DeleteForEmptySource = true };
        var plan = new PlanFolder(folder["plan"]);
        await plan.WriteAsync(PlanHeader.Of("memory://source", "memory://target", options), parts,
            client.PlanAsync("/", target, "/", options));
        foreach (var part in Order(parts, random))
        {
            var manifest = await PlanManifest.OpenAsync(plan.ManifestOf(part));
            await RunAsync(stop => client.StartApply("/", target, "/", manifest, readItems: true, cancellationToken: stop), random);
        }
        var last = await PlanManifest.OpenAsync(plan.FinalManifest);
        await RunAsync(stop => client.StartApply("/", target, "/", last, readItems: true, cancellationToken: stop), random);
    });

    // One run leaves what may be another spelling of an entry that is not there yet; the second finds it there.
    [Test]
    public void Shards_leave_what_two_runs_leave([Values] bool caseless) => ForAny(caseless, runs: 2, async (client, target, random) =>
    {
        var count = random.Next(1, 5);
        foreach (var part in Order(count, random)) await RunAsync(stop => Start(new(part, count), stop), random);
        for (var i = 0; i < 2; i++) await RunAsync(stop => Start(TransferShard.Final, stop), random);

        TransferJob Start(TransferShard shard, CancellationToken stop) => client.StartSynchronize("/", target, "/", new()
        {
            Delete = true,
            DeleteForEmptySource = true,
            DetectMoves = false,
            Filter = new() { Shard = shard },
        }, readItems: true, progress: null, stop);
    });

    private static void ForAny(bool caseless, int runs, Func<TransferClient, TransferClient, Random, Task> run) =>
        Prop.ForAll<byte[], byte[], PositiveInt>((source, before, seed) =>
            CompareAsync(source, before, caseless, runs, new Random(seed.Get), run).Soon().GetAwaiter().GetResult())
            .QuickCheckThrowOnFailure();

    private static async Task<bool> CompareAsync(
        byte[] source, byte[] before, bool caseless, int runs, Random random, Func<TransferClient, TransferClient, Random, Task> run)
    {
        var (from, one, many) = (new MemoryStore(), new MemoryStore(caseless), new MemoryStore(caseless));
        Grow(from, source);
        Grow(one, before);
        Grow(many, before);
        await using var client = new MemoryTransferClient(from);
        await using var whole = new MemoryTransferClient(one, endpoint: "memory://one/");
        await using var divided = new MemoryTransferClient(many, endpoint: "memory://many/");
        for (var i = 0; i < runs; i++)
        {
            await client.SynchronizeAsync("/", whole, "/", new() { Delete = true, DeleteForEmptySource = true, DetectMoves = false })
                .Soon();
        }
        await run(client, divided, random);
        var (expected, actual) = (Tree(one), Tree(many));
        return actual.Order(StringComparer.Ordinal).SequenceEqual(expected.Order(StringComparer.Ordinal))
            ? true : throw new InvalidOperationException($"one run: {string.Join(", ", expected)}; parts: {string.Join(", ", actual)}");
    }

    // Some parts twice, and all of them at last once.
    private static int[] Order(int parts, Random random)
    {
        int[] order = [.. Enumerable.Range(0, parts), .. Enumerable.Range(0, parts).Where(_ => random.Next(3) == 0)];
        random.Shuffle(order);
        return order;
    }

    // Killed in the middle, sometimes, and then run again.
    private static async Task RunAsync(Func<CancellationToken, TransferJob> start, Random random)
    {
        for (var kills = random.Next(3); kills > 0; kills--)
        {
            using var stop = new CancellationTokenSource();
            var left = random.Next(3);
            await using var job = start(stop.Token);
            await foreach (var _ in job.ReadItemsAsync())
            {
                if (left-- == 0) await stop.CancelAsync();
            }
            await ((Task)job.Completion).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        await using var last = start(CancellationToken.None);
        await foreach (var _ in last.ReadItemsAsync())
        {
            // The job waits for its reader.
        }
        var result = await last.Completion.Soon();
        foreach (var failure in result.Failures) TestContext.Out.WriteLine($"{failure.Path}: {failure.Error!.Message}");
    }

    // Two bytes an entry: a path of up to three names, and a content.
    private static void Grow(MemoryStore store, byte[] seeds)
    {
        for (var i = 0; i + 1 < seeds.Length; i += 2)
        {
            var (path, at) = (string.Empty, (int)seeds[i]);
            var length = seeds[i + 1] / 3 % 5;
            for (var depth = seeds[i + 1] % 3; depth > 0; depth--, at /= Folders.Length) path += "/" + Folders[at % Folders.Length];
            if (length == 4) store.AddDirectory($"{path}/{Folders[at % Folders.Length]}");
            else path += "/" + Files[at % Files.Length];
            if (length < 4 && store.Describe(path) is null)
                store.AddFile(path, new byte[length], DateTimeOffset.UnixEpoch.AddHours(length));
        }
    }

    // Without the test folders of killed runs, which later runs delete where a journal names them, or once they are old.
    private static List<string> Tree(MemoryStore store, string folder = "/") =>
        [.. store.Children(folder).Where(path => !TemporaryNames.IsTemporary(RemotePath.GetName(path)))
            .SelectMany(path => store[path] is { IsDirectory: true }
                ? Tree(store, path).Prepend(path + "/") : [$"{path} {store[path]!.Length} {store[path]!.Modified:O}"])];
}
