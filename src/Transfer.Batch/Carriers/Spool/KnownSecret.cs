using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>Opens archives sealed with the secret of one job only: anyone who knows a recipient's public key could seal for him under
/// another secret.</summary>
internal sealed class KnownSecret : IKeyUnwrapper
{
    private readonly JobId _job;
    private readonly JobSecret _secret;

    /// <param name="job">The job.</param>
    /// <param name="secret">The job's secret; belongs to the caller.</param>
    public KnownSecret(JobId job, JobSecret secret)
    {
        _job = job;
        _secret = secret;
    }

    /// <inheritdoc/>
    public JobSecret? Unwrap(KeyWrap wrap, JobId job) => job == _job ? new JobSecret(_secret.Bytes) : null;
}
