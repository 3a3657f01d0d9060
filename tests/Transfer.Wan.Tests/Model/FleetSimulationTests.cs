using FsCheck;
using FsCheck.Fluent;
using Transfer.Wan.Model;

namespace Transfer.Wan.Tests.Model;

/// <summary>The simulation of many workers, against closed forms and bounds.</summary>
[TestFixture]
public sealed class FleetSimulationTests
{
    private static readonly ModelMethod Method = new("m", ClientSeconds: 0.001, ServerSeconds: 0.0001, RoundTrips: 0);

    // A worker sends 2,000 files a second, the server takes 10,000.
    private static readonly ModelSite Site = new()
    {
        Files = 120_000,
        Length = 1,
        WorkerCores = 2,
        ServerCores = 1,
    };

    [TestCase(1, 60)]
    [TestCase(2, 30)]
    [TestCase(5, 12)]
    [TestCase(10, 12)]
    public void Equal_parts_end_when_work_and_rate_say(int workers, double seconds)
    {
        var outcome = new FleetSimulation(Site, Method, workers).Run(ModelSizes.OfPlan(Site.Files, 10 * workers), new Random(1));
        Assert.That(outcome.Seconds, Is.EqualTo(seconds).Within(1e-6));
        Assert.That(outcome.Sent, Is.EqualTo(Site.Files).Within(1e-3));
        Assert.That((outcome.Confirmed, outcome.Deaths), Is.EqualTo((0.0, 0)));
    }

    [Test]
    public void One_large_part_is_no_quicker_by_more_workers()
    {
        var outcome = new FleetSimulation(Site, Method, 5).Run([100_000, 10_000, 10_000], new Random(1));
        Assert.That(outcome.Seconds, Is.EqualTo(50).Within(1e-6));
    }

    [Test]
    public void A_session_limit_bounds_what_waits_for_round_trips()
    {
        var site = Site with { RoundTrip = 0.1, Sessions = 20 };
        var ftp = Method with { RoundTrips = 2 };
        Assert.That(site.ServerLimit(ftp), Is.EqualTo((100.0, "the server's sessions")));
        var outcome = new FleetSimulation(site, ftp, 10).Run(ModelSizes.OfPlan(1000, 10), new Random(1));
        Assert.That(outcome.Seconds, Is.EqualTo(10).Within(1e-6));
    }

    [Test]
    public void Whoever_dies_all_files_are_sent_once_and_no_sooner_than_possible() =>
        Prop.ForAll<PositiveInt, PositiveInt, PositiveInt>((workers, parts, seed) =>
        {
            var (some, many) = (1 + (workers.Get % 20), 1 + (parts.Get % 60));
            var deaths = new ModelDeaths(MeanSeconds: 20, NoticedAfter: 3, BackAfter: 7, ConfirmShare: 0.1);
            var sizes = ModelSizes.OfFolders(Site.Files, many, folders: 500, spread: 1, new Random(seed.Get));
            var calm = new FleetSimulation(Site, Method, some).Run(sizes, new Random(seed.Get));
            var wild = new FleetSimulation(Site, Method, some, deaths).Run(sizes, new Random(seed.Get));
            var least = Site.Files / Math.Min(some * Site.WorkerLimit(Method).Files, Site.ServerLimit(Method).Files);
            return Math.Abs(calm.Sent - Site.Files) < 1 && Math.Abs(wild.Sent - Site.Files) < 1
                && calm.Seconds >= least - 1e-6 && wild.Seconds >= least - 1e-6
                && (wild.Deaths > 0 || wild.Confirmed == 0);
        }).QuickCheckThrowOnFailure();

    [Test]
    public void A_seed_repeats_a_run()
    {
        var deaths = new ModelDeaths(20, 3, 7, 0.1);
        var first = Run();
        Assert.That(Run(), Is.EqualTo(first));

        ModelOutcome Run() => new FleetSimulation(Site, Method, 5, deaths).Run(ModelSizes.OfPlan(Site.Files, 50), new Random(7));
    }
}
