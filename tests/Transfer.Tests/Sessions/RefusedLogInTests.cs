using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Tests.Sessions;

/// <summary>Refused credentials are tried once, whatever the order in which openings begin and end.</summary>
public sealed class RefusedLogInTests
{
    private static readonly TransferConnectionException Refused = new(TransferError.Auth, "530 Login incorrect") { ServerCode = 530 };

    [Test]
    public async Task An_opening_between_a_refusal_and_its_record_in_the_pool_does_not_try_the_credentials_again()
    {
        var turns = new ServerLogIns();
        var (tried, openings) = (0, 0);
        var refused = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var record = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var pool = new SessionPool(8, TimeSpan.FromSeconds(30), OpenAsync, _ => false, new RetryOptions(), NullLogger.Instance,
            TimeProvider.System);
        var first = pool.LeaseAsync(CancellationToken.None).AsTask();
        await refused.Task.WaitAsync(Eventually.Hang);

        var second = await Assert.CatchAsync<TransferException>(() =>
            pool.LeaseAsync(CancellationToken.None).AsTask().WaitAsync(Eventually.Hang));
        Assert.That((second!.Error, second.ServerCode, tried), Is.EqualTo((TransferError.Auth, 530, 1)));
        record.SetResult();
        await Assert.CatchAsync<TransferException>(() => first.WaitAsync(Eventually.Hang));

        await Assert.CatchAsync<TransferException>(() => pool.LeaseAsync(CancellationToken.None).AsTask().WaitAsync(Eventually.Hang));
        Assert.That(tried, Is.EqualTo(2), "a request behind the answer is a new try");

        async ValueTask<TransferSession> OpenAsync(Func<WorkKind?> expected, CancellationToken ct)
        {
            var isFirst = Interlocked.Increment(ref openings) == 1;
            try
            {
                return await turns.RunAsync("The log-in", Timeout.InfiniteTimeSpan, TimeProvider.System, LogInAsync, ct);
            }
            finally
            {
                refused.TrySetResult();
                if (isFirst) await record.Task;
            }
        }

        ValueTask<TransferSession> LogInAsync(LogInClock clock) => clock.InTurnAsync<TransferSession>((_, _) =>
        {
            Interlocked.Increment(ref tried);
            throw Refused;
        });
    }

    [TestCase(TransferError.Auth)]
    [TestCase(TransferError.Lost)]
    public async Task Beside_a_refusal_whose_openings_are_not_over_none_begins(TransferError last)
    {
        var test = new PoolHarness(maxSessions: 2);
        var leases = Enumerable.Range(0, 3).Select(_ => test.Lease()).ToArray();
        await test.AttemptsAsync(2);
        test.Fail(0, Refused);
        await Task.WhenAny(leases).WaitAsync(Eventually.Hang);
        test.Fail(1, new TransferConnectionException(last, "the second"));
        foreach (var lease in leases) await Assert.CatchAsync<TransferException>(() => lease.WaitAsync(Eventually.Hang));
        Assert.That(test.Attempts, Is.EqualTo(2), "the third has no opening of its own");
        await test.Pool.DisposeAsync();
    }
}
