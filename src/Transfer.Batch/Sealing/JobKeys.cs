namespace Transfer.Batch.Sealing;

/// <summary>The keys with which a sender seals a job's archives: made once; the header of each archive holds the wraps, so that every
/// archive opens on its own.</summary>
internal sealed class JobKeys : IDisposable
{
    private JobKeys(JobId job, JobSecret? secret, IReadOnlyList<KeyWrap> wraps)
    {
        Job = job;
        Secret = secret;
        Wraps = wraps;
    }

    public JobId Job { get; }

    /// <summary>The secret; null: the archives are not sealed.</summary>
    public JobSecret? Secret { get; }

    /// <summary>The secret, wrapped for each recipient.</summary>
    public IReadOnlyList<KeyWrap> Wraps { get; }

    /// <summary>Creates the keys of a new job, with a fresh secret.</summary>
    /// <param name="readers">The recipients, at least one.</param>
    public static JobKeys Create(params IReadOnlyList<IKeyWrapper> readers) => Create(JobId.New(), readers);

    /// <summary>Creates the keys of a job with a given id, with a fresh secret.</summary>
    public static JobKeys Create(JobId job, params IReadOnlyList<IKeyWrapper> readers)
    {
        if (readers.Count is 0 or > ArchiveHeader.MostWraps)
            throw new ArgumentException($"1 to {ArchiveHeader.MostWraps} can open a job.", nameof(readers));
        var secret = JobSecret.New();
        return new JobKeys(job, secret, [.. readers.Select(reader => reader.Wrap(secret, job))]);
    }

    /// <summary>Creates keys without sealing, only for a checksum: for carriers that are safe themselves, and only where the receiver
    /// allows unsealed archives.</summary>
    public static JobKeys Unsealed(JobId job) => new(job, null, []);

    public void Dispose() => Secret?.Dispose();
}
