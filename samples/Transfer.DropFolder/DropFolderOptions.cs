namespace Transfer.DropFolder;

/// <summary>What is moved, and how often it is looked for.</summary>
internal sealed class DropFolderOptions
{
    /// <summary>The local folder that other programs put files into.</summary>
    public string Path { get; set; } = "drop";

    /// <summary>How often it is looked into.</summary>
    public TimeSpan Interval { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a file must not have changed: by then whoever writes it is done.</summary>
    public TimeSpan Settled { get; set; } = TimeSpan.FromSeconds(5);
}
