namespace Transfer;

/// <summary>The action done with an item of a folder job.</summary>
public enum ItemAction
{
    /// <summary>A file is sent, or a link made.</summary>
    Transfer,

    /// <summary>The item is left out: see <see cref="JobResult.Skipped"/>.</summary>
    Skip,

    /// <summary>Both sides have the same already.</summary>
    Keep,

    /// <summary>The target has the file under another name, and renames the file.</summary>
    Move,

    /// <summary>The item is deleted at the target.</summary>
    Delete,

    /// <summary>The permissions of the item are changed.</summary>
    ChangeMode,
}
