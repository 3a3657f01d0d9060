namespace Transfer.Ftp.Listing;

/// <summary>The meaning of the pathname in an MLSD or MLST line (RFC 3659 7.2).</summary>
internal enum MlsxKind
{
    /// <summary>A name in the directory.</summary>
    Name,

    /// <summary>A pathname with a slash: MLST's full path, or a path that does not belong in an MLSD listing.</summary>
    Path,

    /// <summary>The listed directory itself (type=cdir).</summary>
    Current,

    /// <summary>A parent of the directory (type=pdir).</summary>
    Parent,
}
