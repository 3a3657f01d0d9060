using System.Globalization;
using Transfer.ServerTests;
using Transfer.ServerTests.Servers;
using Transfer.Wan.Clients;
using Transfer.Wan.Scenarios;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Runs;

/// <summary>Where a turn's files come from and go to; the target is new for every turn and goes with it.</summary>
internal sealed class TurnFolders : IDisposable
{
    private const string Incoming = "in";
    private const int Many = 1000;
    private readonly string _source;
    private readonly string _target;
    private readonly string _scratch;
    private readonly TreeState? _tree;
    private readonly string? _mounted;

    public TurnFolders(Scenario scenario, Turn turn, ServerAccess server, DataSets data)
    {
        _source = data.Folder(scenario.Files, scenario.Size, turn.Files, scenario.Folders);
        _scratch = Directory.CreateDirectory(Path.Combine(TestHost.Folder, "scratch")).FullName;
        _target = scenario.IsUpload ? Path.Combine(server.Root, Incoming) : Path.Combine(TestHost.Folder, "down");
        if (scenario is { Tree: not null, IsUpload: true }) DataSets.Copy(_source, _target);
        else Directory.CreateDirectory(_target);
        var remote = Incoming;
        if (scenario.IsUpload)
        {
            // The embedded server is this process and needs no other owner.
            if (Environment.IsPrivilegedProcess) ServerUser.Own(_target);
        }
        else
        {
            remote = string.Create(CultureInfo.InvariantCulture, $"out-{Path.GetFileName(_source)}");
            var shown = Path.Combine(server.Root, remote);
            if (scenario.Tree == TreeWork.List && Environment.IsPrivilegedProcess) Mount(_source, _mounted = shown);
            else if (!Directory.Exists(shown)) DataSets.Copy(_source, shown);
        }

        Job = new ClientJob
        {
            Server = server,
            IsUpload = scenario.IsUpload,
            Local = scenario.IsUpload ? _source : _target,
            Remote = remote,
            Names = DataSets.Names(turn.Files, scenario.Folders),
            Scratch = _scratch,
            Tree = scenario.Tree,
        };
        if (scenario.Tree is { } work) _tree = new TreeState(work, _source, _target, scenario.Files, scenario.Bytes);
    }

    public ClientJob Job { get; }

    /// <summary>
    /// The first difference between what was sent and what is in the folders that received it, or the first thing that an operation on a
    /// tree has not done; null: none.
    /// </summary>
    public string? Difference(IEnumerable<string> received, TimeSpan? timePrecision, string output) =>
        _tree is not null ? _tree.Difference(output)
        : received.Select(folder => FolderComparison.Difference(_source, folder, timePrecision))
            .FirstOrDefault(difference => difference is not null);

    /// <summary>Bytes on disk in the target: what parts of a file are there is known by their blocks, whatever its length says.</summary>
    public long Arrived() => _tree is not null ? _tree.Done() : Shell.Run("find", _target, "-type", "f", "-printf", "%b\n")
        .Split('\n', StringSplitOptions.RemoveEmptyEntries)
        .Sum(blocks => long.Parse(blocks, CultureInfo.InvariantCulture) * 512);

    public void Dispose()
    {
        if (_mounted is not null) Shell.Run("umount", "--lazy", _mounted);
        Leave(_target);
        Leave(_scratch);
    }

    // What is only listed may be the set itself: a copy of a million files for each server would not have room.
    private static void Mount(string folder, string place)
    {
        Directory.CreateDirectory(place);
        Shell.Run("mount", "--bind", folder, place);
    }

    // For a minute ext4 looks at the inode of every deleted file whenever it needs one, and does not use it: many of them would make the
    // next turns' files slow.
    private static void Leave(string folder)
    {
        if (!Directory.Exists(folder)) return;
        if (Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Take(Many).Count() < Many)
        {
            Directory.Delete(folder, recursive: true);
            return;
        }
        // Beside it: a server's root is a mount of its own.
        Directory.Move(folder, $"{folder}.{Path.GetRandomFileName()}");
    }
}
