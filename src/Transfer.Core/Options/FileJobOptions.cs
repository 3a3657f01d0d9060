namespace Transfer;

/// <summary>The options that all jobs of single files share.</summary>
public abstract record FileJobOptions : TransferOptions
{
    private protected FileJobOptions()
    {
    }

    /// <summary>Creates the directories above the target when they are missing, and <see cref="TransferOptions.TemporaryDirectory"/>.</summary>
    public bool CreateDirectories { get; init; }

    /// <summary>Refuses what a stream at the local end cannot have: its content may be read or written once only.</summary>
    /// <inheritdoc cref="TransferOptions.Validate" path="/exception"/>
    internal void ValidateForStream()
    {
        Validate();
        const string Rule = "must not be set where a stream takes the place of the local file";
        var rules = Rules;
        rules.Require(Journal is null, nameof(Journal), Rule);
        rules.Require(!Resume, nameof(Resume), Rule);
        rules.Require(Lock is null, nameof(Lock), Rule);
    }
}
