namespace Transfer;

/// <summary>What a folder job does with the symbolic links that it finds.</summary>
public enum LinkHandling
{
    /// <summary>Leaves them out and counts them as skipped.</summary>
    Skip,

    /// <summary>
    /// Makes the links themselves at the target, with their text as it is. A download makes none that is absolute or leads out of the local
    /// folder: such an item fails with <see cref="TransferError.Denied"/>. Servers without links: <see cref="TransferError.Unsupported"/>.
    /// </summary>
    Copy,

    /// <summary>
    /// Takes what they lead to, within the folder: a link that leads out of it fails with <see cref="TransferError.Denied"/>. One that
    /// leads nowhere, or back to a folder that it is in, is skipped.
    /// </summary>
    Follow,
}
