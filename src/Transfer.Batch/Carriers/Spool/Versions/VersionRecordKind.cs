namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>What a <see cref="VersionRecord"/> says.</summary>
internal enum VersionRecordKind : byte
{
    /// <summary>Which job it is, and whom it was for.</summary>
    Head = 1,

    /// <summary>A file as it was sent.</summary>
    File = 2,

    /// <summary>A file was sent, and what recipients have of it nobody knows; it is not what was said of it before.</summary>
    Void = 3,

    /// <summary>All files that were sent are here.</summary>
    Whole = 4,
}
