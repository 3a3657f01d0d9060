using System.Diagnostics;
using System.Text;

namespace Transfer.TestSupport.Files;

/// <summary>A folder for one test, which goes with the test.</summary>
/// <param name="onDisk">The folder is beside the program: build.sh has all others in memory.</param>
internal sealed class TempFolder(bool onDisk = false) : IDisposable
{
    public string Path { get; } = onDisk
        ? Directory.CreateDirectory(
            System.IO.Path.Join(AppContext.BaseDirectory, "transfer-" + System.IO.Path.GetRandomFileName())).FullName
        : Directory.CreateTempSubdirectory("transfer-").FullName;

    public IReadOnlyList<string> Files => FilesIn(Path);

    public string this[string relative] => System.IO.Path.Join(Path, relative);

    /// <summary>The files of a folder and those below, by their paths from there; none where the folder is absent.</summary>
    public static string[] FilesIn(string folder) => !Directory.Exists(folder)
        ? []
        : [.. Directory.EnumerateFiles(folder, "*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 })
            .Select(file => System.IO.Path.GetRelativePath(folder, file).Replace('\\', '/')).Order(StringComparer.Ordinal)];

    public string Add(string relative, string content) => Add(relative, Encoding.UTF8.GetBytes(content));

    public string Add(string relative, byte[] content, DateTimeOffset? modified = null)
    {
        var path = this[relative];
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, content);
        if (modified is { } time) File.SetLastWriteTimeUtc(path, time.UtcDateTime);
        return path;
    }

    /// <summary>A file that only its owner may read, as keys and .netrc have to be.</summary>
    public string AddPrivate(string relative, string content)
    {
        var path = Add(relative, content);
        if (!OperatingSystem.IsWindows()) File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        return path;
    }

    /// <summary>A named pipe, for its owner alone.</summary>
    public string AddPipe(string relative)
    {
        using var made = Process.Start("mkfifo", ["-m", "600", this[relative]]);
        made.WaitForExit();
        return this[relative];
    }

    public byte[] Read(string relative) => File.ReadAllBytes(this[relative]);

    public void Dispose() => ByteTree.Delete(Path);
}
