using Renci.SshNet.Sftp;
using Transfer.Sessions;

namespace Transfer.SshNet.Session;

/// <summary>A look at one path: the file of exactly this name, perhaps a link; its absence; or an error that left both open.</summary>
/// <param name="Path">The path of the look.</param>
/// <param name="File">
/// The file, under a full name that needs no resolving; null when there is none, or with an <paramref name="Error"/>.
/// </param>
/// <param name="Error">The error, or null for a result.</param>
internal readonly record struct Sight(string Path, ISftpFile? File, TransferException? Error)
{
    /// <summary>The look in the engine's terms.</summary>
    public EntryOutcome ToOutcome() => new() { Entry = ToEntry(), Error = Error };

    /// <summary>The entry; null for none.</summary>
    /// <exception cref="TransferException">The look failed.</exception>
    public RemoteEntry? Require() => Error is null ? ToEntry() : throw Error;

    /// <summary>The file.</summary>
    /// <exception cref="TransferException">There is no file, or the look failed.</exception>
    public ISftpFile RequireFile() => Error is null ? File ?? throw Absent() : throw Error;

    /// <summary>The error that an absent file stands for.</summary>
    public TransferException Absent() => new(TransferError.NotFound, $"{Path} does not exist.") { RemotePath = Path };

    private RemoteEntry? ToEntry() => File is null ? null : SshNetEntries.ToEntry(Path, File);
}
