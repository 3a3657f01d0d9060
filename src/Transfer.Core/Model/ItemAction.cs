namespace Transfer;

/// <summary>What is done with an item of a folder job.</summary>
public enum ItemAction
{
    /// <summary>A file is sent, or a link made.</summary>
    Transfer,

    /// <summary>It is left out: see <see cref="JobResult.Skipped"/>.</summary>
    Skip,

    /// <summary>Both sides have the same already.</summary>
    Keep,

    /// <summary>The target has the file under another name, and renames it.</summary>
    Move,

    /// <summary>It is deleted at the target.</summary>
    Delete,
}
