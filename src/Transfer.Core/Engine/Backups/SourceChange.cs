using Transfer.Engine.Files;

namespace Transfer.Engine.Backups;

/// <summary>The error for a source that is not the file any more that was read.</summary>
internal static class SourceChange
{
    public static TransferException Error(SourceFile file) =>
        new(TransferError.Integrity, "it has changed since it was read.") { RemotePath = file.Path };
}
