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
}
