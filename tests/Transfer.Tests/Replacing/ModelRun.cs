using Transfer.Engine.Cleaning;
using Transfer.Replacing;

namespace Transfer.Tests.Replacing;

/// <summary>
/// One process that puts a file in place at a <see cref="ModelServer"/>: sessions that are lost, a journal that outlives it, and perhaps a
/// kill between two steps.
/// </summary>
internal sealed class ModelRun(ModelServer server, Dictionary<string, string> journal, ReplacementMemory memory, string run) : IAsideLog
{
    private const int MostSessions = 6;

    private readonly Dictionary<string, string> _asides = [];
    private readonly Dictionary<string, string> _seconds = [];
    private int _names;

    /// <summary>The process is killed in front of so many more steps; below zero: never.</summary>
    public int KilledIn { get; set; } = -1;

    /// <summary>What the caller was told last; null: success, or a kill.</summary>
    public TransferException? Error { get; private set; }

    public bool IsKilled { get; private set; }

    public List<string> Log { get; } = [];

    public string? AsideOf(string path) => $"{path}.transfer-{run}-{++_names}.old";

    public string TemporaryBeside(string path) =>
        _seconds[path] = $"{RemotePath.GetParent(path)!.TrimEnd('/')}/.transfer-{run}-{++_names}.part";

    public RenamingTrace Trace(string from, string to) =>
        new(_asides.GetValueOrDefault(to), _asides.GetValueOrDefault(from), _seconds.GetValueOrDefault(to));

    public void Began(string path, string aside) => (journal[aside], _asides[path]) = (path, aside);

    public void Ended(string path, string aside)
    {
        journal.Remove(aside);
        if (_asides.GetValueOrDefault(path) == aside) _asides.Remove(path);
    }

    /// <summary>Renames as the engine does it: over a new session, in doubt, whenever one is lost. True: done.</summary>
    public bool Rename(Renaming renaming)
    {
        renaming = renaming with { Asides = this };
        for (var session = 0; session < MostSessions; session++)
        {
            var asked = session == 0
                ? renaming : renaming with { InDoubt = true, TargetSeen = null, Trace = Trace(renaming.From, renaming.To) };
            var replacement = new Replacement(asked, memory.Of(renaming.To));
            if (!Drive(replacement))
            {
                if (IsKilled) return false;
                continue;
            }
            memory.Learn(renaming.To, replacement.Lesson);
            foreach (var (original, aside) in replacement.EndedAsides) Ended(original, aside);
            var result = replacement.Result!;
            Error = result.Error;
            Log.Add($"= {result}");
            if (result.Discard is { } temporary) server.Delete(temporary);
            return result.IsDone;
        }
        Error = new TransferConnectionException("No session came to it.");
        return false;
    }

    // False: the session was lost, or the process killed.
    private bool Drive(Replacement replacement)
    {
        while (replacement.Result is null)
        {
            if (KilledIn-- == 0)
            {
                IsKilled = true;
                return false;
            }
            Log.Add(string.Join(", ", replacement.Next));
            switch (replacement.Next)
            {
                case [ReplacementStep.Look look]:
                    var sights = look.Paths.Select(server.Look).ToList();
                    if (sights.Contains(null)) return false;
                    replacement.Take([.. sights.Select(sight => sight!.Value)]);
                    break;
                case [ReplacementStep.Wait]:
                    server.Pass();
                    replacement.Waited();
                    break;
                case [ReplacementStep.Delete delete]:
                    var (isLost, error) = server.Delete(delete.Path);
                    if (isLost) return false;
                    replacement.Take(error);
                    break;
                default:
                    ReplacementStep.Rename[] renames = [.. replacement.Next.Cast<ReplacementStep.Rename>()];
                    ReplacementDriver.Record(renames, this);
                    var replies = server.Rename(renames);
                    if (replies.Contains(null)) return false;
                    replacement.Take([.. replies.Select(reply => reply!.Value)]);
                    break;
            }
        }
        return true;
    }

    /// <summary>The beginning of a run: what the journal says to be aside is put back, or goes.</summary>
    public void Recover()
    {
        foreach (var (aside, path) in journal.ToArray())
        {
            switch (AsideRecovery.Decide(server.Sight(path).State, server.Sight(aside).State))
            {
                case AsideFate.Forget:
                    journal.Remove(aside);
                    break;
                case AsideFate.PutBack:
                    if (server.Rename([new ReplacementStep.Rename(aside, path)])[0] is { IsDone: true }) journal.Remove(aside);
                    break;
                case AsideFate.Delete:
                    if (server.Delete(aside) is (false, null)) journal.Remove(aside);
                    break;
            }
        }
    }
}
