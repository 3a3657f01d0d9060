using System.Globalization;
using Transfer.Local;

namespace Transfer.Journal;

/// <summary>
/// Excludes a second run of a job, by a system lock on a file, which ends with the process, however that ends. Another file beside the
/// locked file names the owning process, since a locked file can't be read everywhere.
/// </summary>
internal sealed class JobLock : IDisposable
{
    private const string OwnerSuffix = ".run";

    // Each failed try means that another run of the job ended in just that moment.
    private const int MostTries = 100;

    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(200);

    private readonly string _path;
    private readonly LockedFile _file;

    private JobLock(string path, LockedFile file) => (_path, _file) = (path, file);

    /// <summary>Takes the lock, and waits for the lock as long as the settings allow.</summary>
    /// <param name="settings">Which, and how long.</param>
    /// <param name="job">The name of the job.</param>
    /// <param name="time">The clock.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Exists"/>: another run has the lock. Otherwise the file can't be created or locked.
    /// </exception>
    public static async ValueTask<JobLock> TakeAsync(JobLockSettings settings, string job, TimeProvider time, CancellationToken ct)
    {
        var path = LocalPath.Full(settings.Path);
        var started = time.GetTimestamp();
        while (true)
        {
            if (TryTake(path) is { } taken)
            {
                taken.WriteOwner(job, time);
                return taken;
            }
            var left = settings.Wait - time.GetElapsedTime(started);
            if (left <= TimeSpan.Zero) throw CreateTakenError(path, job, settings.Wait);
            await Task.Delay(left < Step ? left : Step, time, ct).ConfigureAwait(false);
        }
    }

    public void Dispose()
    {
        Delete(_path + OwnerSuffix);
        // Deleted under the lock, where open files can be deleted: a run that has opened the file by then finds another under the name, or
        // none.
        if (!OperatingSystem.IsWindows()) Delete(_path);
        _file.Dispose();
        if (OperatingSystem.IsWindows()) Delete(_path);
    }

    // Null: another run has the lock.
    private static JobLock? TryTake(string path)
    {
        try
        {
            DiskDirectories.Create(Path.GetDirectoryName(path)!);
            for (var tries = 0; tries < MostTries; tries++)
            {
                var file = LockedFile.Open(path);
                try
                {
                    if (OperatingSystem.IsWindows() || IsStillAt(path, file)) return new(path, file);
                }
                catch
                {
                    file.Dispose();
                    throw;
                }
                file.Dispose();
            }
            throw new IOException("Each file that is locked there is gone at once.");
        }
        catch (IOException e) when (LockedFile.IsTaken(e))
        {
            return null;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "The job's lock cannot be used:", path);
        }
    }

    // The opened file may have been deleted by the last owner since. All file systems keep even seconds.
    private static bool IsStillAt(string path, LockedFile file)
    {
        var mark = DateTime.UnixEpoch.AddSeconds(2 * Random.Shared.Next(1, 800_000_000));
        DiskFiles.SetModified(file.Handle, mark, path);
        return FileStatus.Find(path, follow: true)?.Modified == mark;
    }

    private void WriteOwner(string job, TimeProvider time)
    {
        try
        {
            using var owner = new StreamWriter(DiskFiles.OpenStream(_path + OwnerSuffix, FileMode.Create, FileAccess.Write));
            owner.Write(
                string.Create(CultureInfo.InvariantCulture, $"{Environment.ProcessId}\n{time.GetUtcNow():u}\n{PrintableText.Of(job)}\n"));
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // The lock holds without the owner's file; another run can't report the owner.
        }
    }

    private static TransferException CreateTakenError(string path, string job, TimeSpan wait)
    {
        var waited = wait > TimeSpan.Zero
            ? string.Create(CultureInfo.InvariantCulture, $", and did not end within {wait.TotalSeconds:0.#} s")
            : string.Empty;
        var message =
            $"Another run of this job is under way{Owner(path)}{waited}: {job}. Nothing was done. A longer LockWait (--wait SECONDS) "
            + "waits for its end.";
        return new(TransferError.Exists, message) { IsTransient = true };
    }

    // The owner's file is written a moment after the lock was taken.
    private static string Owner(string path)
    {
        try
        {
            using var owner = new StreamReader(DiskFiles.OpenStream(path + OwnerSuffix, FileMode.Open, FileAccess.Read));
            return (owner.ReadLine(), owner.ReadLine()) is ({ } process, { } since) ? $" (process {process}, since {since})" : string.Empty;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return string.Empty;
        }
    }

    private static void Delete(string path)
    {
        try
        {
            DiskFiles.Delete(path);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // An empty file stays, or on Windows the next run has opened the file already: neither locks anything.
        }
    }
}
