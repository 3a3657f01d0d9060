using Transfer.Local;

namespace Transfer.Engine.Planning;

/// <summary>What is known of a local file that is sent.</summary>
/// <param name="Path">Where it is, in full.</param>
/// <param name="Length">Bytes.</param>
/// <param name="Modified">Its time.</param>
/// <param name="Mode">Its permissions; null: the system has none.</param>
internal sealed record LocalUpload(string Path, long Length, DateTimeOffset? Modified, UnixFileMode? Mode)
{
    /// <summary>Looks at a local file, whose path is given in full.</summary>
    /// <exception cref="TransferException">There is no file of that name.</exception>
    public static LocalUpload Of(string path)
    {
        var (length, modified, mode) = LocalFiles.Describe(path);
        return new(path, length, modified, mode);
    }
}
