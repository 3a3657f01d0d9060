using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>
/// Looks at paths for many callers, together: while one look is under way, later callers wait for the next. A folder that has to be
/// listed is listed once for all of them.
/// </summary>
/// <param name="lend">Lends a session to a row of looks; once more where the session was lost.</param>
internal sealed class LookLine(Func<LookLine.Row, ValueTask<int>> lend)
{
    // Looks that follow one another on one session. Between two of them other work would have the session, and the paths that came
    // meanwhile would wait until that work ends; without a limit, work that waits for the session would never have it.
    private const int MostInARow = 4;

    private readonly Lock _gate = new();
    private List<(string Path, TaskCompletionSource<EntryOutcome> Answer)> _waiting = [];
    private bool _looks;

    /// <summary>Looks at paths on a session; one outcome a path, in order.</summary>
    public delegate ValueTask<IReadOnlyList<EntryOutcome>> Look(IReadOnlyList<string> paths);

    /// <summary>Looks while there are paths to look at, and returns how many looks that took.</summary>
    public delegate ValueTask<int> Row(Look look);

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
            var answerLast = static () => { };
            try
            {
                await lend(LookInARowAsync).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                // Without any session, nothing was taken yet.
                if (asked.Count == 0) asked = Take();
                foreach (var (_, answer) in asked) answer.SetException(e);
            }
            answerLast();

            async ValueTask<int> LookInARowAsync(Look look)
            {
                var looks = 0;
                for (; looks < MostInARow; looks++)
                {
                    // The same ones again on a second session, where the first was lost.
                    if (asked.Count == 0) asked = Take();
                    if (asked.Count == 0) break;
                    var outcomes = await look([.. asked.Select(item => item.Path)]).ConfigureAwait(false);
                    var answered = asked;
                    asked = [];
                    if (looks < MostInARow - 1 && HasWaiting)
                    {
                        Answer(answered, outcomes);
                        continue;
                    }
                    // Behind the return of the session: callers that go on before that find none free, and open another.
                    answerLast += () => Answer(answered, outcomes);
                    return looks + 1;
                }
                return looks;
            }
        }
        while (GoesOn());
    }

    private static void Answer(List<(string Path, TaskCompletionSource<EntryOutcome> Answer)> asked, IReadOnlyList<EntryOutcome> outcomes)
    {
        for (var i = 0; i < asked.Count; i++) asked[i].Answer.SetResult(outcomes[i]);
    }

    private bool HasWaiting
    {
        get { lock (_gate) return _waiting.Count > 0; }
    }

    private List<(string Path, TaskCompletionSource<EntryOutcome> Answer)> Take()
    {
        lock (_gate)
        {
            var taken = _waiting;
            _waiting = [];
            return taken;
        }
    }

    private bool GoesOn()
    {
        lock (_gate) return _looks = _waiting.Count > 0;
    }
}
