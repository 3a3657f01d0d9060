using System.Text.RegularExpressions;

namespace Transfer.Tests.Architecture;

/// <summary>
/// Local files are reached through one layer (src/Transfer.Core/Local), which keeps the bytes of names and reports what flushing and
/// closing report. System.IO does neither: outside of
/// the layer nothing calls it with a path, but for the files that are named here with the reason.
/// </summary>
public sealed partial class LocalCallsTests
{
    private const string Layer = "src/Transfer.Core/Local/";

    private static readonly Dictionary<string, string> Excepted = new()
    {
        ["src/Transfer.Core/Dialing/NetworkLimits.cs"] = "reads /proc",
        ["src/Transfer.Core/Pooling/LimitsFile.cs"] = "what servers allow, remembered: losing it costs a log-in that is refused",
        ["src/Transfer.Sftp/Keys/Config/ConfigGlob.cs"] = "OpenSSH's configuration",
        ["src/Transfer.Sftp/Keys/Config/SshConfigLoader.cs"] = "OpenSSH's configuration",
        ["src/Transfer.Sftp/Keys/Files/KeyFiles.cs"] = "keys",
        ["src/Transfer.Sftp/Keys/Files/OwnGroup.cs"] = "reads /etc/passwd and /etc/group",
        ["src/Transfer.Sftp/Keys/Hosts/RevokedKeysFile.cs"] = "OpenSSH's revoked keys",
        ["src/Transfer.Sftp/Keys/Hosts/KnownHostsFile.cs"] = "OpenSSH's known hosts",
        ["src/Transfer.Sftp/Keys/Agent/SshAgent.cs"] = "the agent's socket",
        ["src/Transfer.Hosting/ClientRecipe.cs"] = "a password",
        ["src/Transfer.Hosting/SettingsDigest.cs"] = "keys",
        ["src/Transfer.PowerShell.Loader/LibraryContext.cs"] = "the module's own libraries, before any of them is loaded",
        ["src/Transfer.Batch/Archive/Unpacking/DirtyPages.cs"] = "reads /proc",
        ["src/Transfer.Batch/Archive/Packing/ArchivePacker.cs"] = "creation times of folders, which only Windows and macOS have",
        ["src/Transfer.Batch/Archive/Unpacking/FolderUnpacker.cs"] = "creation times of folders, which only Windows and macOS have",
        ["src/Transfer.Batch/Carriers/Direct/DirectIdentityFile.cs"] = "a receiver's key",
        ["src/Transfer.Batch/Carriers/Spool/HeldArchive.cs"] = "scratch in the state folder, gone when it is closed",
        ["samples/Transfer.Cli/Options/ConnectionSettings.cs"] = "OpenSSH's configuration",
        ["samples/Transfer.Cli/Options/Journals.cs"] = "the state folder",
        ["samples/Transfer.Cli/Options/FilterFile.cs"] = "patterns",
        ["samples/Transfer.Cli/Commands/Scripts/Shell/ShellHistory.cs"] = "the lines of earlier shells",
        ["samples/Transfer.Cli/Commands/NameList.cs"] = "a list of names, which may be a pipe",
        ["samples/Transfer.Cli/Commands/KeyVerb.cs"] = "keys",
        ["samples/Transfer.Cli/Credentials/SpoolKeyFile.cs"] = "keys",
        ["samples/Transfer.Cli/Credentials/NetrcFile.cs"] = "passwords",
        ["samples/Transfer.Cli/Profiles/ConfigFile.cs"] = "the configuration",
        ["samples/Transfer.Cli/Credentials/ReceiverAddress.cs"] = "a receiver's token",
        ["samples/Transfer.Cli/Demo/DemoFiles.cs"] = "files of the demo's own making",
    };

    [Test]
    public void No_path_goes_to_System_IO_but_through_the_layer()
    {
        var found = Sources().Where(file => !IsOfLayer(file.Name) && ByPath.IsMatch(file.Code)).Select(file => file.Name).ToHashSet();
        Assert.That(found.Except(Excepted.Keys), Is.Empty, "use DiskFiles, DiskDirectories, DiskLinks, FileStatus, LocalPath");
        Assert.That(Excepted.Keys.Except(found), Is.Empty, "what is no exception any more");
    }

    [Test]
    public void No_flush_goes_by_a_way_that_keeps_errors_to_itself() =>
        Assert.That(Sources().Where(file => Flush.IsMatch(file.Code)).Select(file => file.Name), Is.Empty, "use Disk.FlushFile");

    [Test]
    public void Native_calls_for_files_are_in_the_layer() => Assert.That(
        Sources().Where(file => NativeCall.IsMatch(file.Code) && !IsOfLayer(file.Name)).Select(file => file.Name),
        Is.EquivalentTo(new[]
        {
            "samples/Transfer.Cli/Host/ShellPipe.cs", // popen
            "samples/Transfer.Cli/Host/StandardStream.cs", // poll
            "src/Transfer.Core/Dialing/SocketStream.cs", // sockets
        }));

    [Test]
    public void The_expressions_find_what_they_are_for()
    {
        string[] paths = ["File.Exists(path)", "x = Directory.CreateDirectory(x)", "new FileInfo(path)", "new FileStream(path, mode)",
            "System.IO.File.Delete(x)", "Path.GetFullPath(a)", "Where(File.Exists)"];
        Assert.That(paths, Is.All.Matches<string>(code => ByPath.IsMatch(code!)));
        string[] others = ["item.File.Exists()", "File.Name", "Directory.PathOf(name)", "File.SetUnixFileMode(handle, mode)",
            "File.GetUnixFileMode(file.SafeFileHandle)", "new FileStream(handle, access)", "Path.GetFullPath(a, b)"];
        Assert.That(others, Has.None.Matches<string>(code => ByPath.IsMatch(code!)));
        Assert.That(
            Flush.IsMatch("RandomAccess.FlushToDisk(handle)") && Flush.IsMatch("file.Flush(true)")
                && Flush.IsMatch("file.Flush(flushToDisk: true)"));
    }

    [GeneratedRegex("""
        (?<![\w.])(System\.IO\.)?
        (File\.(Exists|Open|Create|Delete|Move|Copy|Replace|ReadAll|ReadLines|Write|Append|Resolve|(Get|Set)(?!\w+\((_?handle|file)\b))\w*[(),;]
        |Directory\.(Exists|Create|Delete|Move|Enumerate|Get|Set|Resolve)\w*[(),;]
        |new\ (FileInfo|DirectoryInfo|FileSystemEnumerable\W|DriveInfo)
        |new\ FileStream\((?!(handle|new\ SafeFileHandle)\b)
        |Path\.GetFullPath\((?![^()]*,))
        """, RegexOptions.IgnorePatternWhitespace)]
    private static partial Regex ByPath { get; }

    [GeneratedRegex(@"RandomAccess\.FlushToDisk|\.Flush\((flushToDisk: )?true\)")]
    private static partial Regex Flush { get; }

    [GeneratedRegex(@"\[(DllImport|LibraryImport)\(")]
    private static partial Regex NativeCall { get; }

    private static bool IsOfLayer(string name) => name.StartsWith(Layer, StringComparison.Ordinal);

    // Without comments, and without what applications' tests use.
    private static IEnumerable<(string Name, string Code)> Sources() => Sources(Repository.Root);

    private static IEnumerable<(string Name, string Code)> Sources(string root)
    {
        foreach (var folder in (string[])["src", "samples/Transfer.Cli"])
        {
            foreach (var path in Directory.EnumerateFiles(Path.Join(root, folder), "*.cs", SearchOption.AllDirectories))
            {
                var name = Path.GetRelativePath(root, path).Replace('\\', '/');
                if (name.StartsWith("src/Transfer.Testing/", StringComparison.Ordinal)) continue;
                yield return (name,
                    string.Join('\n', File.ReadLines(path).Where(line => !line.TrimStart().StartsWith("//", StringComparison.Ordinal))));
            }
        }
    }
}
