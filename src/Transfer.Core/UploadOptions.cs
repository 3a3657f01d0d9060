namespace Transfer;

/// <summary>How one file is uploaded.</summary>
public sealed record UploadOptions : WriteOptions
{
    /// <summary>Where <see cref="WriteOptions.Modified"/> is null and the source is a file: gives the target the source's modification time.</summary>
    public bool PreserveModified { get; init; } = true;
}
