using Transfer.Testing.Data;

namespace Transfer.Testing.Server;

/// <summary>What the commands of a session have set so far.</summary>
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

    /// <summary>The byte after the last that RANG has asked for, or null.</summary>
    public long? RangeEnd { get; set; }

    public string? RenameFrom { get; set; }

    public DataSetup? DataSetup { get; set; }

    /// <summary>After EPSV ALL other ways to set up a data connection are refused (RFC 2428 4).</summary>
    public bool IsExtendedOnly { get; set; }

    public bool HasPret { get; set; }

    /// <summary>PBSZ was sent, without which PROT is refused (RFC 2228 3).</summary>
    public bool HasBufferSize { get; set; }

    public bool IsProtected { get; set; }

    public string HashName { get; set; } = "SHA-256";

    /// <summary>The facts that OPTS MLST has chosen.</summary>
    public IReadOnlySet<string> Facts { get; set; } = Listing.MachineListing.AllFacts;

    /// <summary>Takes a command's restart offset, which holds for one transfer, as a range does.</summary>
    public long TakeRestart()
    {
        var restart = Restart;
        Restart = 0;
        RangeEnd = null;
        return restart;
    }

    public async ValueTask DropDataSetupAsync()
    {
        var setup = DataSetup;
        DataSetup = null;
        if (setup is not null) await setup.DisposeAsync().ConfigureAwait(false);
    }
}
