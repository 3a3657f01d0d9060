namespace Transfer.Tests.Sftp.Keys;

/// <summary>A folder for key files, which only we can read; gone afterwards.</summary>
internal sealed class KeyFolder : IDisposable
{
    public string Root { get; } = Directory.CreateTempSubdirectory("transfer-keys-").FullName;

    public string Write(string name, string text)
    {
        var path = Path.Combine(Root, name);
        File.WriteAllText(path, text);
        if (!OperatingSystem.IsWindows()) File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        return path;
    }

    public void Dispose() => Directory.Delete(Root, recursive: true);
}
