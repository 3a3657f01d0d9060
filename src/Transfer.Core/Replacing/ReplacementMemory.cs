using System.Collections.Concurrent;

namespace Transfer.Replacing;

/// <summary>
/// The proved facts about renames at one server, for one user, by folder: one locked file or one drop box condemns no other folder.
/// Thread-safe, bounded.
/// </summary>
public sealed class ReplacementMemory
{
    private const int MostFolders = 10_000;

    // A virus scanner may hold a temporary file for a moment: one refused rename proves nothing about the next.
    private const int ProofsOfNoRename = 2;

    private readonly ConcurrentDictionary<string, Entry> _folders = new(StringComparer.Ordinal);

    /// <summary>Returns the known facts about the folder of a path.</summary>
    public ReplacementKnowledge Of(string path) =>
        _folders.TryGetValue(FolderOf(path), out var entry) ? entry.Knowledge : ReplacementKnowledge.None;

    /// <summary>Adds the lesson of a replacement about the folder of its target.</summary>
    /// <param name="path">The target.</param>
    /// <param name="lesson">The lesson.</param>
    public void Learn(string path, ReplacementLesson lesson)
    {
        var folder = FolderOf(path);
        switch (lesson)
        {
            case ReplacementLesson.Renamed:
                // Almost always no change is needed.
                if (_folders.TryGetValue(folder, out var known) && known is { Refusals: > 0 }
                    or { Knowledge: ReplacementKnowledge.NoRename })
                {
                    _folders.TryRemove(folder, out _);
                }

                break;
            case ReplacementLesson.NeedsAside:
                Set(folder, _ => new(ReplacementKnowledge.NeedsAside, 0));
                break;
            case ReplacementLesson.NoRenameCommand:
                Set(folder, _ => new(ReplacementKnowledge.NoRename, ProofsOfNoRename));
                break;
            case ReplacementLesson.TemporaryNotRenamed:
                Set(folder,
                    before =>
                    before.Refusals + 1 >= ProofsOfNoRename
                    ? new(ReplacementKnowledge.NoRename, ProofsOfNoRename) : before with { Refusals = before.Refusals + 1 });
                break;
        }
    }

    private void Set(string folder, Func<Entry, Entry> next)
    {
        if (_folders.Count >= MostFolders) _folders.Clear();
        _folders.AddOrUpdate(folder, _ => next(default), (_, before) => next(before));
    }

    private static string FolderOf(string path) => RemotePath.GetParent(path) ?? "/";

    private readonly record struct Entry(ReplacementKnowledge Knowledge, int Refusals);
}
