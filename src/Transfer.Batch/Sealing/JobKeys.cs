namespace Transfer.Batch.Sealing;

/// <summary>What a sender seals a job's archives with: made once, its wraps stand in the header of each, so that every archive opens on its own.</summary>
internal sealed class JobKeys : IDisposable
{
    private JobKeys(JobId job, JobSecret? secret, IReadOnlyList<KeyWrap> wraps)
    {
        Job = job;
        Secret = secret;
        Wraps = wraps;
    }

    public JobId Job { get; }

    /// <summary>Null: the archives are not sealed.</summary>
    public JobSecret? Secret { get; }

    /// <summary>The secret for everybody who may have it.</summary>
    public IReadOnlyList<KeyWrap> Wraps { get; }

    /// <summary>Keys of a new job, with a fresh secret.</summary>
    /// <param name="readers">Who can open it, at least one.</param>
    public static JobKeys Create(params IReadOnlyList<IKeyWrapper> readers) => Create(JobId.New(), readers);

    /// <summary>Keys of a job whose id is settled, with a fresh secret.</summary>
    public static JobKeys Create(JobId job, params IReadOnlyList<IKeyWrapper> readers)
    {
        if (readers.Count is 0 or > ArchiveHeader.MostWraps) throw new ArgumentException($"1 to {ArchiveHeader.MostWraps} can open a job.", nameof(readers));
        var secret = JobSecret.New();
        return new JobKeys(job, secret, [.. readers.Select(reader => reader.Wrap(secret, job))]);
    }

    /// <summary>No sealing, only a checksum: for carriers that are safe themselves, and only where the receiver allows it too.</summary>
    public static JobKeys Unsealed(JobId job) => new(job, null, []);

    public void Dispose() => Secret?.Dispose();
}
