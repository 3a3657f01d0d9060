namespace Transfer.Sessions;

/// <summary>The proof about an entry that a listing calls a directory.</summary>
public enum DirectoryProof
{
    /// <summary>Nothing distinguishes the directory from a link to one.</summary>
    Unknown = 0,

    /// <summary>A directory in the listed one.</summary>
    Child,

    /// <summary>A link to a directory elsewhere.</summary>
    Link,
}
