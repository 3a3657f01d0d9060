using System.Collections.Concurrent;
using System.Management.Automation;

namespace Transfer.PowerShell.Pump;

/// <summary>
/// Carries calls of other threads to the pipeline's thread, the only one on which a cmdlet may write. Posts never wait: posts after the
/// end are dropped.
/// </summary>
internal sealed class PipelinePump : IDisposable
{
    private readonly BlockingCollection<Action> _work = [];
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Has something run on the pipeline's thread. Thread-safe.</summary>
    public void Post(Action action)
    {
        try
        {
            _work.Add(action);
        }
        catch (Exception e) when (e is ObjectDisposedException or InvalidOperationException)
        {
            // The cmdlet has ended: the output has no reader.
        }
    }

    /// <summary>Runs a question on the pipeline's thread, and waits for the answer. Called from other threads.</summary>
    /// <param name="question">Prompts the user.</param>
    /// <param name="unanswered">The answer once the command has ended: a connection may outlive the command that made it.</param>
    public T Ask<T>(Func<T> question, T unanswered)
    {
        var answer = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        Post(() =>
        {
            try
            {
                answer.SetResult(question());
            }
            catch (Exception e)
            {
                answer.SetException(e);
                // The pipeline's own end is not only the answer.
                if (e is PipelineStoppedException) throw;
            }
        });
        Task.WaitAny(answer.Task, _ended.Task);
        return answer.Task.IsCompleted ? answer.Task.GetAwaiter().GetResult() : unanswered;
    }

    /// <summary>Runs posts until a task has ended, and then the rest. An exception of the task is not thrown here.</summary>
    public void Run(Task task)
    {
        _ = task.ContinueWith(_ => Post(static () => { }), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
        while (!task.IsCompleted) _work.Take()();
        Drain();
    }

    /// <summary>Runs the posts that are present.</summary>
    public void Drain()
    {
        while (_work.TryTake(out var action)) action();
    }

    public void Dispose()
    {
        _ended.SetResult();
        _work.CompleteAdding();
        _work.Dispose();
    }
}
