using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>
/// Looks at paths for many callers, together: while one look is under way, later callers wait for the next. A folder that has to be
/// listed is listed once for all of them.
/// </summary>
/// <param name="look">Looks at the paths that the argument returns once a session is there, so that all paths added by then go together.
/// One outcome a path, in order.</param>
internal sealed class LookLine(Func<Func<IReadOnlyList<string>>, ValueTask<IReadOnlyList<EntryOutcome>>> look)
{
    private readonly Lock _gate = new();
    private List<(string Path, TaskCompletionSource<EntryOutcome> Answer)> _waiting = [];
    private bool _looks;

    /// <summary>Returns the entry at a path, as seen after this call.</summary>
    /// <param name="path">The path.</param>
    /// <param name="ct">Ends the wait, not the look.</param>
    public Task<EntryOutcome> LookAsync(string path, CancellationToken ct) => LookAsync(path).WaitAsync(ct);

    /// <summary>Returns the entry at a path; null: proved absent.</summary>
    /// <param name="path">The path.</param>
    /// <param name="ct">Ends the wait, not the look.</param>
    /// <exception cref="TransferException">Neither presence nor absence was proved.</exception>
    public async ValueTask<RemoteEntry?> GetAsync(string path, CancellationToken ct)
    {
        var outcome = await LookAsync(path, ct).ConfigureAwait(false);
        return outcome.Error is { } error ? throw error : outcome.Entry;
    }

    private Task<EntryOutcome> LookAsync(string path)
    {
        var answer = new TaskCompletionSource<EntryOutcome>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            _waiting.Add((path, answer));
            if (_looks) return answer.Task;
            _looks = true;
        }
        _ = Task.Run(LookAsync);
        return answer.Task;
    }

    private async Task LookAsync()
    {
        do
        {
            List<(string Path, TaskCompletionSource<EntryOutcome> Answer)> asked = [];
            try
            {
                var outcomes = await look(Take).ConfigureAwait(false);
                for (var i = 0; i < asked.Count; i++) asked[i].Answer.SetResult(outcomes[i]);
            }
            catch (Exception e)
            {
                // The look may have failed before a session was open, and thus before any path was taken.
                Take();
                foreach (var (_, answer) in asked) answer.SetException(e);
            }

            // A second session, after the first was lost, gets the same paths again.
            IReadOnlyList<string> Take()
            {
                lock (_gate)
                {
                    if (asked.Count == 0) (asked, _waiting) = (_waiting, []);
                }
                return [.. asked.Select(item => item.Path)];
            }
        }
        while (GoesOn());
    }

    private bool GoesOn()
    {
        lock (_gate) return _looks = _waiting.Count > 0;
    }
}
