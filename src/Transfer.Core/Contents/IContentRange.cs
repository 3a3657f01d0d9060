namespace Transfer.Contents;

/// <summary>The range of a content that one session moves.</summary>
internal interface IContentRange
{
    /// <summary>The first byte that has not been moved.</summary>
    long Start { get; }

    /// <summary>The byte behind the last one.</summary>
    long End { get; }

    /// <inheritdoc cref="Sessions.WorkItem.Claim"/>
    int Claim(long offset, int count);

    /// <summary>Begins another attempt at <paramref name="offset"/>: the bytes before the offset have arrived.</summary>
    void Restart(long offset);

    /// <summary>Continues at <paramref name="offset"/> on another session: a lost session moved the bytes before the offset.</summary>
    void ContinueAt(long offset);
}
