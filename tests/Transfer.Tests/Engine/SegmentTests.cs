using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Scheduling;
using Transfer.Local.Contents;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>One large file over several sessions.</summary>
public sealed class SegmentTests
{
    private const int Length = (9 << 20) + 12_345;

    private readonly byte[] _content = Samples.Bytes(Length);
    private TempFolder _folder = null!;

    private string Local => Path.Join(_folder.Path, "file");

    [SetUp]
    public void CreateFolder() => _folder = new TempFolder();

    [TearDown]
    public void DeleteFolder() => _folder.Dispose();

    [Test]
    public async Task Sessions_upload_a_file_together_and_publish_it_whole()
    {
        var server = new SegmentServer { Together = 4 };
        await using var client = server.Client(4);
        File.WriteAllBytes(Local, _content);
        File.SetLastWriteTimeUtc(Local, Samples.Time.UtcDateTime);
        var (progress, named) = (new Collected<TransferProgress>(), new Collected<string>());
        server.BeforeChunk = (item, _) =>
        {
            named.Report(item.AskedPath);
            return Task.CompletedTask;
        };

        var result = await client.UploadFileAsync(Local, "/dir/file", new() { Segments = 4, CreateDirectories = true }, progress).Soon();

        Assert.That(named.Values, Is.All.EqualTo("/dir/file"), "a segment's errors name the file, and not the temporary one");

        Assert.That(result, Has.Property("Bytes").EqualTo((long)Length).And.Property("Verified").EqualTo(VerificationMode.Size));
        Assert.That(server.Store["/dir/file"]!.Content.AsSpan().SequenceEqual(_content));
        Assert.That(server.Store["/dir/file"]!.Modified, Is.EqualTo(Samples.Time));
        Assert.That(server.Store.Files, Has.Count.EqualTo(1));
        Assert.That(server.Ranges, Has.Count.GreaterThanOrEqualTo(4));
        Assert.That(progress.Values[^1], Has.Property("Bytes").EqualTo((long)Length).And.Property("Files").EqualTo(1));
    }

    [Test]
    public async Task Sessions_download_a_file_together()
    {
        var server = Holding(4);
        await using var client = server.Client(4);

        var result = await client.DownloadFileAsync("/file", Local, new() { Segments = 4 }).Soon();

        Assert.That(result, Has.Property("Bytes").EqualTo((long)Length).And.Property("Verified").EqualTo(VerificationMode.Size));
        Assert.That(File.ReadAllBytes(Local).AsSpan().SequenceEqual(_content));
        Assert.That(File.GetLastWriteTimeUtc(Local), Is.EqualTo(Samples.Time.UtcDateTime));
        Assert.That(Moved(server), Is.EqualTo(Length));
        Assert.That(_folder.Files, Is.EqualTo(new[] { "file" }));
    }

    [Test]
    public async Task Sessions_move_a_file_together_while_another_job_s_files_wait_for_the_one_session_that_it_may_have()
    {
        var server = Holding(1);
        await using var client = server.Client(4);
        var (busy, begun, together, done) =
            (new TaskCompletionSource(), new TaskCompletionSource(), new TaskCompletionSource(), new TaskCompletionSource());
        var parts = new HashSet<long>();
        server.BeforeChunk = (item, _) =>
        {
            if (item.Path != "/file")
            {
                busy.TrySetResult();
                return done.Task;
            }
            lock (parts)
            {
                if (parts.Add(item.Offset) && parts.Count is 3 or 4) (parts.Count == 3 ? begun : together).TrySetResult();
            }
            // The session that has moved the beginning is free to take a part of what the others have not moved yet.
            return item.Offset == 0 ? begun.Task : together.Task;
        };
        string[] names = ["a", "b", "c"];
        foreach (var name in names) server.Store.AddFile($"/{name}", [1, 2, 3], Samples.Time);
        await using var few = client.StartDownloadFiles(
            names.Select(name => new FileDownload($"/{name}", _folder[name])).ToAsyncEnumerable(), new() { Sessions = 1 });
        await busy.Task.Soon();

        await client.DownloadFileAsync("/file", Local, new() { Segments = 3 }).Soon();

        done.SetResult();
        Assert.That((await few.Completion.Soon()).Files, Is.EqualTo(3L));
        Assert.That(File.ReadAllBytes(Local).AsSpan().SequenceEqual(_content));
    }

    [TestCase(TransferError.Unknown, true)]
    [TestCase(TransferError.Quota, false)]
    [TestCase(TransferError.Denied, false)]
    public async Task A_server_that_takes_files_in_order_only_gets_and_gives_them_in_one_piece(TransferError error, bool isDownload)
    {
        var server = Holding(1);
        await using var client = server.Client(4);
        var refused = new TaskCompletionSource();
        server.BeforeChunk = (item, offset) =>
        {
            if (!item.IsSegment || offset != item.Offset) return Task.CompletedTask;
            // Else the first session may have moved the whole file before another one begins.
            if (offset == 0) return refused.Task;
            refused.TrySetResult();
            throw new TransferException(error, "scripted: offsets are refused") { ServerCode = 4 };
        };
        File.WriteAllBytes(Local, _content);
        for (var i = 0; i < 2; i++)
        {
            if (isDownload) await client.DownloadFileAsync("/file", _folder[$"{i}"], new() { Segments = 4 }).Soon();
            else await client.UploadFileAsync(Local, $"/{i}", new() { Segments = 4 }).Soon();
            var arrived = isDownload ? File.ReadAllBytes(_folder[$"{i}"]) : server.Store[$"/{i}"]!.Content;
            Assert.That(arrived.AsSpan().SequenceEqual(_content));
        }
        Assert.That(refused.Task.IsCompleted);
    }

    [TestCase(TransferError.Unsupported)]
    [TestCase(TransferError.Protocol)]
    [TestCase(TransferError.Integrity)]
    public async Task A_server_that_cannot_give_segments_gives_the_file(TransferError error)
    {
        var server = Holding(1);
        await using var client = server.Client(4);
        var progress = new Collected<TransferProgress>();
        server.BeforeChunk = (item, offset) =>
            item.IsSegment && offset > item.Offset ? throw new TransferException(error, "scripted: no ranges") : Task.CompletedTask;

        var result = await client.DownloadFileAsync("/file", Local, new() { Segments = 4 }, progress).Soon();

        Assert.That(File.ReadAllBytes(Local).AsSpan().SequenceEqual(_content));
        Assert.That((result.Bytes, result.Attempts), Is.EqualTo(((long)Length, 2)));
        Assert.That(progress.Values[^1].Bytes, Is.EqualTo((long)Length));
        Assert.That(_folder.Files, Is.EqualTo(new[] { "file" }));
    }

    [TestCase(1)]
    [TestCase(null)]
    public async Task One_segment_when_asked_or_when_nothing_is_gained(int? segments)
    {
        var server = Holding(1);
        await using var client = server.Client(segments is null ? 1 : 4);
        await client.DownloadFileAsync("/file", Local, new() { Segments = segments }).Soon();
        Assert.That(server.Ranges, Is.EqualTo(new[] { (0L, (long)Length) }));
    }

    [Test]
    public async Task A_folder_with_a_large_file_for_every_session_is_not_divided()
    {
        var (server, all) = (new SegmentServer(), new TaskCompletionSource());
        await using var engine = new ClientEngine(
            new Uri("memory://host/"), new() { MaxSessions = 2 }, () => 2, async (_, _) =>
            {
                await all.Task;
                return server.Open(server.Store);
            }, _ => false);
        await using var job = new EngineJob("test", engine, new JobLimits(null, 2), new TransferJobContext());
        await job.RunAsync(async _ =>
        {
            for (var i = 0; i < 6; i++)
            {
                server.Store.AddFile($"/{i}", _content, Samples.Time);
                await job.AddAsync(new JobFile(
                    new FileSpec { Name = $"{i}", Kind = WorkKind.Download, RemotePath = $"/{i}" },
                    new LocalFileSink(_folder[$"{i}"], new LocalFileSinkOptions { Length = Length })));
            }
            all.SetResult();
        }).Soon();
        // Of the last ones only, when a session has nothing else to do.
        Assert.That(server.Ranges.Count(range => range == (0, Length)), Is.GreaterThanOrEqualTo(4));
        foreach (var name in _folder.Files) Assert.That(_folder.Read(name).AsSpan().SequenceEqual(_content));
    }

    [TestCase(null, 2)]
    [TestCase(4, 4)]
    public async Task More_sessions_than_are_usual_are_for_segments_only(int? segments, int expected)
    {
        var server = new SegmentServer { Together = expected };
        await using var engine = new ClientEngine(new Uri("memory://host/"), new() { MaxSessions = 4 }, () => 2,
            (_, _) => new(server.Open(server.Store)), _ => false);
        await using var job = new EngineJob("test", engine, new JobLimits(null, segments), new TransferJobContext());
        var length = segments is null ? 1000 : Length;
        await job.RunAsync(async _ =>
        {
            for (var i = 0; i < (segments is null ? 12 : 1); i++)
            {
                server.Store.AddFile($"/{i}", _content[..length], Samples.Time);
                await job.AddAsync(new JobFile(
                    new FileSpec { Name = $"{i}", Kind = WorkKind.Download, RemotePath = $"/{i}" },
                    new LocalFileSink(_folder[$"{i}"], new LocalFileSinkOptions { Length = length })));
            }
        }).Soon();
        Assert.That(job.Dispatcher.PeakSessions, Is.EqualTo(expected));
        foreach (var name in _folder.Files) Assert.That(_folder.Read(name).AsSpan().SequenceEqual(_content.AsSpan(0, length)));
    }

    [Test]
    public async Task A_download_goes_on_where_a_lost_session_was()
    {
        var server = Holding(3);
        await using var client = server.Client(3);
        server.Store.Faults.CutAtByte(Length / 2);

        var result = await client.DownloadFileAsync("/file", Local, new() { Segments = 3 }).Soon();

        Assert.That(File.ReadAllBytes(Local).AsSpan().SequenceEqual(_content));
        Assert.That(result.Attempts, Is.EqualTo(2));
        Assert.That(Moved(server), Is.InRange(Length, Length + (64 << 10)),
            "Nothing is fetched twice but the end of what had come, which is compared.");
    }

    [Test]
    public async Task A_download_does_not_go_on_with_another_file_of_the_same_length_and_time([Values] bool divided)
    {
        var server = Holding(divided ? 2 : 1);
        await using var client = server.Client(divided ? 2 : 1);
        var swapped = 0;
        server.BeforeChunk = (item, offset) =>
        {
            if (offset - item.Offset < (divided ? 1 << 20 : 5 << 20) || Interlocked.Exchange(ref swapped, 1) != 0)
                return Task.CompletedTask;
            server.Store.AddFile("/file", Samples.Bytes(Length, 2), Samples.Time);
            throw new TransferConnectionException(TransferError.Lost, "scripted: lost");
        };
        var options = new DownloadOptions { Segments = divided ? 2 : 1, Journal = divided ? null : Path.Join(_folder.Path, "journal") };

        var error = await client.DownloadFileAsync("/file", Local, options).Failure<TransferException>();

        Assert.That((swapped, error.Error), Is.EqualTo((1, TransferError.Integrity)));
        Assert.That(File.Exists(Local), Is.False);
    }

    [TestCase(1)]
    [TestCase(3)]
    public async Task What_a_session_stands_still_with_goes_to_one_that_has_nothing_to_do(int times)
    {
        var server = Holding(4);
        await using var client = server.Client(5);
        var left = times;
        server.Stalls = (item, offset) => offset is > 0 and < 1 << 20 && Interlocked.Decrement(ref left) >= 0;

        var result = await client.DownloadFileAsync("/file", Local, new() { Segments = 4 }).Soon();

        Assert.That((result.Bytes, result.Attempts), Is.EqualTo(((long)Length, 1)), "the file is not to blame");
        Assert.That(File.ReadAllBytes(Local).AsSpan().SequenceEqual(_content));
        Assert.That(Moved(server), Is.InRange(Length, Length + times * (64 << 10)), "and nothing came twice but ends that are compared");
        Assert.That(left, Is.LessThanOrEqualTo(0));
    }

    [Test]
    public async Task What_a_session_is_too_slow_with_goes_to_all_that_have_nothing_to_do()
    {
        const int Slow = 8 << 20;
        // It asks for nearly all of the file at once, and gets it at a hundredth of what the others get.
        var server = new SegmentServer { Window = Slow };
        server.Store.AddFile("/file", _content, Samples.Time);
        var slow = new TaskCompletionSource<WorkItem>();
        server.BeforeChunk = (item, offset) => Task.Delay(slow.TrySetResult(item) || slow.Task.Result == item ? 100 : 1);
        await using var engine = new ClientEngine(
            new Uri("memory://host/"), new() { MaxSessions = 4, TimeProvider = new SwiftTime() }, () => 4, async (_, ct) =>
            {
                await Task.Delay(20, ct);
                return server.Open(server.Store);
            }, _ => false);
        await using var job = new EngineJob("test", engine, new JobLimits(null, 4), new TransferJobContext());

        await job.RunAsync(async _ => await job.AddAsync(new JobFile(
            new FileSpec { Name = "file", Kind = WorkKind.Download, RemotePath = "/file" },
            new LocalFileSink(Local, new LocalFileSinkOptions { Length = Length })))).Soon();

        Assert.That(File.ReadAllBytes(Local).AsSpan().SequenceEqual(_content));
        Assert.That(server.Ranges.Where(range => range.Start == 0).Max(range => range.End), Is.LessThan(Slow), "it was given up");
        Assert.That(server.Ranges.Count(range => range.Start is > 0 and < Slow), Is.GreaterThan(1), "and what it had not got divided");
    }

    [Test]
    public async Task An_upload_sends_the_segment_of_a_lost_session_again()
    {
        var server = new SegmentServer { Together = 3 };
        await using var client = server.Client(3);
        File.WriteAllBytes(Local, _content);
        server.Store.Faults.CutAtByte(Length / 2);

        var result = await client.UploadFileAsync(Local, "/file", new() { Segments = 3 }).Soon();

        Assert.That(server.Store["/file"]!.Content.AsSpan().SequenceEqual(_content));
        Assert.That(result.Attempts, Is.EqualTo(2));
        Assert.That(server.Store.Temporaries, Is.Empty);
    }

    [Test]
    public async Task A_segment_that_fails_fails_the_file_and_nothing_stays()
    {
        var server = new SegmentServer { Together = 3 };
        await using var client = server.Client(3);
        File.WriteAllBytes(Local, _content);
        server.BeforeChunk = (item, offset) =>
            offset > item.Offset ? throw new TransferException(TransferError.Quota, "scripted: full") : Task.CompletedTask;

        var error = await client.UploadFileAsync(Local, "/file", new() { Segments = 3 }).Failure<TransferException>();

        Assert.That(error.Error, Is.EqualTo(TransferError.Quota));
        Assert.That(server.Store.Files, Is.Empty);
    }

    [Test]
    public async Task A_failed_download_leaves_the_old_file()
    {
        var server = Holding(3);
        await using var client = server.Client(3);
        File.WriteAllText(Local, "old");
        server.BeforeChunk =
            (item, offset) => offset > item.Offset ? throw new TransferException(TransferError.Denied, "scripted: no") : Task.CompletedTask;

        var error = await client.DownloadFileAsync("/file", Local,
            new() { Segments = 3, Overwrite = OverwriteMode.Always }).Failure<TransferException>();

        Assert.That(error.Error, Is.EqualTo(TransferError.Denied));
        Assert.That(File.ReadAllText(Local), Is.EqualTo("old"));
        Assert.That(_folder.Files, Is.EqualTo(new[] { "file" }));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_file_that_changes_while_it_is_fetched_is_not_put_together_from_both(bool sameLength)
    {
        var server = Holding(2);
        await using var client = server.Client(2);
        var changed = 0;
        server.BeforeChunk = (item, offset) =>
        {
            if (offset > item.Offset && Interlocked.Exchange(ref changed, 1) == 0)
            {
                server.Store.AddFile("/file", Samples.Bytes(sameLength ? Length : Length + 10, 2),
                    sameLength ? Samples.Time.AddMinutes(1) : Samples.Time);
            }

            return Task.CompletedTask;
        };

        var error = await client.DownloadFileAsync("/file", Local, new() { Segments = 2 }).Failure<TransferException>();

        Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(_folder.Files, Is.Empty);
    }

    [Test]
    public async Task A_target_that_appears_meanwhile_is_not_replaced()
    {
        var server = new SegmentServer { Together = 2 };
        await using var client = server.Client(2);
        File.WriteAllBytes(Local, _content);
        server.BeforeChunk = (item, offset) =>
        {
            if (offset > item.Offset) server.Store.AddFile("/file", [1, 2, 3]);
            return Task.CompletedTask;
        };

        var error = await client.UploadFileAsync(Local, "/file", new() { Segments = 2 }).Failure<TransferException>();

        Assert.That(error.Error, Is.EqualTo(TransferError.Exists));
        Assert.That(server.Store.Files, Is.EqualTo(new[] { "/file" }));
        Assert.That(server.Store["/file"]!.Content, Has.Length.EqualTo(3));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_session_that_is_lost_over_the_rename_does_not_lose_the_file(bool renamed)
    {
        var server = new SegmentServer { Together = 2 };
        await using var client = server.Client(2);
        File.WriteAllBytes(Local, _content);
        server.Store.Faults.On("move", new Fault { LoseAfter = renamed, LoseBefore = !renamed });

        await client.UploadFileAsync(Local, "/file", new() { Segments = 2 }).Soon();

        Assert.That(server.Store["/file"]!.Content.AsSpan().SequenceEqual(_content));
        Assert.That(server.Store.Files, Has.Count.EqualTo(1));
    }

    [Test]
    public async Task A_cancelled_upload_leaves_nothing()
    {
        var server = new SegmentServer { Together = 3 };
        await using var client = server.Client(3);
        File.WriteAllBytes(Local, _content);
        using var stop = new CancellationTokenSource();
        server.BeforeChunk = (item, offset) => offset > item.Offset ? stop.CancelAsync() : Task.CompletedTask;

        var error = await client.UploadFileAsync(Local, "/file", new() { Segments = 3 },
            cancellationToken: stop.Token).Failure<OperationCanceledException>();

        Assert.That(error.CancellationToken, Is.EqualTo(stop.Token));
        Assert.That(server.Store.Files, Is.Empty);
    }

    [Test]
    public async Task A_server_that_allows_fewer_sessions_serves_the_file_with_these()
    {
        var server = Holding(1);
        server.Store.SessionLimit = 1;
        await using var client = server.Client(4);
        await client.DownloadFileAsync("/file", Local, new() { Segments = 4 }).Soon();
        Assert.That(File.ReadAllBytes(Local).AsSpan().SequenceEqual(_content));
    }

    private SegmentServer Holding(int together)
    {
        var server = new SegmentServer { Together = together };
        server.Store.AddFile("/file", _content, Samples.Time);
        return server;
    }

    private static long Moved(SegmentServer server) => server.Ranges.Sum(range => range.End - range.Start);
}
