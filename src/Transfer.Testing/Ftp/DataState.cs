using Transfer.Testing.Ftp.Data;


namespace Transfer.Testing.Ftp;

/// <summary>The settings of a session for its data connections.</summary>
internal sealed class DataState
{
    /// <summary>The setup of the next data connection, or null.</summary>
    public DataSetup? Setup { get; set; }

    /// <summary>After EPSV ALL all other ways to set up a data connection are refused (RFC 2428 4).</summary>
    public bool IsExtendedOnly { get; set; }

    public bool HasPret { get; set; }

    /// <summary>Whether PBSZ was sent, without which PROT is refused (RFC 2228 3).</summary>
    public bool HasBufferSize { get; set; }

    public bool IsProtected { get; set; }

    public async ValueTask DropSetupAsync()
    {
        var setup = Setup;
        Setup = null;
        if (setup is not null) await setup.DisposeAsync().ConfigureAwait(false);
    }
}
