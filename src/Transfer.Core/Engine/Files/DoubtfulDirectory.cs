using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>Errors of directories that a deletion, or a local file, does not enter, since each is a link or may be one.</summary>
internal static class DoubtfulDirectory
{
    private const string MayBeLink = "may be a link to a folder elsewhere, and nothing that the server shows tells which it is";

    /// <summary>The error of a directory in which no entry is deleted, since the directory may be a link.</summary>
    public static TransferException NotEmptied(string path) =>
        new(TransferError.Unsupported, $"{path} {MayBeLink}: nothing is deleted in it.") { RemotePath = path };

    /// <summary>The error of a source below a directory that is a link, or may be one: removing it would change another tree.</summary>
    public static TransferException NotSource(string path, DirectoryProof proof) => new(TransferError.Unsupported,
        $"{path} {(proof == DirectoryProof.Link ? "is a link to a folder" : MayBeLink)}: nothing is removed in it.")
    { RemotePath = path };

    /// <summary>The error of a local directory that is a link: files would be written elsewhere.</summary>
    public static TransferException NotWrittenThrough(string path) =>
        new(TransferError.Denied, $"{path} is a link: nothing is written through it.") { RemotePath = path };

    /// <summary>The error of an entry that could not be deleted as a link, and stays.</summary>
    public static TransferException Refused(string path, DirectoryProof proof, TransferException refusal)
    {
        var what = proof == DirectoryProof.Link ? "is a link to a folder" : MayBeLink;
        var message = $"{path} {what}: it is not entered, it could not be deleted as a link, and is left ({refusal.Message})";
        return new TransferException(TransferError.Unsupported, message, refusal) { RemotePath = path, ServerCode = refusal.ServerCode };
    }
}
