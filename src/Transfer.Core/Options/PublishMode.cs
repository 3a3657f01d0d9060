namespace Transfer;

/// <summary>The way in which a file appears under its name.</summary>
public enum PublishMode
{
    /// <summary>
    /// Written beside the target under a temporary name and renamed when complete and verified: old file or new file, never half.
    /// </summary>
    Rename,

    /// <summary>Written under the final name: for drop boxes that allow only storing. An interruption leaves half a file.</summary>
    Direct,
}
