namespace Transfer.Batch.Sealing;

/// <summary>A recipient of a job's archives, as the sender knows him.</summary>
internal interface IKeyWrapper
{
    /// <summary>Wraps the secret for them. May compute for a good part of a second.</summary>
    KeyWrap Wrap(JobSecret secret, JobId job);
}
