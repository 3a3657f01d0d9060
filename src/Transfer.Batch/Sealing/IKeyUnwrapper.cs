namespace Transfer.Batch.Sealing;

/// <summary>What a receiver has to open archives with.</summary>
internal interface IKeyUnwrapper
{
    /// <summary>The secret; null: this wrap is of another kind, for somebody else, or malformed. May compute for a good part of a second.</summary>
    JobSecret? Unwrap(KeyWrap wrap, JobId job);
}
