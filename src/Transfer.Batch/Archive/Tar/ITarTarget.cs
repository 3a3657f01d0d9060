namespace Transfer.Batch.Archive.Tar;

/// <summary>Receives the entries of a tar stream, in order.</summary>
internal interface ITarTarget
{
    /// <summary>An entry begins.</summary>
    void Begin(TarEntry entry);

    /// <summary>Accepts a part of the entry's content.</summary>
    void Write(ReadOnlySpan<byte> content);

    /// <summary>Ends the entry after the whole content.</summary>
    void End();

    /// <summary>Marks an earlier entry as invalid: the source changed while being packed.</summary>
    /// <param name="ordinal">The entry's number in the stream, from 0.</param>
    void Invalidate(long ordinal);
}
