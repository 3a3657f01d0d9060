namespace Transfer.Cli.Commands;

/// <summary>The entries of a listing that are kept until it ends, to be sorted: as many as memory may be used for listings.</summary>
/// <param name="directory">What is listed, for the error.</param>
/// <param name="most">Bytes (<c>--max-listing</c>); null: as many as by default.</param>
internal sealed class KeptEntries(string directory, long? most)
{
    // An entry without its texts, the header of its path, and its line.
    private const long Fixed = 220;

    private readonly long _most = most ?? new TransferClientOptions().MaxListingBytes;
    private long _bytes;

    public List<RemoteEntry> Entries { get; } = [];

    /// <exception cref="TransferException">
    /// <see cref="TransferError.Partial"/>: there is no room for more. Those before it are there.
    /// </exception>
    public void Add(RemoteEntry entry)
    {
        _bytes += Fixed + 2L * (entry.Path.Length + (entry.Owner?.Length ?? 0) + (entry.LinkTarget?.Length ?? 0));
        if (_bytes > _most)
        {
            throw new TransferException(TransferError.Partial,
                $"The listing takes more memory than --max-listing allows, {_most} bytes, and was not read to its end.")
            {
                RemotePath = directory,
            };
        }
        Entries.Add(entry);
    }
}
