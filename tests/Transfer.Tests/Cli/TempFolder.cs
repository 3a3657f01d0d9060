namespace Transfer.Tests.Cli;

/// <summary>A folder that goes away with the test.</summary>
internal sealed class TempFolder : IDisposable
{
    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("transfer-cli-");

    public string Root => _root.FullName;

    public string PathOf(string name) => Path.Combine(Root, name);

    public string Write(string name, string content) => Write(name, System.Text.Encoding.UTF8.GetBytes(content));

    public string Write(string name, byte[] content)
    {
        var path = PathOf(name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, content);
        return path;
    }

    /// <summary>A file that only its owner may read, as .netrc has to be.</summary>
    public string WritePrivate(string name, string content)
    {
        var path = Write(name, content);
        if (!OperatingSystem.IsWindows()) File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        return path;
    }

    public void Dispose() => ByteTree.Delete(Root);
}
