namespace Transfer;

/// <summary>What to do when the target exists.</summary>
public enum OverwriteMode
{
    /// <summary>Fail with <see cref="TransferError.Exists"/>, as <see cref="File.Copy(string, string)"/> does. Over FTP the check is racy.</summary>
    Fail,

    /// <summary>Leave it and count the item as skipped.</summary>
    Skip,

    /// <summary>Replace it when the source is newer, by the coarser of the two sides' time stamps; else leave it.</summary>
    Newer,

    /// <summary>Replace it.</summary>
    Always,
}
