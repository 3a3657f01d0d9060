using Transfer.Local;

namespace Transfer.Engine.Planning;

/// <summary>The facts of a local file to send.</summary>
/// <param name="Path">The full path.</param>
/// <param name="Length">The length in bytes.</param>
/// <param name="Modified">The time.</param>
/// <param name="Mode">The permissions; null: the system has none.</param>
internal sealed record LocalUpload(string Path, long Length, DateTimeOffset? Modified, UnixFileMode? Mode)
{
    /// <summary>Looks at a local file by the full path.</summary>
    /// <exception cref="TransferException">There is no file of that name.</exception>
    public static LocalUpload Of(string path)
    {
        var (length, modified, mode) = LocalFiles.Describe(path);
        return new(path, length, modified, mode);
    }
}
