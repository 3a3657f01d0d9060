using System.Collections.Concurrent;

namespace Transfer.Wan.Link.Tun;

/// <summary>
/// A network namespace without a name: a thread of this process lives in it, and it goes with the thread and what was started there.
/// Sockets made and
/// programs started by <see cref="Inside"/> are in it, for a socket stays where it was made and a child begins where its parent's thread
/// is.
/// </summary>
internal sealed class NetworkNamespace : IDisposable
{
    private readonly BlockingCollection<Action> _work = [];
    private readonly Thread _thread;

    private NetworkNamespace(string name, TaskCompletionSource entered)
    {
        _thread = new Thread(() => Live(entered)) { IsBackground = true, Name = name };
        _thread.Start();
    }

    /// <summary>A path that leads to it while it is there.</summary>
    public string Path => Inside(() => $"/proc/{Environment.ProcessId}/task/{LibC.ThreadId()}/ns/net");

    public static NetworkNamespace Create(string name)
    {
        var entered = new TaskCompletionSource();
        var made = new NetworkNamespace(name, entered);
        entered.Task.GetAwaiter().GetResult();
        return made;
    }

    /// <summary>Calls a function on the namespace's thread and waits for what it gives.</summary>
    public T Inside<T>(Func<T> make)
    {
        var made = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        _work.Add(() =>
        {
            try
            {
                made.SetResult(make());
            }
            catch (Exception error)
            {
                // It belongs to who asked, on another thread.
                made.SetException(error);
            }
        });
        return made.Task.GetAwaiter().GetResult();
    }

    /// <inheritdoc cref="Inside{T}"/>
    public void Inside(Action act) => Inside(() =>
    {
        act();
        return true;
    });

    /// <summary>Sets one of the namespace's own parameters: <c>net/ipv4/tcp_no_metrics_save</c>.</summary>
    public void Tune(string parameter, string value) => Inside(() => File.WriteAllText("/proc/sys/" + parameter, value));

    public string Parameter(string parameter) => Inside(() => File.ReadAllText("/proc/sys/" + parameter).Trim());

    public void Dispose()
    {
        _work.CompleteAdding();
        _thread.Join();
        _work.Dispose();
    }

    private void Live(TaskCompletionSource entered)
    {
        try
        {
            LibC.ThrowIfFailed(LibC.Unshare(LibC.NewNetwork), "unshare");
        }
        catch (Exception error)
        {
            // Thrown where the namespace is made.
            entered.SetException(error);
            return;
        }

        entered.SetResult();
        foreach (var act in _work.GetConsumingEnumerable()) act();
    }
}
