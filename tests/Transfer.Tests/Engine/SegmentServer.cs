using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>A <see cref="MemoryStore"/> whose sessions move segments, and that can hold them until so many are at work.</summary>
internal sealed class SegmentServer
{
    private const int Chunk = 64 << 10;

    private readonly TaskCompletionSource _together = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _working;

    public MemoryStore Store { get; } = new();

    /// <summary>Nothing moves until so many items were taken.</summary>
    public int Together { get; init; } = 1;

    /// <summary>So many bytes of a range are asked for at once.</summary>
    public int Window { get; init; } = Chunk;

    /// <summary>Ranges that were moved, attempts that failed included.</summary>
    public List<(long Start, long End)> Ranges { get; } = [];

    /// <summary>Runs before every chunk.</summary>
    public Func<WorkItem, long, Task> BeforeChunk { get; set; } = (_, _) => Task.CompletedTask;

    /// <summary>Nothing comes any more from this byte on.</summary>
    public Func<WorkItem, long, bool> Stalls { get; set; } = (_, _) => false;

    /// <summary>The clients' clock.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    public MemoryTransferClient Client(int sessions) =>
        new(Store, new TransferClientOptions { MaxSessions = sessions, TimeProvider = Time }, open: Open);

    public TransferSession Open(MemoryStore store) => new ScriptedSession(store, RunAsync)
    {
        Adding = features => features with { SegmentedDownloads = true, SegmentedUploads = true },
    };

    private async Task RunAsync(ScriptedSession session, IWorkSource work, CancellationToken abort)
    {
        var items = new WorkItem[1];
        while (session.Usable && await work.TakeAsync(items, abort) > 0) items[0].Complete(await MoveAsync(session, items[0], abort));
        abort.ThrowIfCancellationRequested();
    }

    private async Task<WorkOutcome> MoveAsync(ScriptedSession session, WorkItem item, CancellationToken abort)
    {
        if (Interlocked.Increment(ref _working) == Together) _together.SetResult();
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(abort, item.Canceled);
        var (offset, claimed) = (item.Offset, item.Offset);
        try
        {
            await _together.Task.WaitAsync(stop.Token);
            while (true)
            {
                await BeforeChunk(item, offset);
                stop.Token.ThrowIfCancellationRequested();
                if (session.Broken.IsCompleted || Stalls(item, offset)) throw await session.Broken.WaitAsync(stop.Token);
                var left = (item.Kind == WorkKind.Upload ? item.Content.Length!.Value : Store[item.Path]!.Length) - offset;
                if (offset == claimed) claimed += item.Claim(offset, (int)Math.Min(left, Window));
                var count = (int)Math.Min(claimed - offset, Chunk);
                if (count == 0) break;
                var passed = Store.Faults.Pass(count);
                if (item.Kind == WorkKind.Upload) await WriteAsync(item, offset, passed, stop.Token);
                else await item.Content.WriteAsync(offset, Store[item.Path]!.Content.AsMemory((int)offset, passed), stop.Token);
                item.Report(passed);
                offset += passed;
                if (item.Kind == WorkKind.Upload) item.Confirm(offset);
                if (passed == count) continue;
                session.Lose();
                return new WorkOutcome.InDoubt(false, new TransferConnectionException(TransferError.Lost, "scripted: lost"));
            }
            if (item is { Kind: WorkKind.Upload, IsSegment: false, TemporaryPath: { } temporary })
            {
                if (item.Metadata?.Modified is { } modified) Store.SetModified(temporary, modified);
                Store.Move(temporary, item.Path, item.Replace);
            }
            return new WorkOutcome.Done(offset - item.Offset, VerificationMode.Reply);
        }
        catch (TransferConnectionException e)
        {
            session.Lose();
            return new WorkOutcome.InDoubt(false, e);
        }
        catch (TransferException e)
        {
            return new WorkOutcome.Failed(e);
        }
        catch (OperationCanceledException)
        {
            return new WorkOutcome.Failed(new TransferException(TransferError.Lost, "cancelled"));
        }
        finally
        {
            lock (Ranges) Ranges.Add((item.Offset, offset));
        }
    }

    private async Task WriteAsync(WorkItem item, long offset, int count, CancellationToken ct)
    {
        var buffer = new byte[count];
        for (var read = 0; read < count;)
        {
            var some = await item.Content.ReadAsync(offset + read, buffer.AsMemory(read), ct);
            Assert.That(some, Is.Positive);
            read += some;
        }
        lock (Store)
        {
            var path = item.TemporaryPath ?? item.Path;
            var node = Store[path] ?? Store.CreateFile(path);
            node.Write((int)offset, buffer);
        }
    }
}
