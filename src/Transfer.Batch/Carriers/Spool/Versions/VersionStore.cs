using System.Security.Cryptography;
using Microsoft.Extensions.Logging;
using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Sealing;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>The files in a sender's state that record sent files, one for each job. Failures never stop a job: without the records files
/// travel whole.</summary>
internal sealed class VersionStore
{
    /// <summary>The most jobs of a family on record: as many may be under way, of any folders and for any recipients, before the first is
    /// confirmed.</summary>
    public const int MostJobs = 32;

    // Of all families. Those that were not sent for the longest time go first.
    private const long MostBytes = 1L << 30;

    private readonly SpoolState _state;
    private readonly string _folder;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;

    /// <param name="state">The state with the records.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Logs files that can't be deleted.</param>
    public VersionStore(SpoolState state, TimeProvider time, ILogger logger)
    {
        _state = state;
        _folder = state.Folder;
        _time = time;
        _logger = logger;
    }

    /// <summary>Returns an id for a text of any length: 32 hex digits.</summary>
    public static string IdOf(string what) =>
        Convert.ToHexStringLower(SHA256.HashData(NameEncoding.LosslessUtf8.GetBytes(what)).AsSpan(0, 16));

    public string PathOf(VersionName name) => Path.Combine(_folder, name.ToString());

    /// <summary>
    /// Waits until no other run confirms, deletes or lists the records, and locks them until disposed of. Without the lock, a listing
    /// during a confirmation could miss a record under either name, or fail to open it, and a job would build on an older version; a
    /// deletion could miss a record; and the second of two confirmations would cut off the entries of the first.
    /// </summary>
    public ValueTask<HeldNumber> HoldAsync(CancellationToken ct) => _state.HoldAsync("versions", known => known, _time, ct);

    /// <summary>Returns the records of a family, the newest first.</summary>
    public IReadOnlyList<VersionName> List(string family) =>
        [.. List().Where(name => name.Family == family).OrderByDescending(name => name.Sequence)];

    /// <summary>Returns the record of a job that is not known to be confirmed; null: none.</summary>
    public VersionName? FindPending(JobId job) =>
        List().Find(name => name.Job == job && !name.IsConfirmed);

    /// <summary>Marks the record of a job as confirmed by all recipients. Called with <see cref="HoldAsync"/> held.</summary>
    /// <param name="name">The record.</param>
    /// <param name="end">The position behind the last valid entry, where the file is cut off.</param>
    /// <param name="unknown">The files that some recipient does not have as sent.</param>
    public void Confirm(VersionName name, long end, IEnumerable<string> unknown)
    {
        try
        {
            using (var file = DiskFiles.Open(PathOf(name), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete))
            {
                DiskFiles.SetLength(file, end, PathOf(name));
                foreach (var path in unknown)
                    end = Append(file, new VersionRecord { Kind = VersionRecordKind.Void, Path = path }.ToBytes(), end, PathOf(name));
                // The void entries must be on the disk before a job builds on the other files.
                Disk.FlushFile(file, PathOf(name));
                Disk.Close(file, PathOf(name));
            }
            DiskFiles.Rename(PathOf(name), PathOf(name with { IsConfirmed = true }));
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // The record still prevents building on older ones, and is itself no base.
            Log.SpoolVersionLost(_logger, name.Job.ToString(), e.Message);
        }
    }

    /// <summary>Deletes the records about some recipients. Called with <see cref="HoldAsync"/> held.</summary>
    /// <param name="family">The family of jobs.</param>
    /// <param name="to">The recipients, each by <see cref="VersionHead.IdOf"/>.</param>
    public void Forget(string family, IReadOnlySet<string> to)
    {
        // Older records go too: the deleted ones prevented building on them, also for other recipients. The oldest first, so that this
        // holds whenever the work is broken off.
        foreach (var name in List(family).SkipWhile(name => !Concerns(name, to)).Reverse()) Delete(name);
    }

    /// <summary>Makes room for one more record of a family. Called with <see cref="HoldAsync"/> held.</summary>
    public void Trim(string family)
    {
        foreach (var name in List(family).Skip(MostJobs - 1).Reverse()) Delete(name);
        var files = new Dictionary<VersionName, FileStatus>();
        foreach (var name in List())
        {
            if (FileStatus.TryFind(PathOf(name), follow: false) is { } file) files.Add(name, file);
        }
        var total = LengthSum.Of(files.Values.Select(file => file.Length));
        var families = files.Keys.GroupBy(name => name.Family).OrderBy(group => group.Key == family).ThenBy(
            group => group.Max(name => files[name].ModifiedTicks));
        foreach (var name in families.SelectMany(group => group.OrderBy(name => name.Sequence)))
        {
            if (total <= MostBytes) return;
            total -= files[name].Length;
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
