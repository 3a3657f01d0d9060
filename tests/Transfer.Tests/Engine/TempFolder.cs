namespace Transfer.Tests.Engine;

/// <summary>A folder for one test.</summary>
/// <param name="onDisk">It is beside the program: build.sh has all others in memory.</param>
internal sealed class TempFolder(bool onDisk = false) : IDisposable
{
    public string Path { get; } = onDisk
        ? Directory.CreateDirectory(
            System.IO.Path.Join(AppContext.BaseDirectory, "transfer-" + System.IO.Path.GetRandomFileName())).FullName
        : Directory.CreateTempSubdirectory("transfer-").FullName;

    public IReadOnlyList<string> Files =>
        [.. Directory.EnumerateFiles(Path, "*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 })
            .Select(file => System.IO.Path.GetRelativePath(Path, file).Replace('\\', '/')).Order(StringComparer.Ordinal)];

    public string this[string relative] => System.IO.Path.Join(Path, relative);

    public string Add(string relative, byte[] content, DateTimeOffset? modified = null)
    {
        var path = this[relative];
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, content);
        if (modified is { } time) File.SetLastWriteTimeUtc(path, time.UtcDateTime);
        return path;
    }

    public byte[] Read(string relative) => File.ReadAllBytes(this[relative]);

    public void Dispose() => ByteTree.Delete(Path);
}
