using Transfer.Names;

namespace Transfer.Engine.Trees;

/// <summary>A link that a folder job makes at its target.</summary>
/// <param name="Directory">The directory it is in.</param>
/// <param name="Name">Its name at the source.</param>
/// <param name="Text">Where it leads, as it was read.</param>
/// <param name="Modified">The time to give it, or null.</param>
/// <param name="Replace">A file or link of that name is replaced.</param>
/// <param name="TemporaryName">A name that is free in its directory.</param>
internal sealed record PlannedLink(PlannedDirectory Directory, string Name, string Text, DateTimeOffset? Modified, bool Replace, string TemporaryName)
{
    /// <summary>Its paths relative to the job's folder.</summary>
    public ItemPath Item => Directory.ItemOf(Name);

    /// <summary>The path at the target of <see cref="TemporaryName"/>.</summary>
    public string TemporaryPath => Directory.PathThere(TemporaryName);
}
