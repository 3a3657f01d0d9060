namespace Transfer;

/// <summary>The reason for which an item of a job is left out.</summary>
public enum SkipReason
{
    /// <summary>The target exists, and is not to be replaced (<see cref="OverwriteMode.Skip"/>).</summary>
    Exists,

    /// <summary>The target is as new as the source, or newer (<see cref="OverwriteMode.Newer"/>).</summary>
    NotNewer,

    /// <summary>An earlier run of the job has moved the file (<see cref="TransferOptions.Resume"/>).</summary>
    Finished,

    /// <summary>A symbolic link, where links are left out (<see cref="LinkHandling.Skip"/>).</summary>
    Link,

    /// <summary>A symbolic link that leads nowhere, out of the folder, or back to a folder that holds the link.</summary>
    LinkTarget,

    /// <summary>Neither a file, a folder nor a link: a device, a pipe or a socket, for example.</summary>
    Special,

    /// <summary>A folder of this SDK's own: temporary files of a job, or backups.</summary>
    Reserved,
}
