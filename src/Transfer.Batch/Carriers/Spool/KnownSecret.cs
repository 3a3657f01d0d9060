using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>Opens what is sealed with the secret of one job, and nothing else: whoever knows a recipient's public key can seal for him under another one.</summary>
internal sealed class KnownSecret : IKeyUnwrapper
{
    private readonly JobId _job;
    private readonly JobSecret _secret;

    /// <param name="job">The job.</param>
    /// <param name="secret">Its secret; belongs to the caller.</param>
    public KnownSecret(JobId job, JobSecret secret)
    {
        _job = job;
        _secret = secret;
    }

    /// <inheritdoc/>
    public JobSecret? Unwrap(KeyWrap wrap, JobId job) => job == _job ? new JobSecret(_secret.Bytes) : null;
}
