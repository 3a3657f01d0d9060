using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.Local;
using Transfer.Modes;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// Tells in a target that unfinished files there are somebody's: a file with the name of their run, locked as long as there are any. The system unlocks it when its
/// process is killed, and the next receiver that starts there deletes what the run has left (<see cref="KilledRuns"/>).
/// </summary>
internal sealed class RunMark : IDisposable
{
    /// <summary>What stands in the mark of files that nobody goes on with.</summary>
    public const byte OfOneProcess = (byte)'p';

    /// <summary>In that of files that another process goes on with when their sender comes back.</summary>
    public const byte OfJob = (byte)'j';

    // A part of a hash: who looks into the folder need not read names there.
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

    /// <summary>Marks a run. Null: that can't be done here, and what is left by it stays.</summary>
    /// <param name="folder">The target.</param>
    /// <param name="run">The run, as its names have it.</param>
    /// <param name="kind"><see cref="OfOneProcess"/> or <see cref="OfJob"/>.</param>
    /// <param name="logger">Is told of what can't be done.</param>
    public static RunMark? TryMake(string folder, string run, byte kind, ILogger logger)
    {
        var path = Path.Join(folder, TemporaryNames.MarkOf(run));
        try
        {
            // Never through a link that somebody made of its name.
            if (LocalLinks.IsLink(path)) return null;
            var mark = new RunMark(LockedFile.Open(path, permissions: FinalMode.Unfinished), path, logger);
            RandomAccess.Write(mark._file.Handle, ContentOf(kind), 0);
            // Before it was locked somebody may have taken it for one that nobody holds; and a file system without locks would have everybody take it for that.
            if (DiskFiles.Exists(path) && IsHeld(path)) return mark;
            mark.Dispose();
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Log.RunNotMarked(logger, folder, e.Message);
        }
        return null;
    }

    /// <summary>What stands in a mark: its kind, and which machine it was made on.</summary>
    public static byte[] ContentOf(byte kind) => [kind, .. ThisMachine];

    /// <summary>Reads the <see cref="ContentOf"/> a mark. One that a power cut has emptied is nobody's, and of the kind that stays longer.</summary>
    public static (byte Kind, bool IsOfThisMachine) Read(LockedFile mark)
    {
        var content = new byte[1 + ThisMachine.Length];
        return RandomAccess.Read(mark.Handle, content, 0) == content.Length ? (content[0], content.AsSpan(1).SequenceEqual(ThisMachine)) : (OfJob, false);
    }

    /// <summary>Locks the mark of a run that was killed; null: it was not.</summary>
    public static LockedFile? TryTake(string path)
    {
        try
        {
            // A pipe of that name would be waited for for ever.
            return FileStatus.Find(path, follow: true) is { IsRegular: false } ? null : LockedFile.Open(path, FileMode.Open);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // Somebody has it, or it is not ours to open.
            return null;
        }
    }

    /// <summary>There is nothing unfinished any more.</summary>
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
