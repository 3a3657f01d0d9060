namespace Transfer;

/// <summary>The handling of symbolic links in a folder job.</summary>
public enum LinkHandling
{
    /// <summary>Leaves links out and counts them as skipped.</summary>
    Skip,

    /// <summary>
    /// Makes the links themselves at the target, with unchanged text. A download makes no link that is absolute or leads out of the local
    /// folder: such an item fails with <see cref="TransferError.Denied"/>. Servers without links: <see cref="TransferError.Unsupported"/>.
    /// </summary>
    Copy,

    /// <summary>
    /// Takes the links' targets, within the folder: a link that leads out of the folder fails with <see cref="TransferError.Denied"/>. A
    /// link that leads nowhere, or back to a folder around the link, is skipped.
    /// </summary>
    Follow,
}
