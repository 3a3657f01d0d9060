namespace Transfer.Tests.Replay;

/// <summary>How the run of one seed came out.</summary>
/// <param name="Log">All commands and results.</param>
/// <param name="Broken">What is wrong; null: nothing.</param>
internal sealed record ReplayRun(string Log, string? Broken)
{
    private static readonly Func<ReplayWorld, ReplayScenario>[] Scenarios =
    [
        world => new FolderScenario(world),
        world => new SharedClientScenario(world),
        world => new OppositeCopiesScenario(world),
        world => new SftpScenario(world),
        world => new HandleScenario(world),
    ];

    /// <summary>Runs a seed.</summary>
    public static ReplayRun Of(int seed, ControlledPool pool)
    {
        var timers = Timer.ActiveCount;
        using var world = new ReplayWorld(seed);
        SharedRandom.Seed(seed);
        var machine = new ReplayMachine(pool, world.Time);
        try
        {
            var scenario = Scenarios[seed % Scenarios.Length](world);
            int? killedAfter = world.Random.Next(3) == 0 ? (int)Math.Pow(10, 1 + 3 * world.Random.NextDouble()) : null;
            world.Log.Add($"seed {seed}: {scenario.GetType().Name}");
            if (!RunLife(killedAfter, last: false))
            {
                world.Log.Add($"killed after {killedAfter} steps");
                world.RenewDisk();
            }
            scenario.Judge(last: false);
            world.Weather.Clear();
            RunLife(null, last: true);
            scenario.Judge(last: true);
            return new(world.Log.Text, Timer.ActiveCount == timers ? null : "A timer runs by the real clock.");

            bool RunLife(int? kill, bool last)
            {
                // The last life has a machine that is not busy either.
                var (kind, early) = (world.Random.Next(3), !last && world.Random.Next(3) == 0 ? 1.0 / 64 : 0);
                world.IsBusy = early > 0;
                var choices = new Random(world.Random.Next());
                IWorkOrder order = kind switch
                {
                    0 => new ArrivalOrder(),
                    1 => new RandomOrder(choices),
                    _ => new PriorityOrder(choices, changes: 5, within: 3000),
                };
                world.Log.Add($"a life, {order.GetType().Name}, early {early:0.000}");
                var ended = machine.Run(() => scenario.LiveAsync(last), order, () => early > 0 && choices.NextDouble() < early, kill);
                world.Log.Add($"{machine.Steps} steps");
                return ended;
            }
        }
        catch (Exception e)
        {
            machine.Kill();
            return new(world.Log.Text, e is ReplayException ? e.Message : e.ToString());
        }
    }
}
