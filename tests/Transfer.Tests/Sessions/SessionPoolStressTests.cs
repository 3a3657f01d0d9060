using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Tests.Sessions;

/// <summary>Many callers, a moody server: nobody hangs, nothing leaks, and there are never too many.</summary>
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed class SessionPoolStressTests
{
    private const int Callers = 24;
    private const int Rounds = 25;

    [Test]
    public async Task Whatever_happens_every_lease_ends_and_every_session_is_closed(
        [Range(1, 5)] int seed, [Values(1, 3, 8)] int maxSessions)
    {
        var server = new Server(seed, allowed: 1 + seed % 5);
        var lifetime = TimeSpan.FromMilliseconds(seed % 3);
        var pool = new SessionPool(maxSessions, lifetime, (_, ct) => server.OpenAsync(ct), e => e.ServerCode == 421,
            Samples.SoonAgain, NullLogger.Instance, TimeProvider.System);

        var callers = Enumerable.Range(0, Callers).Select(i => Task.Run(() => CallAsync(pool, new Random(seed * 1000 + i)))).ToArray();
        await Task.WhenAll(callers).WaitAsync(Eventually.Hang);
        Assert.That(pool.WaitingCount, Is.Zero);

        await pool.DisposeAsync().AsTask().WaitAsync(Eventually.Hang);
        Assert.That(server.Alive, Is.Zero, "left open");
        Assert.That(pool.Open, Is.Zero);
        Assert.That(server.Peak, Is.InRange(1, maxSessions), "at once, those being opened and closed included");
        Assert.That(callers.Sum(c => c.Result), Is.GreaterThan(0), "some were served");
    }

    [Test]
    public async Task Disposed_under_load_it_ends_every_wait_and_closes_everything([Range(1, 10)] int seed)
    {
        var server = new Server(seed, allowed: 4);
        var pool = new SessionPool(4, TimeSpan.FromMilliseconds(1), (_, ct) => server.OpenAsync(ct), e => e.ServerCode == 421,
            Samples.SoonAgain, NullLogger.Instance, TimeProvider.System);
        var callers = Enumerable.Range(0, Callers).Select(i => Task.Run(() => CallAsync(pool, new Random(seed * 1000 + i)))).ToArray();
        await Task.Delay(seed % 7);

        await pool.DisposeAsync().AsTask().WaitAsync(Eventually.Hang);
        await Task.WhenAll(callers).WaitAsync(Eventually.Hang);
        await Eventually.TrueAsync(() => server.Alive == 0, "all is closed");
        Assert.That(server.Peak, Is.LessThanOrEqualTo(4));
    }

    private static async Task<int> CallAsync(SessionPool pool, Random random)
    {
        var served = 0;
        for (var round = 0; round < Rounds; round++)
        {
            using var stop = new CancellationTokenSource();
            if (random.Next(4) == 0) stop.CancelAfter(TimeSpan.FromMilliseconds(random.Next(3)));
            try
            {
                await using var lease = await pool.LeaseAsync(stop.Token);
                var session = (PoolSession)lease.Session;
                Assert.That(session.Disposed, Is.False, "lent after it was closed");
                session.Enter();
                served++;
                await PauseAsync(random);
                session.Leave();
                session.Broken = random.Next(6) == 0;
            }
            catch (OperationCanceledException e)
            {
                Assert.That(e.CancellationToken, Is.EqualTo(stop.Token));
            }
            catch (TransferException)
            {
                // The server was moody; the next round asks again.
            }
            catch (ObjectDisposedException)
            {
                return served;
            }
        }
        return served;
    }

    private static async Task PauseAsync(Random random)
    {
        switch (random.Next(4))
        {
            case 0:
                break;
            case 1:
                await Task.Delay(1);
                break;
            default:
                for (var i = random.Next(20); i > 0; i--) await Task.Yield();
                break;
        }
    }

    /// <summary>Counts a session from the moment its opening begins until it is closed, as a server would.</summary>
    private sealed class Server(int seed, int allowed)
    {
        private readonly Lock _gate = new();
        private readonly Random _random = new(seed);

        public int Alive { get; private set; }

        public int Peak { get; private set; }

        public async ValueTask<TransferSession> OpenAsync(CancellationToken ct)
        {
            Random mine;
            bool tooMany;
            lock (_gate)
            {
                mine = new Random(_random.Next());
                Peak = Math.Max(Peak, ++Alive);
                tooMany = Alive > allowed;
            }
            try
            {
                await PauseAsync(mine);
                ct.ThrowIfCancellationRequested();
                if (tooMany) throw PoolHarness.Refusal;
                return mine.Next(10) switch
                {
                    0 => throw new TransferConnectionException("reset"),
                    1 => throw PoolHarness.Refusal,
                    _ => new PoolSession(Gone) { Closing = PauseAsync(mine), Broken = mine.Next(30) == 0 },
                };
            }
            catch
            {
                Gone();
                throw;
            }
        }

        private void Gone()
        {
            lock (_gate) Alive--;
        }
    }
}
