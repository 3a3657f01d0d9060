namespace Transfer.Engine.Trees;

/// <summary>The part of a <see cref="TreePass"/> that a session does in one go.</summary>
/// <param name="stage">The kind of work.</param>
/// <param name="folders">The folders to visit or finish.</param>
/// <param name="entries">The entries to handle.</param>
internal sealed class PassUnit(PassStage stage, IReadOnlyList<PassFolder> folders, IReadOnlyList<PassEntry> entries)
{
    /// <summary>The kind of work.</summary>
    public PassStage Stage { get; } = stage;

    /// <summary>The folders to visit or finish.</summary>
    public IReadOnlyList<PassFolder> Folders { get; } = folders;

    /// <summary>The entries to handle.</summary>
    public IReadOnlyList<PassEntry> Entries { get; } = entries;

    /// <summary>The sessions that were lost in the midst of the unit.</summary>
    public int Losses { get; set; }

    /// <summary>Returns two units of one half each; or this one, of which there is no half.</summary>
    public IEnumerable<PassUnit> Halve()
    {
        if (Folders.Count + Entries.Count < 2) return [this];
        var (folders, entries) = ((Folders.Count + 1) / 2, (Entries.Count + 1) / 2);
        return
        [
            new PassUnit(Stage, Part(Folders, 0, folders), Part(Entries, 0, entries)) { Losses = Losses },
            new PassUnit(Stage, Part(Folders, folders, Folders.Count), Part(Entries, entries, Entries.Count)) { Losses = Losses },
        ];
    }

    private static T[] Part<T>(IReadOnlyList<T> list, int start, int end)
    {
        var part = new T[end - start];
        for (var i = 0; i < part.Length; i++) part[i] = list[start + i];
        return part;
    }
}
