namespace Transfer;

/// <summary>The options common to all jobs of single files.</summary>
public abstract record FileJobOptions : TransferOptions
{
    private protected FileJobOptions()
    {
    }

    /// <summary>Whether missing directories above the target, and <see cref="TransferOptions.TemporaryDirectory"/>, are created.</summary>
    public bool CreateDirectories { get; init; }

    /// <summary>Refuses options that need to read or write the local content twice, which a stream may not allow.</summary>
    /// <inheritdoc cref="TransferOptions.Validate" path="/exception"/>
    internal void ValidateForStream()
    {
        Validate();
        const string Rule = "must not be set where a stream takes the place of the local file";
        var rules = Rules;
        rules.Require(Journal is null, nameof(Journal), Rule);
        rules.Require(!Resume, nameof(Resume), Rule);
        rules.Require(Lock is null, nameof(Lock), Rule);
        rules.Require(!RemoveSource, nameof(RemoveSource), Rule);
        rules.Require(MoveSourceTo is null, nameof(MoveSourceTo), Rule);
    }
}
