namespace Transfer.Batch.Sealing;

/// <summary>Somebody who is to be able to open a job's archives, as its sender knows them.</summary>
internal interface IKeyWrapper
{
    /// <summary>Wraps the secret for them. May compute for a good part of a second.</summary>
    KeyWrap Wrap(JobSecret secret, JobId job);
}
