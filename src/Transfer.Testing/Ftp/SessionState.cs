namespace Transfer.Testing.Ftp;

/// <summary>The settings of a session so far.</summary>
internal sealed class SessionState
{
    public string? User { get; set; }

    public bool IsLoggedIn { get; set; }

    public bool NeedsAccount { get; set; }

    public string Folder { get; set; } = "/";

    /// <summary>TYPE I; otherwise TYPE A, which RFC 959 starts with.</summary>
    public bool IsBinary { get; set; }

    /// <summary>MODE Z (draft-preston-ftpext-deflate-04).</summary>
    public bool IsDeflated { get; set; }

    public long Restart { get; set; }

    /// <summary>The byte after the last of RANG, or null.</summary>
    public long? RangeEnd { get; set; }

    public string? RenameFrom { get; set; }

    /// <summary>The settings for data connections.</summary>
    public DataState Data { get; } = new();

    public string HashName { get; set; } = "SHA-256";

    /// <summary>The facts that OPTS MLST has chosen.</summary>
    public IReadOnlySet<string> Facts { get; set; } = Listing.MachineListing.AllFacts;

    /// <summary>Takes the restart offset, which is for one transfer, like a range.</summary>
    public long TakeRestart()
    {
        var restart = Restart;
        Restart = 0;
        RangeEnd = null;
        return restart;
    }
}
