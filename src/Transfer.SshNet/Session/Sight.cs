using Renci.SshNet.Sftp;
using Transfer.Sessions;

namespace Transfer.SshNet.Session;

/// <summary>
/// A look at one path: the file that has exactly this name, which a link is too; its absence; or why neither could be found out.
/// </summary>
/// <param name="Path">The path that was looked at.</param>
/// <param name="File">
/// What is there, under a full name that needs no resolving; null: nothing is, or <paramref name="Error"/> tells why that is not known.
/// </param>
/// <param name="Error">Why nothing could be found out; null: something was.</param>
internal readonly record struct Sight(string Path, ISftpFile? File, TransferException? Error)
{
    /// <summary>The look as the engine knows it.</summary>
    public EntryOutcome ToOutcome() => new() { Entry = ToEntry(), Error = Error };

    /// <summary>The entry; null: nothing is there.</summary>
    /// <exception cref="TransferException">It could not be found out.</exception>
    public RemoteEntry? Require() => Error is null ? ToEntry() : throw Error;

    /// <summary>The file.</summary>
    /// <exception cref="TransferException">Nothing is there, or that could not be found out.</exception>
    public ISftpFile RequireFile() => Error is null ? File ?? throw Absent() : throw Error;

    /// <summary>The error that an absent file stands for.</summary>
    public TransferException Absent() => new(TransferError.NotFound, $"{Path} does not exist.") { RemotePath = Path };

    private RemoteEntry? ToEntry() => File is null ? null : SshNetEntries.ToEntry(Path, File);
}
