using System.Buffers.Binary;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>The folder in which senders and recipients of spools remember things: it is its user's alone.</summary>
internal sealed class SpoolState
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);
    private const int Tries = 250;

    private readonly string _folder;

    /// <param name="folder">The folder; made if need be.</param>
    /// <exception cref="TransferException">It can't be made.</exception>
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

    /// <summary>A file in it, whose name begins with what it is of; the rest of that may be anything.</summary>
    public string PathOf(string what, string ending) => Path.Combine(_folder, Convert.ToHexStringLower(SHA256.HashData(NameEncoding.LosslessUtf8.GetBytes(what))[..16]) + ending);

    /// <summary>What only one at a time may do, until it disposes of this; null: somebody else does it.</summary>
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

    /// <summary>Changes a number that outlasts this process, and that other processes may be changing.</summary>
    /// <param name="what">What it is of.</param>
    /// <param name="change">Gets the number so far, 0 at first, and gives the new one.</param>
    /// <param name="time">The clock.</param>
    /// <param name="ct">Stops waiting for the others.</param>
    public async ValueTask<long> ChangeAsync(string what, Func<long, long> change, TimeProvider time, CancellationToken ct)
    {
        using var held = await HoldAsync(what, change, Tries, time, ct).ConfigureAwait(false);
        return held.Value;
    }

    /// <summary>A random number, not 0, which stays what it is once it was asked for.</summary>
    public ValueTask<long> RandomAsync(string what, TimeProvider time, CancellationToken ct) =>
        ChangeAsync(what, known => known != 0 ? known : RandomNumberGenerator.GetInt32(int.MaxValue) + ((long)RandomNumberGenerator.GetInt32(1, int.MaxValue) << 32), time, ct);

    /// <summary>As <see cref="ChangeAsync"/>, but nobody else can change the number until it is let go of; who wants to waits.</summary>
    public ValueTask<HeldNumber> HoldAsync(string what, Func<long, long> change, TimeProvider time, CancellationToken ct) => HoldAsync(what, change, int.MaxValue, time, ct);

    private async ValueTask<HeldNumber> HoldAsync(string what, Func<long, long> change, int mostTries, TimeProvider time, CancellationToken ct)
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
                // Another process has it open, which is not for long.
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
