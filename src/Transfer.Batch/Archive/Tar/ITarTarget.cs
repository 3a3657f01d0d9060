namespace Transfer.Batch.Archive.Tar;

/// <summary>Gets what is in a tar stream, in its order.</summary>
internal interface ITarTarget
{
    /// <summary>An entry begins.</summary>
    void Begin(TarEntry entry);

    /// <summary>Some of its content.</summary>
    void Write(ReadOnlySpan<byte> content);

    /// <summary>Its content is whole.</summary>
    void End();

    /// <summary>An entry before this is not what it was to be: its source changed while it was packed.</summary>
    /// <param name="ordinal">Its number in the stream, from 0.</param>
    void Spoil(long ordinal);
}
