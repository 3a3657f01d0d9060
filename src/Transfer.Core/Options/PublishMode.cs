namespace Transfer;

/// <summary>How a file appears under its name.</summary>
public enum PublishMode
{
    /// <summary>Written beside its target under a temporary name and renamed when whole and verified: old file or new file, never half.</summary>
    Rename,

    /// <summary>Written under its own name: for drop boxes that allow nothing but storing. An interruption leaves half a file.</summary>
    Direct,
}
