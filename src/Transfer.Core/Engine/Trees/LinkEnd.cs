namespace Transfer.Engine.Trees;

/// <summary>What a link of a source leads to.</summary>
/// <param name="Entry">What is there, under the link's name; null: nothing.</param>
/// <param name="RealPath">The path of what is there, relative to the job's folder and through no link.</param>
/// <param name="Error">Why it is not followed, or null.</param>
internal readonly record struct LinkEnd(TreeEntry? Entry, string RealPath, TransferException? Error)
{
    public static LinkEnd Nowhere => new(null, string.Empty, null);

    public static LinkEnd Refused(TransferException error) => new(null, string.Empty, error);

    /// <summary>It leads out of the folder that is transferred.</summary>
    public static LinkEnd Outside(string link) =>
        Refused(new TransferException(TransferError.Denied, $"{link} leads out of the folder that is transferred: it is not followed."));
}
