using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Ssh;

/// <summary>A fixture that is about SSH: it runs against OpenSSH.</summary>
public abstract class SshFixture(ServerVariant variant) : ServerFixture(ServerKind.OpenSsh, variant)
{
    protected SshServer Ssh => (SshServer)Server;

    /// <summary>A directory that must go in a batch.</summary>
    protected static BatchOptions InBatch(DirectoryOptions? directory = null) =>
        new() { Mode = BatchMode.Always, Directory = directory ?? new DirectoryOptions() };

    /// <summary>Writes a text file that goes with the test.</summary>
    protected string TextFile(string name, string text)
    {
        var path = Path.Combine(Scratch, name);
        File.WriteAllText(path, text + "\n");
        return path;
    }
}
