namespace Transfer.Batch.Sealing;

/// <summary>A receiver's key, for opening archives.</summary>
internal interface IKeyUnwrapper
{
    /// <summary>Returns the secret; null: the wrap is of another kind, for another recipient, or malformed. May compute for a good part of
    /// a second.</summary>
    JobSecret? Unwrap(KeyWrap wrap, JobId job);
}
