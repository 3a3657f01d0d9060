using Transfer.Sessions;

namespace Transfer.Replacing;

/// <summary>The result of a look at one name.</summary>
/// <param name="State">The state of the name.</param>
/// <param name="Length">The file's length in bytes, where known.</param>
/// <param name="Modified">The file's modification time, where known.</param>
public readonly record struct NameSight(NameState State, long? Length = null, DateTimeOffset? Modified = null)
{
    /// <summary>The sight of a free name.</summary>
    public static NameSight Absent { get; } = new(NameState.Absent);

    /// <summary>Returns the sight of a look.</summary>
    public static NameSight Of(EntryOutcome look) => look.Error is null ? Of(look.Entry) : default;

    /// <summary>Returns the sight of an entry; null: the look proved the name free.</summary>
    public static NameSight Of(RemoteEntry? entry) => entry switch
    {
        null => Absent,
        { Type: RemoteEntryType.Directory } => new(NameState.Directory),
        _ => new(NameState.File, entry.Length, entry.Modified),
    };
}
