namespace Transfer.Batch.Carriers.Exec;

/// <summary>The kind of <c>tar</c> at a host: options differ.</summary>
internal enum TarKind
{
    /// <summary>None, or an unknown one.</summary>
    None,

    Gnu,

    /// <summary>libarchive's, as on FreeBSD and macOS.</summary>
    Bsd,

    Busybox,
}
