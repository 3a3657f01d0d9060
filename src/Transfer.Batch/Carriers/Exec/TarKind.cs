namespace Transfer.Batch.Carriers.Exec;

/// <summary>Whose <c>tar</c> a host has: their options differ.</summary>
internal enum TarKind
{
    /// <summary>None, or one that nobody here knows.</summary>
    None,

    Gnu,

    /// <summary>libarchive's, as on FreeBSD and macOS.</summary>
    Bsd,

    Busybox,
}
