using System.Security.Cryptography;
using Microsoft.Extensions.Logging;
using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Sealing;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>The files in a sender's state that say what it has sent, a file a job. Whatever goes wrong with them, jobs go on: without them files travel whole.</summary>
internal sealed class VersionStore
{
    /// <summary>Jobs of a family that are kept: as many may be under way, of whatever folders and to whomever, before the first is confirmed.</summary>
    public const int MostJobs = 32;

    // Of all families. Those that were not sent for the longest time go first.
    private const long MostBytes = 1L << 30;

    private readonly SpoolState _state;
    private readonly string _folder;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;

    /// <param name="state">Whose folder it is.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Is told of what can't be deleted.</param>
    public VersionStore(SpoolState state, TimeProvider time, ILogger logger)
    {
        _state = state;
        _folder = state.Folder;
        _time = time;
        _logger = logger;
    }

    /// <summary>What stands for a text, of whatever length, in 32 hex digits.</summary>
    public static string IdOf(string what) => Convert.ToHexStringLower(SHA256.HashData(NameEncoding.LosslessUtf8.GetBytes(what)).AsSpan(0, 16));

    public string PathOf(VersionName name) => Path.Combine(_folder, name.ToString());

    /// <summary>
    /// Waits until no other run confirms, forgets or lists what there is, and keeps them from it until it is disposed of. Else who lists while a job is confirmed could find its file under neither name,
    /// or be gone when it is opened, and build on what is older; who forgets could leave it; and of two who confirm it the second would cut off what the first has said.
    /// </summary>
    public ValueTask<HeldNumber> HoldAsync(CancellationToken ct) => _state.HoldAsync("versions", known => known, _time, ct);

    /// <summary>What there is of a family, the newest first.</summary>
    public IReadOnlyList<VersionName> List(string family) => [.. List().Where(name => name.Family == family).OrderByDescending(name => name.Sequence)];

    /// <summary>What is kept of a job that nobody is known to have confirmed; null: nothing.</summary>
    public VersionName? FindPending(JobId job) => List().Where(name => name.Job == job && !name.IsConfirmed).Select(name => (VersionName?)name).FirstOrDefault();

    /// <summary>All recipients have confirmed a job. Called by who holds it all.</summary>
    /// <param name="name">What is kept of it.</param>
    /// <param name="end">Where in the file what makes sense ends: to be cut off there.</param>
    /// <param name="unknown">Files of which not all have what was sent.</param>
    public void Confirm(VersionName name, long end, IEnumerable<string> unknown)
    {
        try
        {
            using (var file = DiskFiles.Open(PathOf(name), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete))
            {
                DiskFiles.SetLength(file, end, PathOf(name));
                foreach (var path in unknown) end = Append(file, new VersionRecord { Kind = VersionRecordKind.Void, Path = path }.ToBytes(), end, PathOf(name));
                // What is not to be built on is on the disk before anything is built on the rest.
                Disk.FlushFile(file, PathOf(name));
                Disk.Close(file, PathOf(name));
            }
            DiskFiles.Rename(PathOf(name), PathOf(name with { IsConfirmed = true }));
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // It stays in the way of what is older, and nothing is built on it.
            Log.SpoolVersionLost(_logger, name.Job.ToString(), e.Message);
        }
    }

    /// <summary>Nothing is known any more of what some recipients have. Called by who holds it all.</summary>
    /// <param name="family">The jobs that it is about.</param>
    /// <param name="to">The recipients, each as <see cref="VersionHead.IdOf"/> has it.</param>
    public void Forget(string family, IReadOnlySet<string> to)
    {
        // What is older goes too: what is forgotten was in the way of it, for others as well. The oldest first, so that it is so whenever this ends.
        foreach (var name in List(family).SkipWhile(name => !Concerns(name, to)).Reverse()) Delete(name);
    }

    /// <summary>Makes room for one more of a family. Called by who holds it all.</summary>
    public void Trim(string family)
    {
        foreach (var name in List(family).Skip(MostJobs - 1).Reverse()) Delete(name);
        var all = (from name in List() let found = FileStatus.TryFind(PathOf(name), follow: false) where found is not null select (Name: name, File: found.GetValueOrDefault())).ToList();
        var total = all.Sum(one => one.File.Length);
        var families = all.GroupBy(one => one.Name.Family).OrderBy(group => group.Key == family).ThenBy(group => group.Max(one => one.File.ModifiedTicks));
        foreach (var (name, file) in families.SelectMany(group => group.OrderBy(one => one.Name.Sequence)))
        {
            if (total <= MostBytes) return;
            total -= file.Length;
            Delete(name);
        }
    }

    public void Delete(VersionName name) => DiskFiles.Discard(PathOf(name), _logger);

    private bool Concerns(VersionName name, IReadOnlySet<string> to)
    {
        using var version = SentVersion.Open(PathOf(name), name);
        return version.Concerns(to);
    }

    private static long Append(SafeFileHandle file, byte[] bytes, long end, string path)
    {
        DiskFiles.Write(file, bytes, end, path);
        return end + bytes.Length;
    }

    private List<VersionName> List()
    {
        try
        {
            return [.. DiskDirectories.Names(_folder).Select(VersionName.Parse).OfType<VersionName>()];
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return [];
        }
    }
}
