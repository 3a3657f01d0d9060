using Transfer.Batch;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Carriers;
using Transfer.Batch.Carriers.Direct;
using Transfer.Batch.Sealing;

namespace Transfer.TestSupport.Batch;

/// <summary>The archives of a folder, some of which do not open.</summary>
/// <param name="archives">The folder's.</param>
/// <param name="spoils">Asked of an archive's number, and how often it was written before.</param>
internal sealed class SpoilingSource(IArchiveSource archives, Func<long, int, bool> spoils) : IArchiveSource
{
    /// <summary>Sends a folder in archives of ten files; what does not open is carried twice.</summary>
    public static async Task<JobResult> SendAsync(BatchAddress address, string folder, Func<long, int, bool> spoils)
    {
        using var shared = new SharedKey(address.Token.DeriveKey(DirectSealing.Purpose));
        using var keys = JobKeys.Create(shared);
        await using var archives = FolderArchives.Open(folder, new BatchPackOptions { ArchiveFiles = 10 }, keys);
        await DirectHarness.SendAsync(address, new SpoilingSource(archives, spoils), retry: DirectHarness.Quick with { Attempts = 2 },
            job: keys.Job.ToArray());
        await archives.CompleteAsync(null);
        return archives.Tally.ToResult(TimeSpan.Zero, 1);
    }

    public async ValueTask<OutgoingArchive?> NextAsync(CancellationToken ct) =>
        await archives.NextAsync(ct) is { } archive ? new SpoiltArchive(archive, spoils) : null;

    private sealed class SpoiltArchive(OutgoingArchive archive, Func<long, int, bool> spoils) : OutgoingArchive
    {
        private int _written;

        public override long Index => archive.Index;

        public override async ValueTask WriteToAsync(Stream destination, CancellationToken ct)
        {
            using var sealedBytes = new MemoryStream();
            await archive.WriteToAsync(sealedBytes, ct);
            var bytes = sealedBytes.ToArray();
            if (spoils(Index, _written++)) bytes[^1] ^= 1;
            await destination.WriteAsync(bytes, ct);
        }

        public override void Confirm(ArchiveReceipt receipt) => archive.Confirm(receipt);

        public override void Fail(TransferException error) => archive.Fail(error);
    }
}
