namespace Transfer.Batch.Archive;

/// <summary>When received files are safe against a power cut: an archive is confirmed after that.</summary>
internal enum Durability
{
    /// <summary>Once an archive, for all that is in it, where the system can do that; else as <see cref="File"/>.</summary>
    Archive,

    /// <summary>Every file on its own.</summary>
    File,

    /// <summary>When the system gets to it.</summary>
    None,
}
