using Transfer.Batch;
using Transfer.Cli.Output;
using Transfer.Local;

namespace Transfer.Cli.Options;

/// <summary>
/// Where the command keeps the journals of its jobs: one for each kind, source and target, in the user's folder for states. Every job keeps
/// one, so
/// that --resume works after what nobody expected.
/// </summary>
internal sealed class Journals(CommandHost host, Messages messages, TransferSettings transfer)
{
    private readonly JournalDirectory? _jobs = StateFolder.Find(host, "jobs") is { } folder ? new(folder, host.TimeProvider) : null;

    /// <summary>The options of a folder's job.</summary>
    public DirectoryOptions Directory(string source, string target) => transfer.Directory with
    {
        Journal = PathFor("folder", source, target),
        Resume = transfer.Resume,
        Lock = LockFor("folder", source, target),
        LockWait = transfer.Wait,
    };

    /// <summary>The options of a folder that is made like another one.</summary>
    public SyncOptions Sync(string source, string target) => transfer.Sync with
    {
        Journal = PathFor("sync", source, target),
        Resume = transfer.Resume,
        Lock = LockFor("sync", source, target),
        LockWait = transfer.Wait,
    };

    /// <summary>The options of a folder that is sent to a receiver.</summary>
    public BatchSenderOptions Batch(string source, string target, BatchSenderOptions options) =>
        options with { Journal = PathFor("send", source, target), Resume = transfer.Resume };

    /// <summary>The options of an upload or a copy of one file.</summary>
    public UploadOptions Upload(string source, string target) => transfer.Upload with
    {
        Journal = PathFor("file", source, target),
        Resume = transfer.Resume,
        Lock = LockFor("file", source, target),
        LockWait = transfer.Wait,
    };

    /// <summary>The options of a download of one file.</summary>
    public DownloadOptions Download(string source, string target) => transfer.Download with
    {
        Journal = PathFor("file", source, target),
        Resume = transfer.Resume,
        Lock = LockFor("file", source, target),
        LockWait = transfer.Wait,
    };

    /// <summary>
    /// The options of files that are named one by one: it is the same job if they are asked for by the same names, in whatever order.
    /// </summary>
    public FilesOptions Files(IEnumerable<string> sources, string target)
    {
        var source = string.Join('\n', sources.Order(StringComparer.Ordinal));
        return transfer.Files with
        {
            Journal = PathFor("files", source, target),
            Resume = transfer.Resume,
            Lock = LockFor("files", source, target),
            LockWait = transfer.Wait,
        };
    }

    // A name may be tried as a file before it turns out to be a folder, and put and sync may have the same two sides: those are different
    // jobs.
    private string? PathFor(string kind, string source, string target)
    {
        if (transfer.DryRun) return null;
        if (_jobs is null)
        {
            if (transfer.Resume) throw new UsageException("--resume needs a folder for the journals of jobs: set XDG_STATE_HOME.");
            return null;
        }
        string? path = null;
        try
        {
            path = _jobs.JournalFor([kind, source, target, .. Part]);
            // Whether it can be written: one that is made for that goes again, since the job may be refused before it needs it.
            var options = File.Exists(path) ? FileOptions.None : FileOptions.DeleteOnClose;
            if (!transfer.Resume) File.OpenHandle(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, options).Dispose();
            return path;
        }
        catch (IOException e) when (LockedFile.IsTaken(e))
        {
            // Another run of the same job is under way: this one is refused when it begins.
            return path;
        }
        catch (Exception e) when (!transfer.Resume && e is IOException or UnauthorizedAccessException)
        {
            messages.Warning($"The job keeps no journal, so --resume will not continue it: {e.Message}");
            return null;
        }
    }

    // The lock is beside the journal, and there is one for a job that can keep none.
    private string? LockFor(string kind, string source, string target) =>
        transfer.DryRun ? null : _jobs?.LockFor([kind, Trim(source), Trim(target), .. Part]);

    // Each part of a job, and its last phase, is a job of its own.
    private IEnumerable<string> Part => transfer.Filter?.Shard is { } shard ? [shard.ToString()] : [];

    // With a slash behind it, it is the same folder.
    private static string Trim(string side) => side.TrimEnd('/', Path.DirectorySeparatorChar);
}
