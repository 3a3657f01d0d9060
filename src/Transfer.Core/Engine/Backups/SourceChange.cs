using Transfer.Engine.Files;

namespace Transfer.Engine.Backups;

/// <summary>The errors for a source that is not the file any more that was read, or would not be.</summary>
internal static class SourceChange
{
    public static TransferException Error(SourceFile file) =>
        new(TransferError.Integrity, "it has changed since it was read.") { RemotePath = file.Path };

    public static TransferException Replaced(SourceFile file) =>
        new(TransferError.Integrity,
            $"another file has taken its place since it was read, maybe the copy: {file.Target} may be the same path.")
        { RemotePath = file.Path };

    public static TransferException Itself(string path) =>
        new(TransferError.Unsupported,
            $"{path} is its own source: written in place (--publish direct), it would be empty before it is read.")
        { RemotePath = path };
}
