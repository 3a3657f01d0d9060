namespace Transfer;

/// <summary>The handling of an existing target.</summary>
public enum OverwriteMode
{
    /// <summary>Fail with <see cref="TransferError.Exists"/>, as <see cref="File.Copy(string, string)"/> does. Over FTP the check is
    /// racy.</summary>
    Fail,

    /// <summary>Keep the target and count the item as skipped.</summary>
    Skip,

    /// <summary>Replace the target when the source is newer, by the coarser of the two sides' time stamps; else keep the target.</summary>
    Newer,

    /// <summary>Replace the target.</summary>
    Always,
}
