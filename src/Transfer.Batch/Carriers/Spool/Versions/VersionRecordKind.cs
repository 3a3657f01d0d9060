namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>The kind of a <see cref="VersionRecord"/>.</summary>
internal enum VersionRecordKind : byte
{
    /// <summary>The job and its recipients.</summary>
    Head = 1,

    /// <summary>A sent file.</summary>
    File = 2,

    /// <summary>A file was sent, and the recipients' versions are unknown; earlier records of the file do not hold any more.</summary>
    Void = 3,

    /// <summary>All sent files are recorded.</summary>
    Whole = 4,
}
