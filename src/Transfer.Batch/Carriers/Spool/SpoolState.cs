using System.Buffers.Binary;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>The folder with the records of senders and recipients of spools, accessible to one user only.</summary>
internal sealed class SpoolState
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);
    private const int Tries = 250;

    private readonly string _folder;

    /// <param name="folder">The folder; created if missing.</param>
    /// <exception cref="TransferException">Creating the folder failed.</exception>
    public SpoolState(string folder)
    {
        _folder = LocalPath.Full(folder);
        try
        {
            DiskDirectories.Create(_folder, isPrivate: true);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot make the folder for the spool's state", _folder);
        }
    }

    /// <summary>The folder.</summary>
    public string Folder => _folder;

    /// <summary>Returns the path of a file in the folder, named by a hash of its subject, any text, and an ending.</summary>
    public string PathOf(string what, string ending) =>
        Path.Combine(_folder, Convert.ToHexStringLower(SHA256.HashData(NameEncoding.LosslessUtf8.GetBytes(what))[..16]) + ending);

    /// <summary>Locks a task for this process until the lock is disposed of; null: another process has the lock.</summary>
    public LockedFile? TryLock(string what)
    {
        var path = PathOf(what, ".lock");
        try
        {
            return LockedFile.Open(path);
        }
        catch (IOException e) when (LockedFile.IsTaken(e))
        {
            return null;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "The spool's state can't be kept:", path);
        }
    }

    /// <summary>Changes a lasting number, which other processes may be changing too.</summary>
    /// <param name="what">The subject of the number.</param>
    /// <param name="change">Receives the number so far, 0 at first, and returns the new one.</param>
    /// <param name="time">The clock.</param>
    /// <param name="ct">Stops waiting for the other processes.</param>
    public async ValueTask<long> ChangeAsync(string what, Func<long, long> change, TimeProvider time, CancellationToken ct)
    {
        using var held = await HoldAsync(what, change, Tries, time, ct).ConfigureAwait(false);
        return held.Value;
    }

    /// <summary>Returns a random number, not 0, which stays the same after the first call.</summary>
    public ValueTask<long> RandomAsync(string what, TimeProvider time, CancellationToken ct) =>
        ChangeAsync(what,
            known => known != 0 ? known
                : RandomNumberGenerator.GetInt32(int.MaxValue) + ((long)RandomNumberGenerator.GetInt32(1, int.MaxValue) << 32), time, ct);

    /// <summary>As <see cref="ChangeAsync"/>, but with the number locked until disposed of; other processes wait.</summary>
    public ValueTask<HeldNumber> HoldAsync(string what, Func<long, long> change, TimeProvider time, CancellationToken ct) =>
        HoldAsync(what, change, int.MaxValue, time, ct);

    private async ValueTask<HeldNumber> HoldAsync(string what, Func<long, long> change, int mostTries, TimeProvider time,
        CancellationToken ct)
    {
        var path = PathOf(what, ".number");
        for (var tries = 1; ; tries++)
        {
            LockedFile? file = null;
            try
            {
                file = LockedFile.Open(path);
                return new HeldNumber(file, Change(file.Handle, path, change));
            }
            catch (IOException e) when (file is null && tries < mostTries && LockedFile.IsTaken(e))
            {
                // Another process has the file open, for a short time.
                await Task.Delay(Pause, time, ct).ConfigureAwait(false);
            }
            catch (Exception e) when (LocalErrors.IsLocal(e))
            {
                file?.Dispose();
                throw LocalErrors.Map(e, "The spool's state can't be kept:", path);
            }
        }
    }

    private static long Change(SafeFileHandle file, string path, Func<long, long> change)
    {
        Span<byte> bytes = stackalloc byte[sizeof(long)];
        var known = DiskFiles.Read(file, bytes, 0, path) == bytes.Length ? BinaryPrimitives.ReadInt64BigEndian(bytes) : 0;
        var changed = change(known);
        if (changed == known) return known;
        BinaryPrimitives.WriteInt64BigEndian(bytes, changed);
        DiskFiles.Write(file, bytes, 0, path);
        Disk.FlushFile(file, path);
        return changed;
    }
}
