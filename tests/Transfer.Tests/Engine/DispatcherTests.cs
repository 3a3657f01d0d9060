using Transfer.Contents;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Scheduling;
using Transfer.Local;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

public sealed class DispatcherTests
{
    private static readonly WorkOutcome Done = new WorkOutcome.Done(0, VerificationMode.Reply);

    private MemoryStore _store = null!;
    private Task _opening = Task.CompletedTask;
    private RetryOptions _retry = null!;
    private TimeProvider _time = null!;

    [SetUp]
    public void SetUp()
    {
        _store = new MemoryStore();
        _opening = Task.CompletedTask;
        _retry = new RetryOptions { Attempts = 3, FirstDelay = TimeSpan.Zero };
        _time = TimeProvider.System;
    }

    [Test]
    public async Task A_session_gets_a_fair_share_in_order_and_large_or_unknown_files_alone()
    {
        var takes = new List<string>();
        await RunAsync(1, async (_, work, _) =>
        {
            var items = new WorkItem[4];
            int count;
            while ((count = await work.TakeAsync(items, default)) > 0)
            {
                takes.Add(string.Join(' ', items.Take(count).Select(item => item.Path)));
                foreach (var item in items.Take(count)) item.Complete(Done);
            }
        }, [("/a", 1), ("/b", EngineContent.LargeLength), ("/c", EngineContent.LargeLength + 1), ("/d", 1), ("/e", null), ("/f", 1),
            ("/g", 1)]);
        Assert.That(takes, Is.EqualTo(new[] { "/a /b", "/c", "/d", "/e", "/f /g" }));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_temporary_file_that_a_lost_session_could_not_delete_is_deleted_by_another(bool mayBeLeft)
    {
        await RunAsync(1, async (session, work, _) =>
        {
            var items = new WorkItem[1];
            if (await work.TakeAsync(items, default) == 0) return;
            _store.AddFile(items[0].TemporaryPath!, [1]);
            session.Lose();
            items[0].Complete(new WorkOutcome.Failed(new TransferException(TransferError.Quota, "full")) { MayLeaveTemporary = mayBeLeft });
        }, [("/f", 1)]);
        Assert.That(_store.Temporaries, Has.Count.EqualTo(mayBeLeft ? 0 : 1));
    }

    [Test]
    public async Task Several_sessions_share_what_is_left()
    {
        var shares = new List<int>();
        var bothHere = new TaskCompletionSource();
        var here = 0;
        await RunAsync(4, async (_, work, _) =>
        {
            if (Interlocked.Increment(ref here) == 4) bothHere.SetResult();
            await bothHere.Task.Soon();
            var items = new WorkItem[100];
            int count;
            while ((count = await work.TakeAsync(items, default)) > 0)
            {
                lock (shares) shares.Add(count);
                foreach (var item in items.Take(count)) item.Complete(Done);
                await Task.Yield();
            }
        }, [.. Enumerable.Range(0, 100).Select(i => ($"/f{i:D3}", (long?)1))]);
        Assert.That(shares[0], Is.EqualTo(25), "a quarter of all for the first of four");
        Assert.That(shares.Sum(), Is.EqualTo(100));
        Assert.That(shares, Is.All.LessThanOrEqualTo(25));
    }

    [TestCase(null, TransferError.Lost, "no session moved anything of the file.")]
    [TestCase("The server closed the channel.", TransferError.Protocol,
        "no session moved anything of the file: The server closed the channel.")]
    public async Task Untouched_items_come_again_but_not_for_ever(string? reason, TransferError error, string message)
    {
        var taken = 0;
        var why = reason is null ? null : new TransferConnectionException(TransferError.Protocol, reason);
        var result = await RunAsync(1, async (_, work, _) =>
        {
            var items = new WorkItem[1];
            if (await work.TakeAsync(items, default) == 0) return;
            taken++;
            items[0].Complete(new WorkOutcome.Untouched { Reason = why });
        }, [("/a", 1)]);
        Assert.That(taken, Is.EqualTo(1 + ItemVerdict.MaxReturns));
        var failure = result.Failures.Single().Error!;
        Assert.That((failure.Error, failure.Message), Is.EqualTo((error, $"/a: {message}")));
    }

    [Test]
    public async Task Items_in_doubt_are_tried_so_often_as_they_may_under_fresh_names()
    {
        var names = new List<string?>();
        var result = await RunAsync(2, async (session, work, _) =>
        {
            var items = new WorkItem[1];
            if (await work.TakeAsync(items, default) == 0) return;
            names.Add(items[0].TemporaryPath);
            session.Lose();
            items[0].Complete(new WorkOutcome.InDoubt(false, new TransferConnectionException("cut")));
        }, [("/d/a", 1)]);
        Assert.That(names.Distinct().Count(), Is.EqualTo(_retry.Attempts));
        Assert.That(names, Is.All.Match(@"^/d/\.transfer-[0-9a-f]{16}-[0-9]+\.part$"));
        Assert.That((result.Failed, result.Retries), Is.EqualTo((1L, 2)));
    }

    [Test]
    public async Task What_failed_but_may_succeed_waits_longer_each_time()
    {
        _retry = new RetryOptions { Attempts = 4, FirstDelay = TimeSpan.FromSeconds(1), MaxDelay = TimeSpan.FromSeconds(2) };
        var time = new ManualTime();
        _time = time;
        var attempts = new List<TimeSpan>();
        var run = RunAsync(1, async (_, work, _) =>
        {
            var items = new WorkItem[1];
            while (await work.TakeAsync(items, default) > 0)
            {
                lock (attempts) attempts.Add(time.GetElapsedTime(0));
                items[0].Complete(new WorkOutcome.Failed(new TransferException(TransferError.Denied, "busy") { IsTransient = true }));
            }
        }, [("/a", 1)]);
        while (!run.IsCompleted)
        {
            await Task.Delay(1);
            time.Advance(TimeSpan.FromMilliseconds(10));
        }
        Assert.That((await run).Failed, Is.EqualTo(1));
        var waits = attempts.Zip(attempts.Skip(1), (before, after) => (after - before).TotalSeconds).ToList();
        Assert.That(waits, Has.Count.EqualTo(3));
        // At least half of 1, 2 and 2 seconds; how much more depends on how soon a worker comes.
        Assert.That(waits[0], Is.GreaterThanOrEqualTo(0.5));
        Assert.That(waits.Skip(1), Is.All.GreaterThanOrEqualTo(1.0));
    }

    [Test]
    public async Task A_job_retries_no_more_than_its_budget()
    {
        _retry = new RetryOptions { Attempts = 100, FirstDelay = TimeSpan.Zero, Budget = 5 };
        var result = await RunAsync(1, async (_, work, _) =>
        {
            var items = new WorkItem[1];
            while (await work.TakeAsync(items, default) > 0)
                items[0].Complete(new WorkOutcome.Failed(new TransferException(TransferError.Denied, "busy") { IsTransient = true }));
        }, [("/a", 1), ("/b", 1)]);
        Assert.That((result.Failed, result.Retries), Is.EqualTo((2L, 5)));
    }

    [Test]
    public async Task What_a_session_took_and_did_not_complete_is_not_lost()
    {
        var runs = 0;
        var result = await RunAsync(1, async (session, work, abort) =>
        {
            if (++runs > 1)
            {
                await session.RunWellAsync(work, abort);
                return;
            }
            var items = new WorkItem[8];
            await work.TakeAsync(items, default);
            items[1].Complete(Done);
            session.Lose();
            throw new FormatException("a mistake in a provider");
        }, [("/a", 0), ("/b", 0), ("/c", 0)]);
        Assert.That((result.Files, result.Failed, result.Retries), Is.EqualTo((3L, 0L, 2)));
    }

    [Test]
    public async Task Completing_twice_is_a_mistake_that_shows()
    {
        Exception? second = null;
        var result = await RunAsync(1, async (_, work, _) =>
        {
            var items = new WorkItem[1];
            if (await work.TakeAsync(items, default) == 0) return;
            items[0].Complete(Done);
            try
            {
                items[0].Complete(Done);
            }
            catch (InvalidOperationException e)
            {
                second = e;
            }
        }, [("/a", 1)]);
        Assert.That(second, Is.Not.Null);
        Assert.That(result.Files, Is.EqualTo(1));
    }

    [Test]
    public async Task Sessions_that_take_nothing_are_not_opened_for_ever()
    {
        var error = await RunAsync(1, (session, _, _) =>
        {
            session.Lose();
            return Task.CompletedTask;
        }, [("/a", 1), ("/b", 1)]);
        Assert.That(error.Failures.Select(item => item.Error!.Error), Is.EqualTo(new[] { TransferError.Lost, TransferError.Lost }));
        Assert.That(_store.Opened, Is.LessThan(20));
    }

    [Test]
    public async Task Nothing_was_done_when_no_session_could_be_opened_so_the_job_fails()
    {
        for (var i = 1; i <= 20; i++)
            _store.Faults.On("open", new Fault { Refuse = new TransferException(TransferError.Auth, "wrong password") }, nth: i);
        var items = new Collected<ItemResult>();
        var error = await RunAsync(4, (s, w, a) => s.RunWellAsync(w, a), [("/a", 1), ("/b", 1), ("/c", 1)],
            items).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Auth));
        Assert.That(items.Values, Is.Empty);
    }

    [Test]
    public async Task A_worker_that_gets_no_session_leaves_the_work_to_the_others()
    {
        _store.Faults.On("open", new Fault { Refuse = new TransferException(TransferError.Timeout, "no answer") }, nth: 2);
        _store.Faults.On("open", new Fault { Refuse = new TransferException(TransferError.Timeout, "no answer") }, nth: 3);
        var result = await RunAsync(3, (s, w, a) => s.RunWellAsync(w, a), [.. Enumerable.Range(0, 50).Select(i => ($"/f{i}", (long?)0))]);
        Assert.That((result.Files, result.Failed), Is.EqualTo((50L, 0L)));
    }

    [Test]
    public async Task When_the_server_goes_away_in_the_middle_the_rest_fails_item_by_item()
    {
        var result = await RunAsync(1, async (session, work, _) =>
        {
            var items = new WorkItem[1];
            if (await work.TakeAsync(items, default) == 0) return;
            items[0].Complete(Done);
            for (var i = 1; i <= 20; i++) _store.Faults.On("open", Fault.Refusal(TransferError.Lost), nth: i);
            session.Lose();
        }, [("/a", 1), ("/b", 1), ("/c", 1)]);
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 2L)));
        Assert.That(result.Failures.Select(item => item.Error!.Error), Is.All.EqualTo(TransferError.Lost));
    }

    [TestCase(140, 4)]
    [TestCase(1000, 8)]
    public async Task On_a_short_link_more_sessions_are_tried_only_where_the_rest_takes_a_second(int files, int expected)
    {
        const int Together = 20; // in each of five looks a second
        var time = new ManualTime();
        _time = time;
        using var turns = new SemaphoreSlim(0);
        var (sessions, ended) = (0, 0);
        await using var engine = Engine(8, async (_, work, abort) =>
        {
            Interlocked.Increment(ref sessions);
            var items = new WorkItem[1];
            while (await work.TakeAsync(items, default) > 0)
            {
                await turns.WaitAsync(abort);
                items[0].Complete(Done);
            }
        });
        await using var job = new EngineJob("test", engine, default,
            new TransferJobContext(items: new Ended(() => Interlocked.Increment(ref ended))));
        var running = job.RunAsync(async _ =>
        {
            for (var i = 0; i < files; i++) await job.AddAsync(File($"/f{i}", 0));
        });
        await Eventually.TrueAsync(() => Volatile.Read(ref sessions) == 4);
        for (var looks = 1; looks <= 5; looks++)
        {
            turns.Release(Together);
            await Eventually.TrueAsync(() => Volatile.Read(ref ended) == looks * Together);
            time.Advance(SessionRamp.Interval);
        }
        await Eventually.TrueAsync(() => Volatile.Read(ref sessions) == expected);
        turns.Release(files);
        Assert.That((await running.Soon()).Files, Is.EqualTo(files));
        Assert.That(sessions, Is.EqualTo(expected));
    }

    [Test]
    public async Task A_session_makes_room_for_whoever_waits_in_the_line()
    {
        await using var engine = Engine(1, async (_, work, _) =>
        {
            var items = new WorkItem[1];
            while (await work.TakeAsync(items, default) > 0)
            {
                await Task.Yield();
                items[0].Complete(Done);
            }
        });
        await using var job = new EngineJob("test", engine, default, new TransferJobContext());
        var produced = 0;
        using var enough = new CancellationTokenSource();
        var running = job.RunAsync(async ct =>
        {
            // The queue is never empty until somebody else got the session.
            while (!enough.IsCancellationRequested) await job.AddAsync(File($"/f{produced++}", 1));
        });
        await Eventually.TrueAsync(() => job.Dispatcher.Queued > 10);
        var other = await engine.Pool.UseAsync((_, _) => ValueTask.FromResult(42), retry: false, default).Soon();
        enough.Cancel();
        Assert.That(other, Is.EqualTo(42));
        Assert.That((await running.Soon()).Files, Is.EqualTo(produced));
    }

    [Test]
    public async Task Whoever_adds_files_waits_when_the_queue_is_full()
    {
        var go = new TaskCompletionSource();
        await using var engine = Engine(1, async (session, work, abort) =>
        {
            await go.Task;
            await session.RunWellAsync(work, abort);
        });
        await using var job = new EngineJob("test", engine, default, new TransferJobContext());
        var added = 0;
        var running = job.RunAsync(async _ =>
        {
            for (; added < FileLine.Capacity + 100; added++) await job.AddAsync(File($"/f{added}", 0));
        });
        await Eventually.TrueAsync(() => job.Dispatcher.Queued == FileLine.Capacity);
        Assert.That(added, Is.EqualTo(FileLine.Capacity));
        go.SetResult();
        Assert.That((await running.Soon()).Files, Is.EqualTo(FileLine.Capacity + 100));
    }

    private static JobFile File(string path, long? length) =>
        new(new FileSpec { Name = path, Kind = WorkKind.Upload, RemotePath = path }, new FixedContent(length));

    private ClientEngine Engine(int sessions, Func<ScriptedSession, IWorkSource, CancellationToken, Task> run) => new(
        new Uri("memory://host/"), new() { MaxSessions = sessions, Retry = _retry, TimeProvider = _time }, () => sessions,
        async (_, _) =>
        {
            await _opening;
            return _store.Faults.Next("open", "") is { Refuse: { } refusal } ? throw refusal : new ScriptedSession(_store, run);
        },
        _ => false);

    [Test]
    public async Task A_session_that_ends_on_the_cancelling_thread_does_not_keep_the_queue_from_being_dropped()
    {
        using var stop = new CancellationTokenSource();
        var working = new TaskCompletionSource();
        await using var engine = Engine(1, async (session, work, abort) =>
        {
            var items = new WorkItem[1];
            await work.TakeAsync(items, abort);
            // Its continuation runs inside Cancel(), before the callbacks that were registered earlier.
            var cancelled = new TaskCompletionSource();
            await using var registration = abort.Register(cancelled.SetCanceled);
            working.SetResult();
            try
            {
                await cancelled.Task;
            }
            finally
            {
                session.Lose();
                items[0].Complete(new WorkOutcome.InDoubt(false, new TransferConnectionException()));
            }
        });
        await using var job = new EngineJob("test", engine, default, new TransferJobContext(cancellationToken: stop.Token));
        var run = job.RunAsync(async _ =>
        {
            for (var i = 0; i < 20; i++) await job.AddAsync(File($"/f{i}", 1));
        });
        await working.Task.Soon();
        await Task.Run(stop.Cancel).Soon();
        await run.Failure<OperationCanceledException>();
    }

    [TestCase(2, "/large3", "/s0 /s1")]
    [TestCase(4, "/large2", "/large3", "/s0 /s1", "/s2 /s3")]
    public async Task What_one_session_moves_alone_begins_before_small_files_the_longest_first_and_in_half_of_the_sessions(int sessions,
        params string[] expected)
    {
        var takes = new List<string>();
        var allTook = new TaskCompletionSource();
        var result = await RunAsync(sessions, async (_, work, _) =>
        {
            var items = new WorkItem[2];
            int count;
            while ((count = await work.TakeAsync(items, default)) > 0)
            {
                lock (takes)
                {
                    takes.Add(string.Join(' ', items.Take(count).Select(item => item.Path)));
                    if (takes.Count == sessions) allTook.SetResult();
                }
                await allTook.Task.Soon();
                foreach (var item in items.Take(count)) item.Complete(Done);
            }
        }, [.. Enumerable.Range(0, 10).Select(i => ($"/s{i}", (long?)1)),
            .. Enumerable.Range(1, 3).Select(i => ($"/large{i}", (long?)EngineContent.LargeLength + i))]);
        Assert.That(takes.Take(sessions), Is.EquivalentTo(expected));
        Assert.That(result.Files, Is.EqualTo(13));
    }

    [Test]
    public async Task No_more_files_are_taken_than_may_be_open_and_all_arrive()
    {
        var (open, most, files) = (0, 0, new OpenFiles(3));
        Assert.That(files.TryTake(needed: true), Is.True, "another job's");
        await using var engine = Engine(4, async (_, work, _) =>
        {
            var items = new WorkItem[100];
            int count;
            while ((count = await work.TakeAsync(items, default)) > 0)
            {
                lock (files) most = Math.Max(most, open += count);
                await Task.Yield();
                lock (files) open -= count;
                foreach (var item in items.Take(count)) item.Complete(Done);
            }
        });
        await using var job = new EngineJob("test", engine, default, new TransferJobContext());
        job.Dispatcher.OpenFiles = files;
        var result = await job.RunAsync(async _ =>
        {
            for (var i = 0; i < 200; i++) await job.AddAsync(File($"/f{i}", new FileContent(() => { })));
        }).Soon();
        Assert.That((result.Files, result.Failed, most), Is.EqualTo((200L, 0L, 2)));
        Assert.That((files.TryTake(false), files.TryTake(false), files.TryTake(false)), Is.EqualTo((true, true, false)),
            "all were given back");
    }

    [Test]
    public async Task A_job_goes_on_where_others_have_all_places()
    {
        var files = new OpenFiles(1);
        files.TryTake(needed: true);
        await using var engine = Engine(4, (session, work, abort) => CompleteAllAsync(work));
        await using var job = new EngineJob("test", engine, default, new TransferJobContext());
        job.Dispatcher.OpenFiles = files;
        var result = await job.RunAsync(async _ =>
        {
            for (var i = 0; i < 50; i++) await job.AddAsync(File($"/f{i}", new FileContent(() => { })));
        }).Soon();
        Assert.That(result.Files, Is.EqualTo(50));
    }

    [TestCase(true, 2, 1L, 0L)]
    [TestCase(true, 9, 0L, 1L)]
    [TestCase(false, 1, 0L, 1L)]
    public async Task What_can_not_be_opened_now_is_tried_again_where_that_may_pass(bool passes, int times, long files, long failed)
    {
        var (refused, places) = (0, new OpenFiles(1));
        await using var engine = Engine(2, (_, work, _) => CompleteAllAsync(work));
        await using var job = new EngineJob("test", engine, default, new TransferJobContext());
        job.Dispatcher.OpenFiles = places;
        var result = await job.RunAsync(async _ => await job.AddAsync(File("/f", new FileContent(() =>
        {
            if (refused++ < times) throw new TransferException(TransferError.Quota, "too many") { IsTransient = passes };
        })))).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((files, failed)));
        Assert.That(refused, Is.EqualTo(passes ? 3 : 1));
        Assert.That(places.TryTake(false), Is.True);
    }

    [TestCase(1L, long.MaxValue)]
    [TestCase(0L, 10L)]
    public async Task The_hash_of_a_part_is_refused_and_not_weakened(long offset, long end)
    {
        await using var engine = Engine(1, async (_, work, _) => Assert.That(await work.TakeAsync(new WorkItem[1], default), Is.Zero));
        await using var job = new EngineJob("test", engine, default, new TransferJobContext());
        var part = new JobFile(
            new FileSpec
            {
                Name = "f",
                Kind = WorkKind.Download,
                RemotePath = "/f",
                Options = new DownloadOptions { Verify = VerificationMode.Hash },
                Offset = offset,
                End = end
            }, new FixedContent(20));
        var result = await job.RunAsync(async _ => await job.AddAsync(part)).Soon();
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Unsupported));
    }

    private async Task<JobResult> RunAsync(
        int sessions, Func<ScriptedSession, IWorkSource, CancellationToken, Task> run, (string Path, long? Length)[] files,
        IProgress<ItemResult>? items = null)
    {
        await using var engine = Engine(sessions, run);
        await using var job = new EngineJob("test", engine, default, new TransferJobContext(items: items));
        // All in line before the first session is there.
        var all = new TaskCompletionSource();
        _opening = all.Task;
        return await job.RunAsync(async _ =>
        {
            foreach (var (path, length) in files) await job.AddAsync(File(path, length));
            all.SetResult();
        }).Soon();
    }

    private static JobFile File(string path, EngineContent content) =>
        new(new FileSpec { Name = path[1..], Kind = WorkKind.Upload, RemotePath = path }, content);

    private static async Task CompleteAllAsync(IWorkSource work)
    {
        var items = new WorkItem[100];
        int count;
        while ((count = await work.TakeAsync(items, default)) > 0)
        {
            foreach (var item in items.Take(count)) item.Complete(Done);
            await Task.Yield();
        }
    }

    private sealed class Ended(Action one) : IProgress<ItemResult>
    {
        public void Report(ItemResult value) => one();
    }

    private sealed class FileContent(Action prepare) : EngineContent
    {
        public override long? Length => 0;

        public override bool CanReplay => true;

        public override bool OpensFile => true;

        public override void Prepare() => prepare();
    }
}
