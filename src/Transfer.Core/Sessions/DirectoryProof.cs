namespace Transfer.Sessions;

/// <summary>What is known of an entry that a listing calls a directory.</summary>
public enum DirectoryProof
{
    /// <summary>Nothing tells a directory from a link to one.</summary>
    Unknown = 0,

    /// <summary>A directory in the listed one.</summary>
    Child,

    /// <summary>A link to a directory elsewhere.</summary>
    Link,
}
