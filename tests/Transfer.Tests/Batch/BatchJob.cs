using Transfer.Batch;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Batch.Carriers;
using Transfer.Batch.Sealing;
using Transfer.Local;

namespace Transfer.Tests.Batch;

/// <summary>Two folders and a key that both sides have.</summary>
internal sealed class BatchJob : IDisposable
{
    private readonly SharedKey _key = new(new byte[SharedKey.Length]);

    public BatchJob(bool isSealed = true, bool onDisk = false)
    {
        Target = new TempFolder(onDisk);
        Keys = isSealed ? JobKeys.Create(_key) : JobKeys.Unsealed(JobId.New());
        Ring = new KeyRing(_key) { AllowsUnsealed = !isSealed };
    }

    public JobKeys Keys { get; }

    public KeyRing Ring { get; }

    public TempFolder Source { get; } = new();

    public TempFolder Target { get; }

    /// <summary>For files without names at the target; none: all of them have temporary ones.</summary>
    public OpenFiles Places { get; init; } = OpenFiles.OfProcess;

    public FolderArchives Pack(BatchPackOptions? options = null) =>
        FolderArchives.Open(Source.Path, options ?? new BatchPackOptions(), Keys);

    public FolderUnpacker Unpack(BatchUnpackOptions? options = null) =>
        new(Target.Path, (options ?? new BatchUnpackOptions { Durability = Durability.None }) with { Places = Places }, Ring);

    /// <summary>All archives of a folder, with their bytes.</summary>
    public static async Task<List<(OutgoingArchive Archive, byte[] Bytes)>> WriteAsync(FolderArchives archives)
    {
        var written = new List<(OutgoingArchive, byte[])>();
        while (await archives.NextAsync(default) is { } archive) written.Add((archive, await WriteAsync(archive)));
        return written;
    }

    public static async Task<byte[]> WriteAsync(OutgoingArchive archive)
    {
        using var stream = new MemoryStream();
        await archive.WriteToAsync(stream, default);
        return stream.ToArray();
    }

    /// <summary>Carries everything, and ends both sides.</summary>
    public async Task<JobResult> CarryAsync(BatchPackOptions? pack = null, BatchUnpackOptions? unpack = null)
    {
        await using var archives = Pack(pack);
        await using var unpacker = Unpack(unpack);
        foreach (var (archive, bytes) in await WriteAsync(archives))
        {
            archive.Confirm(
                await unpacker.ReceiveAsync(archive.Index, new MemoryStream(bytes), default));
        }

        Assert.That(await unpacker.CompleteAsync(default), Is.Empty);
        await archives.CompleteAsync(null);
        return archives.Tally.ToResult(TimeSpan.Zero, 1);
    }

    /// <summary>An archive whose payload somebody else has made.</summary>
    public async Task<byte[]> SealAsync(byte[] payload, long index = 0, bool isAgain = false)
    {
        using var stream = new MemoryStream();
        var header = new ArchiveHeader
        {
            Job = Keys.Job,
            Index = index,
            IsSealed = Keys.Secret is not null,
            MayBeRepeated = isAgain,
            FrameBits = 12,
            Salt = new byte[ArchiveHeader.SaltLength],
            Wraps = Keys.Wraps,
        };
        await using var writer = new ArchiveWriter(stream, header, Keys.Secret, compress: true);
        await writer.WriteAsync(payload, default);
        await writer.CompleteAsync(default);
        return stream.ToArray();
    }

    public void Dispose()
    {
        Source.Dispose();
        Target.Dispose();
        Keys.Dispose();
        Ring.Dispose();
        _key.Dispose();
    }
}
