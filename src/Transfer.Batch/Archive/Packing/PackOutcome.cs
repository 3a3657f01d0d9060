namespace Transfer.Batch.Archive.Packing;

/// <summary>What became of an item when its archive was written.</summary>
internal enum PackOutcome
{
    /// <summary>It was not come to yet.</summary>
    Waiting,

    /// <summary>It is in the archive as it was planned.</summary>
    Packed,

    /// <summary>It changed meanwhile: what the archive has of it does not count.</summary>
    Spoilt,

    /// <summary>It went back in line after that: a later archive has it.</summary>
    Moved,

    /// <summary>It cannot be read, and that was told.</summary>
    Failed,

    /// <summary>Nothing more was to begin when it was its turn: it is for another job, and nobody is told of it.</summary>
    Left,
}
