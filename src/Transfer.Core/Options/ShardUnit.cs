namespace Transfer;

/// <summary>The entries of a folder that stay together in one shard: see <see cref="TransferShard"/>.</summary>
public enum ShardUnit
{
    /// <summary>Each file, by its path. Every shard reads all directories.</summary>
    File,

    /// <summary>
    /// Each folder directly in the job's folder, with everything below, by its name; files directly in the job's folder one by one. A shard
    /// reads its own folders only.
    /// </summary>
    Directory,
}
