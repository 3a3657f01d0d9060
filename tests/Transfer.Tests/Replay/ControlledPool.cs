using System.Collections.Concurrent;
using System.Reflection;

namespace Transfer.Tests.Replay;

/// <summary>
/// The runtime's thread pool, taken over for the rest of the process: its only worker sleeps for ever, and the work that is queued to the
/// pool is handed out here. Continuations behind <c>ConfigureAwait(false)</c>, <c>Task.Run</c>, <c>Task.Yield</c> and the runtime's own
/// work (pipes, channels, files) all pass through that queue. The names of the runtime's fields are its own: a runtime without them fails
/// in <see cref="Take"/>.
/// </summary>
internal sealed class ControlledPool
{
    private const BindingFlags Any = BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.Static | BindingFlags.Instance;

    // The pool's own order: callbacks of real timers first.
    private static readonly string[] QueueNames = ["highPriorityWorkItems", "workItems"];

    private readonly ConcurrentQueue<object>[] _queues;
    private readonly Action<Task, Thread?> _executeTask;
    private readonly ExecutionContext _context;

    private ControlledPool()
    {
        var pool = typeof(ThreadPool).GetField("s_workQueue", Any)?.GetValue(null) ?? throw Missing("ThreadPool.s_workQueue");
        _queues = [.. QueueNames.Select(QueueOf)];
        var execute = typeof(Task).GetMethod("ExecuteFromThreadPool", Any) ?? throw Missing("Task.ExecuteFromThreadPool");
        _executeTask = execute.CreateDelegate<Action<Task, Thread?>>();
        _context = ExecutionContext.Capture() ?? throw new InvalidOperationException("The flow of the execution context is suppressed.");

        ConcurrentQueue<object> QueueOf(string name) =>
            (ConcurrentQueue<object>)(pool.GetType().GetField(name, Any)?.GetValue(pool) ?? throw Missing(name));
    }

    /// <summary>Takes the pool over, on the thread that will run its work.</summary>
    public static ControlledPool Take()
    {
        if (Thread.CurrentThread.IsThreadPoolThread) throw new InvalidOperationException("A worker of the pool has a queue of its own.");
        if (!ThreadPool.SetMinThreads(1, 1) || !ThreadPool.SetMaxThreads(1, 1))
            throw new InvalidOperationException("The pool does not do with one worker.");
        using var asleep = new ManualResetEventSlim();
        ThreadPool.UnsafeQueueUserWorkItem(
            static asleep =>
            {
                asleep.Set();
                Thread.Sleep(Timeout.Infinite);
            },
            asleep,
            preferLocal: false);
        asleep.Wait();
        if (ThreadPool.ThreadCount != 1) throw new InvalidOperationException($"The pool has {ThreadPool.ThreadCount} workers.");
        return new ControlledPool();
    }

    /// <summary>The next work that is queued; null: none is.</summary>
    public object? Next()
    {
        foreach (var queue in _queues)
        {
            if (queue.TryDequeue(out var work)) return work;
        }
        return null;
    }

    /// <summary>Runs one piece of work on this thread, as a worker would.</summary>
    public void Execute(object work)
    {
        try
        {
            if (work is Task task) _executeTask(task, null);
            else ((IThreadPoolWorkItem)work).Execute();
        }
        finally
        {
            ExecutionContext.Restore(_context);
        }
    }

    private static MissingMemberException Missing(string name) =>
        new($"This runtime ({Environment.Version}) has no {name}: its pool can't be controlled.");
}
