using Transfer.Names;

namespace Transfer.Engine.Trees;

/// <summary>A link that a folder job creates at its target.</summary>
/// <param name="Directory">The directory of the link.</param>
/// <param name="Name">The name at the source.</param>
/// <param name="Text">The text of the link, as read.</param>
/// <param name="Modified">The time to set, or null.</param>
/// <param name="Replace">Whether a file or link of that name is replaced.</param>
/// <param name="TemporaryName">A free name in the directory.</param>
internal sealed record PlannedLink(PlannedDirectory Directory, string Name, string Text, DateTimeOffset? Modified, bool Replace,
    string TemporaryName)
{
    /// <summary>The paths relative to the job's folder.</summary>
    public ItemPath Item => Directory.ItemOf(Name);

    /// <summary>The path at the target of <see cref="TemporaryName"/>.</summary>
    public string TemporaryPath => Directory.PathThere(TemporaryName);
}
