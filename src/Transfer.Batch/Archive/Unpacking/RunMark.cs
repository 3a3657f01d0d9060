using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.Local;
using Transfer.Modes;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// Marks the unfinished files of a run in a target as owned: a file with the name of the run, locked as long as there are unfinished files.
/// The system releases the lock when the process is killed, and the next receiver that starts there deletes the run's leftovers
/// (<see cref="KilledRuns"/>).
/// </summary>
internal sealed class RunMark : IDisposable
{
    /// <summary>The kind of mark for files that no other process resumes.</summary>
    public const byte OfOneProcess = (byte)'p';

    /// <summary>The kind of mark for files that another process resumes when the sender returns.</summary>
    public const byte OfJob = (byte)'j';

    // A part of a hash: readers of the folder need not learn the machine's name.
    private static readonly byte[] ThisMachine = SHA256.HashData(Encoding.UTF8.GetBytes(Environment.MachineName))[..8];

    private readonly LockedFile _file;
    private readonly string _path;
    private readonly ILogger _logger;

    private RunMark(LockedFile file, string path, ILogger logger)
    {
        _file = file;
        _path = path;
        _logger = logger;
    }

    /// <summary>Marks a run. Null: impossible here, and leftovers stay.</summary>
    /// <param name="folder">The target.</param>
    /// <param name="run">The run, as in the temporary names.</param>
    /// <param name="kind"><see cref="OfOneProcess"/> or <see cref="OfJob"/>.</param>
    /// <param name="logger">Logs a failure.</param>
    public static RunMark? TryMake(string folder, string run, byte kind, ILogger logger)
    {
        var path = Path.Join(folder, TemporaryNames.MarkOf(run));
        RunMark? mark = null;
        try
        {
            // Never through a link that another user put in the name's place.
            if (LocalLinks.IsLink(path)) return null;
            mark = new RunMark(LockedFile.Open(path, permissions: FinalMode.Unfinished), path, logger);
            DiskFiles.Write(mark._file.Handle, ContentOf(kind), 0, path);
            // Before the lock, another receiver may have taken the mark for that of a killed run; and on a file system without locks every
            // receiver would.
            if (DiskFiles.Exists(path) && IsHeld(path)) return mark;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Log.RunNotMarked(logger, folder, e.Message);
        }
        mark?.Dispose();
        return null;
    }

    /// <summary>Returns the content of a mark: the kind, and the machine that made the mark.</summary>
    public static byte[] ContentOf(byte kind) => [kind, .. ThisMachine];

    /// <summary>Reads the <see cref="ContentOf"/> a mark. A mark without content, of a run that was killed before the content was written,
    /// or emptied by a power cut, names no machine (null), and is of the kind that stays longer.</summary>
    public static (byte Kind, bool? IsOfThisMachine) Read(LockedFile mark)
    {
        var content = new byte[1 + ThisMachine.Length];
        return RandomAccess.Read(mark.Handle, content, 0) == content.Length
            ? (content[0], content.AsSpan(1).SequenceEqual(ThisMachine)) : (OfJob, null);
    }

    /// <summary>Locks the mark of a killed run; null: the run was not killed.</summary>
    public static LockedFile? TryTake(string path)
    {
        try
        {
            // A pipe of that name would be waited for for ever.
            return FileStatus.Find(path, follow: true) is { IsRegular: false } ? null : LockedFile.Open(path, FileMode.Open);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // Locked by a running receiver, or not accessible to this user.
            return null;
        }
    }

    /// <summary>Removes the mark, once there are no unfinished files.</summary>
    public void Dispose()
    {
        _file.Dispose();
        DiskFiles.Discard(_path, _logger);
    }

    private static bool IsHeld(string path)
    {
        using var second = TryTake(path);
        return second is null;
    }
}
