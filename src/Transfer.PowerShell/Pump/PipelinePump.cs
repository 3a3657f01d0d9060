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
    public T Ask<T>(Func<T> question)
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
        return answer.Task.GetAwaiter().GetResult();
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
        _work.CompleteAdding();
        _work.Dispose();
    }
}
