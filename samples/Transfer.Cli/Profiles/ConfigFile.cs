using System.Text;
using Transfer.Local;

namespace Transfer.Cli.Profiles;

/// <summary>The file of the configuration on disk.</summary>
internal static class ConfigFile
{
    private const int MaxLength = 1 << 20;
    private const UnixFileMode OthersWrite = UnixFileMode.GroupWrite | UnixFileMode.OtherWrite;
    private const UnixFileMode OthersRead = UnixFileMode.GroupRead | UnixFileMode.OtherRead;

    /// <summary>Reads the file.</summary>
    /// <returns>The text, and whether only the owner can read the file.</returns>
    /// <exception cref="UsageException">The file cannot be read, belongs to another user but root, or others may write it, as ssh refuses
    /// such a configuration: it names programs to run, and servers to trust.</exception>
    public static (string Text, bool IsPrivate) Read(string path)
    {
        try
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            if (file.Length > MaxLength) throw new UsageException($"{path} is larger than 1 MiB, and no configuration.");
            var mode = OperatingSystem.IsWindows() ? default : File.GetUnixFileMode(file.SafeFileHandle);
            if (!OperatingSystem.IsWindows() && !FileOwner.Of(file.SafeFileHandle).IsTrusted)
                throw new UsageException($"{path} is refused: the file belongs to another user (chown makes it yours).");
            if ((mode & OthersWrite) != 0)
                throw new UsageException($"{path} is refused: others may write the file (chmod go-w makes it yours alone).");
            using var reader = new StreamReader(file, new UTF8Encoding(false, throwOnInvalidBytes: true));
            return (reader.ReadToEnd(), (mode & OthersRead) == 0);
        }
        catch (DecoderFallbackException)
        {
            throw new UsageException($"{path} is not a text in UTF-8.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"{path} cannot be read: {e.Message}");
        }
    }
}
