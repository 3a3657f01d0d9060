using System.Diagnostics;
using System.Globalization;

namespace Transfer.Tests.Replay;

/// <summary>
/// The whole engine, replayed: seeds draw servers, faults, lost sessions, slow answers, kills and the order of all work, in a process of
/// its own whose thread pool is controlled (see
/// <see cref="ControlledPool"/>). TRANSFER_REPLAY_SEEDS asks for more seeds, TRANSFER_REPLAY_TIMES for more runs of each.
/// </summary>
[TestFixture]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Platform(Exclude = "Win", Reason = "A folder in which the process that was killed has open files can't be renamed.")]
[Category(Categories.Slow)]
public sealed class ReplayTests
{
    // Not a measure of speed: what has not ended by then hangs.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(60);

    [Test]
    public async Task The_same_seed_gives_the_same_commands_every_time()
    {
        var runs = await RunAsync(0, 20, Setting("TRANSFER_REPLAY_TIMES", 3));
        Assert.That(runs.Select(run => run.Logs.Length), Has.All.EqualTo(1), "each seed has one log");
        var again = await RunAsync(0, 20, 1);
        Assert.That(again.Select(run => run.Logs[0]), Is.EqualTo(runs.Select(run => run.Logs[0])), "another process has the same ones");
    }

    [Test]
    public async Task No_file_is_lost_no_job_hangs_and_nothing_is_held_whatever_happens()
    {
        var runs = await RunAsync(1000, Setting("TRANSFER_REPLAY_SEEDS", 300), 1);
        Assert.That(runs.Select(run => run.Broken), Has.All.Empty);
        Assert.That(runs.Select(run => run.Logs[0]), Is.Unique, "each seed does something else");
    }

    [Test]
    public async Task Planted_faults_are_found_by_orders_that_are_drawn()
    {
        var lines = await OutputAsync("planted");
        var orders = lines.ToDictionary(fields => fields[0], fields => (Updates: Number(fields[1]), WakeUps: Number(fields[2])));
        Assert.That(orders[nameof(ArrivalOrder)], Is.EqualTo((200, 0)), "one order has one outcome");
        foreach (var name in (string[])[nameof(RandomOrder), nameof(PriorityOrder)])
        {
            Assert.That(orders[name].Updates, Is.InRange(10, 190), name);
            Assert.That(orders[name].WakeUps, Is.InRange(10, 190), name);
        }
    }

    private static async Task<(string[] Logs, string Broken)[]> RunAsync(int first, int count, int times)
    {
        string[] numbers = [.. new[] { first, count, times }.Select(number => number.ToString(CultureInfo.InvariantCulture))];
        var lines = await OutputAsync(numbers);
        Assert.That(lines, Has.Length.EqualTo(count), string.Join(' ', lines.LastOrDefault() ?? []));
        return [.. lines.Select(fields => (fields[1].Split(','), fields[2].Length == 0 ? string.Empty : $"seed {fields[0]}: {fields[2]}"))];
    }

    private static async Task<string[][]> OutputAsync(params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", ["exec", typeof(ReplayProgram).Assembly.Location, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        try
        {
            var errors = process.StandardError.ReadToEndAsync();
            var output = await process.StandardOutput.ReadToEndAsync().WaitAsync(Patience);
            await process.WaitForExitAsync().WaitAsync(Patience);
            if (await errors is { Length: > 0 } said) TestContext.Out.WriteLine(said);
            return [.. output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.Split('\t'))];
        }
        finally
        {
            if (!process.HasExited) process.Kill(entireProcessTree: true);
        }
    }

    private static int Number(string text) => int.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);

    private static int Setting(string name, int usual) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } text ? Number(text) : usual;
}
