using Transfer.Journal;

namespace Transfer.Tests.Engine.Journal;

/// <summary>Two runs of one job.</summary>
public sealed class JobLockTests
{
    private readonly TempFolder _folder = new();

    private string Path => _folder["jobs/a.lock"];

    [OneTimeTearDown]
    public void TearDown() => _folder.Dispose();

    [Test]
    public async Task The_second_run_is_refused_at_once_and_told_whose_the_job_is()
    {
        using (await TakeAsync())
        {
            var error = await TakeAsync().Failure<TransferException>();
            Assert.That((error.Error, error.IsTransient), Is.EqualTo((TransferError.Exists, true)));
            Assert.That(error.Message,
                Does.Contain($"process {Environment.ProcessId}, since 2").And.Contain("sync /a to ftp://h/b").And.Contain("--wait"));
        }
        (await TakeAsync()).Dispose();
    }

    [Test]
    public async Task Nothing_stays_of_it()
    {
        (await TakeAsync()).Dispose();
        Assert.That(Directory.GetFiles(_folder["jobs"]), Is.Empty);
    }

    [Test]
    public async Task What_a_killed_run_has_left_is_in_nobodys_way()
    {
        _folder.Add("jobs/a.lock", []);
        _folder.Add("jobs/a.lock.run", [1]);
        (await TakeAsync()).Dispose();
        Assert.That(Directory.GetFiles(_folder["jobs"]), Is.Empty);
    }

    [Test]
    public async Task It_waits_for_the_other_run_as_long_as_it_may()
    {
        var time = new ManualTime();
        var first = await TakeAsync();
        var second = TakeAsync(TimeSpan.FromSeconds(10), time);
        await Eventually.TrueAsync(() => time.ArmedTimers == 1);
        Assert.That(second.IsCompleted, Is.False);
        first.Dispose();
        time.Advance(TimeSpan.FromSeconds(1));
        (await second.Soon()).Dispose();
    }

    [Test]
    public async Task When_the_time_is_over_it_says_so()
    {
        var time = new ManualTime();
        using var first = await TakeAsync();
        var second = TakeAsync(TimeSpan.FromSeconds(1), time);
        await Eventually.TrueAsync(() => time.ArmedTimers == 1);
        time.Advance(TimeSpan.FromSeconds(2));
        Assert.That((await second.Failure<TransferException>()).Message, Does.Contain("did not end within 1 s"));
    }

    [Test]
    public async Task A_run_that_waits_can_be_cancelled()
    {
        using var first = await TakeAsync();
        using var cancel = new CancellationTokenSource();
        var second = JobLock.TakeAsync(new JobLockSettings(Path, TimeSpan.FromHours(1)), "job", TimeProvider.System, cancel.Token).AsTask();
        await cancel.CancelAsync();
        await second.Failure<OperationCanceledException>();
    }

    [Test]
    public async Task Of_many_that_begin_at_once_one_at_a_time_has_it()
    {
        var inside = 0;
        await Parallel.ForAsync(0, 40, new ParallelOptions { MaxDegreeOfParallelism = 8 }, async (_, _) =>
        {
            using var taken = await JobLock.TakeAsync(new JobLockSettings(_folder["many/b.lock"], TimeSpan.FromMinutes(1)), "job",
                new SwiftTime(), CancellationToken.None);
            Assert.That(Interlocked.Increment(ref inside), Is.EqualTo(1));
            await Task.Yield();
            Interlocked.Decrement(ref inside);
        });
    }

    private Task<JobLock> TakeAsync(TimeSpan wait = default, TimeProvider? time = null) =>
        JobLock.TakeAsync(new JobLockSettings(Path, wait), "sync /a to ftp://h/b", time ?? TimeProvider.System,
            CancellationToken.None).AsTask();
}
