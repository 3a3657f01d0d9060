namespace Transfer.Engine.Trees;

/// <summary>The end of a source's link.</summary>
/// <param name="Entry">The entry to which the link leads, under the link's name; null: none.</param>
/// <param name="RealPath">The path of that entry, relative to the job's folder and through no link.</param>
/// <param name="Error">Why the link is not followed, or null.</param>
internal readonly record struct LinkEnd(TreeEntry? Entry, string RealPath, TransferException? Error)
{
    public static LinkEnd Nowhere => new(null, string.Empty, null);

    public static LinkEnd Refused(TransferException error) => new(null, string.Empty, error);

    /// <summary>The end of a link that leads out of the transferred folder.</summary>
    public static LinkEnd Outside(string link) =>
        Refused(new TransferException(TransferError.Denied, $"{link} leads out of the folder that is transferred: it is not followed."));
}
