namespace Transfer;

/// <summary>The options that all jobs of single files share.</summary>
public abstract record FileJobOptions : TransferOptions
{
    private protected FileJobOptions()
    {
    }

    /// <summary>Creates the directories above the target when they are missing, and <see cref="TransferOptions.TemporaryDirectory"/>.</summary>
    public bool CreateDirectories { get; init; }
}
