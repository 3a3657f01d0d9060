using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace Transfer.Tests.Replay;

/// <summary>
/// The process that replays seeds: it has the thread pool to itself, which a test host needs. <c>dotnet exec Transfer.Tests.dll FIRST
/// COUNT TIMES</c> runs each seed so often and writes a line for each: its number, the hash of its log and what is wrong. With TIMES 0
/// the log of the first seed is written. <c>planted</c> instead tells how many of 200 orders find each planted fault.
/// </summary>
internal static class ReplayProgram
{
    private const int Planted = 200;

    public static int Main(string[] args)
    {
        if (args is ["planted"]) return Plant(ControlledPool.Take());
        var (first, count, times) = (Number(args[0]), Number(args[1]), Number(args[2]));
        // A disk is copied while the process that was killed still has files of it locked.
        AppContext.SetSwitch("System.IO.DisableFileLocking", true);
        var pool = ControlledPool.Take();
        // Work that never ends, or waits on this thread, can't be ended from outside.
        using var watch = new ReplayWatch(first);
        if (times == 0)
        {
            var run = ReplayRun.Of(first, pool);
            Console.Out.Write(run.Log);
            Console.Out.WriteLine(run.Broken ?? "nothing is wrong");
            return run.Broken is null ? 0 : 1;
        }
        for (var seed = first; seed < first + count; seed++)
        {
            var logs = new HashSet<string>(StringComparer.Ordinal);
            string? broken = null;
            for (var i = 0; i < times; i++)
            {
                watch.Begin(seed);
                var run = ReplayRun.Of(seed, pool);
                logs.Add(Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(run.Log))));
                broken ??= run.Broken?.ReplaceLineEndings(" ");
                if (run.Broken is not null) Console.Error.WriteLine(run.Log);
            }
            Console.Out.WriteLine($"{seed}\t{string.Join(',', logs.Order(StringComparer.Ordinal))}\t{broken}");
        }
        return 0;
    }

    private static int Plant(ControlledPool pool)
    {
        Func<int, IWorkOrder>[] orders =
        [
            static _ => new ArrivalOrder(),
            static seed => new RandomOrder(new Random(seed)),
            static seed => new PriorityOrder(new Random(seed), changes: 3, within: 10),
        ];
        foreach (var order in orders)
        {
            var updates = Enumerable.Range(0, Planted).Count(seed => PlantedRace.LosesUpdate(pool, order(seed)));
            var wakeUps = Enumerable.Range(0, Planted).Count(seed => PlantedRace.LosesWakeUp(pool, order(seed)));
            Console.Out.WriteLine($"{order(0).GetType().Name}\t{updates}\t{wakeUps}");
        }
        return 0;
    }

    private static int Number(string text) => int.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);
}
