using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>The result of a flight of STAT.</summary>
/// <param name="entries">The entries of each directory; null: to be listed.</param>
/// <param name="proofs">The proofs that shared the flight.</param>
internal sealed class FtpFound(IReadOnlyList<RemoteEntry>?[] entries, DirectoryProof[] proofs)
{
    /// <summary>The entries of each directory; null: to be listed, since STAT shows none, or not all.</summary>
    public IReadOnlyList<RemoteEntry>?[] Entries => entries;

    /// <summary>The proofs that shared the flight.</summary>
    public DirectoryProof[] Proofs => proofs;
}
