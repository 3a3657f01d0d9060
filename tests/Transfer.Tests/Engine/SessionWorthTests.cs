using Transfer.Engine.Scheduling;

namespace Transfer.Tests.Engine;

/// <summary>The cost of a log-in, the work known, and how many sessions pay.</summary>
public sealed class SessionWorthTests
{
    private static readonly SessionTraits Ftp = new(LogInRoundTrips: 3, FilesAtOnce: 1, SharesLogIns: false);
    private static readonly SessionTraits Sftp = new(LogInRoundTrips: 5, FilesAtOnce: 256, SharesLogIns: true);

    private static readonly object?[][] Files =
    [
        // protocol, round trip (ms), the server's time for a log-in (ms), files, bytes of each, sessions of 16
        [Ftp, null, null, 1, 10_000, 1],
        [Ftp, null, null, 2, 10_000, 2],
        [Ftp, null, null, 16, 10_000, 16],
        [Ftp, null, null, 10_000, 10_000, 16],
        [Ftp, 100, 0, 8, 10_000, 8],
        [Ftp, 100, 300, 8, 10_000, 3],
        [Ftp, 100, 300, 200, 10_000, 16],
        [Ftp, 0.1, 0, 200, 10_000, 16],
        [Ftp, 0.1, 100, 200, 10_000, 2],
        [Ftp, 0.1, 100, 10_000, 10_000, 10],
        [Sftp, null, null, 1, 10_000, 1],
        [Sftp, null, null, 200, 10_000, 1],
        [Sftp, null, null, 1_000, 10_000, 3],
        [Sftp, 0.1, 0, 200, 10_000, 2],
        [Sftp, 0.1, 0, 200, 100, 1],
        [Sftp, null, null, 10_000, 10_000, 16],
        [Sftp, 100, 0, 200, 10_000, 1],
        [Sftp, 100, 300, 200, 10_000, 1],
        [Sftp, 100, 0, 10_000, 10_000, 16],
        [Sftp, 100, 300, 10_000, 10_000, 9],
        [Sftp, 0.1, 100, 200, 10_000, 1],
        [Sftp, 0.1, 100, 10_000, 10_000, 7],
        [Sftp, 100, 0, 16, 100_000_000, 16],
    ];

    private static readonly object?[][] Segments =
    [
        // protocol, round trip (ms), the server's time for a log-in (ms), length in MiB, sessions of 16
        [Ftp, 100, 0, 3, 1],
        [Ftp, 100, 0, 4, 1],
        [Ftp, 100, 0, 16, 16],
        [Ftp, 100, 0, 80, 16],
        [Ftp, 100, 100, 80, 16],
        [Ftp, 100, 300, 80, 9],
        [Sftp, null, null, 80, 16],
        [Sftp, 100, 0, 80, 16],
        [Sftp, 100, 300, 80, 9],
        [Sftp, 100, 3000, 80, 1],
    ];

    private static readonly object?[][] Requests =
    [
        // protocol, round trip (ms), the server's time for a log-in (ms), round trips on one session, sessions of 16
        [Ftp, 100, 0, 3, 1],
        [Ftp, 100, 0, 5, 1],
        [Ftp, 100, 0, 6, 2],
        [Ftp, 100, 0, 48, 16],
        [Ftp, 100, 300, 150, 9],
        [Ftp, 0.1, 0, 48, 16],
        [Ftp, 0.1, 100, 300, 1],
        [Ftp, 0.1, 100, 10_000, 4],
    ];

    [TestCaseSource(nameof(Requests))]
    public void Requests_are_worth_as_many_sessions_as_have_a_share_that_takes_longer_than_the_log_ins(
        object traits, double? roundTrip, double? beyond, int flights, int sessions) =>
        Assert.That(SessionWorth.ForFlights(CostOf((SessionTraits)traits, roundTrip, beyond), flights, most: 16), Is.EqualTo(sessions));

    [TestCaseSource(nameof(Files))]
    public void Files_are_worth_as_many_sessions_as_have_a_share_that_takes_longer_than_the_log_ins(
        object traits, double? roundTrip, double? beyond, int files, long length, int sessions)
    {
        var protocol = (SessionTraits)traits;
        var cost = CostOf(protocol, roundTrip, beyond);
        Assert.That(SessionWorth.ForFiles(cost, protocol.FilesAtOnce, files, files * length, most: 16), Is.EqualTo(sessions));
    }

    [TestCaseSource(nameof(Segments))]
    public void A_large_file_is_worth_as_many_as_are_there_before_one_alone_would_be_done(
        object traits, double? roundTrip, double? beyond, long mebibytes, int sessions)
    {
        var cost = CostOf((SessionTraits)traits, roundTrip, beyond);
        Assert.That(SessionWorth.ForSegments(cost, mebibytes << 20, most: 16), Is.EqualTo(sessions));
    }

    [Test]
    public void No_more_sessions_pay_for_less_work_or_dearer_log_ins([Values(0, 50, 1000)] int beyond)
    {
        var before = 0;
        for (var files = 1; files < 20_000; files *= 2)
        {
            var now = SessionWorth.ForFiles(CostOf(Sftp, 20, beyond), 256, files, files * 10_000L, 64);
            var dearer = SessionWorth.ForFiles(CostOf(Sftp, 20, beyond + 10), 256, files, files * 10_000L, 64);
            Assert.That((now >= before, dearer <= now), Is.EqualTo((true, true)), $"{files} files");
            before = now;
        }
    }

    [Test]
    public void The_time_beyond_the_round_trips_is_the_servers()
    {
        var cost = SessionCost.OfLogIn(Sftp, TimeSpan.FromMilliseconds(700), TimeSpan.FromMilliseconds(100));
        Assert.That((cost.Flights.TotalMilliseconds, cost.Beyond.TotalMilliseconds), Is.EqualTo((500, 200)));
        Assert.That(cost.Until(3).TotalMilliseconds, Is.EqualTo(700), "two more, on two processors");
        cost = SessionCost.OfLogIn(Sftp, TimeSpan.FromMilliseconds(400), TimeSpan.FromMilliseconds(100));
        Assert.That((cost.Flights.TotalMilliseconds, cost.Beyond), Is.EqualTo((400, TimeSpan.Zero)));
        cost = SessionCost.OfLogIn(Sftp, TimeSpan.FromMilliseconds(400), null);
        Assert.That((cost.Flights.TotalMilliseconds, cost.RoundTrip.TotalMilliseconds), Is.EqualTo((400, 80)));
        Assert.That(cost.OfChannel().Until(9).TotalMilliseconds, Is.EqualTo(160));
    }

    private static SessionCost CostOf(SessionTraits traits, double? roundTrip, double? beyond)
    {
        TimeSpan? trip = roundTrip is { } known ? TimeSpan.FromMilliseconds(known) : null;
        return SessionCost.OfLogIn(traits, trip * traits.LogInRoundTrips + TimeSpan.FromMilliseconds(beyond ?? 0), trip);
    }
}
