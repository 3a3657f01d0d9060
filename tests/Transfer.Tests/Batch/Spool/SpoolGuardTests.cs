using System.Security.Cryptography;
using Transfer.Batch;
using Transfer.Batch.Archive;
using Transfer.Batch.Carriers.Spool;
using Transfer.Batch.Carriers.Spool.Fetching;
using Transfer.Batch.Sealing;

namespace Transfer.Tests.Batch.Spool;

/// <summary>What others can write to a store, and what became of a job before, never changes files that are here.</summary>
public sealed class SpoolGuardTests
{
    [TestCase("eve")]
    [TestCase("sender")]
    public async Task Nothing_of_an_archive_is_used_before_it_is_known_to_be_the_senders_own(string signer)
    {
        using var spool = new SpoolHarness();
        spool.Write("a", "content"u8.ToArray());
        await spool.SendAsync(["ann", "eve"]);
        await using var client = spool.Client();
        using var ring = spool.Key("eve").CreateRing();
        using var job = await ReadAsync(spool, client, "eve", ring);
        // A file in slices, in a folder of its own; sealed for ann under a secret that is not the job's.
        spool.Write("evil/large", new byte[9_000_000]);
        var good = File.ReadAllBytes(spool.Archives.Single());
        using var keys = JobKeys.Create(job.Id, spool.Key("ann").Public!.Recipient);
        await using var archives = FolderArchives.Open(spool.From, new BatchPackOptions { Manifest = job.Hash, Compress = false }, keys);
        using var content = new MemoryStream();
        await (await archives.NextAsync(default))!.WriteToAsync(content, default);
        var key = signer == "eve" ? spool.Key("eve") : spool.SenderKey;
        var path = spool.Archives.Single();
        File.WriteAllBytes(path, [.. content.ToArray(), .. key.Prove(SpoolStatement.OfArchive(job.Hash, 0, SHA256.HashData(content.ToArray())))]);
        Assert.That((await spool.FetchAsync("ann")).Failures.Single().Error!.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(Directory.Exists(spool.To("ann")) ? Directory.GetFileSystemEntries(spool.To("ann"), "*", SearchOption.AllDirectories) : [], Is.Empty);

        File.WriteAllBytes(path, good);
        Assert.That((await spool.FetchAsync("ann")).Failed, Is.Zero);
        Assert.That(SpoolHarness.Names(spool.To("ann")), Is.EqualTo(new[] { "a" }));
    }

    [Test]
    public async Task A_long_archive_is_held_in_a_file_that_goes_with_it([Values(1000, 9_000_000)] int length)
    {
        using var folder = new Cli.TempFolder();
        var scratch = folder.PathOf("scratch");
        var content = RandomNumberGenerator.GetBytes(length);
        await using (var held = await HeldArchive.ReadAsync(new MemoryStream(content), scratch, length, default))
        {
            using var read = new MemoryStream();
            await held.CopyToAsync(read);
            Assert.That(read.ToArray().AsSpan().SequenceEqual(content));
            Assert.That(File.Exists(scratch), Is.EqualTo(length > 1000));
        }
        Assert.That(File.Exists(scratch), Is.False);
        var error = await Assert.CatchAsync<TransferException>(async () => await HeldArchive.ReadAsync(new MemoryStream(content), scratch, length - 1, default));
        Assert.That((error!.Error, File.Exists(scratch)), Is.EqualTo((TransferError.Protocol, false)));
    }

    private static async Task<SpoolJob> ReadAsync(SpoolHarness spool, TransferClient client, string name, KeyRing ring)
    {
        var store = new SpoolStore(client, "spool", Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance);
        return (await SpoolJob.ReadAsync(store, SpoolNames.JobOf(Path.GetFileName(spool.Job))!.Value, spool.Key(name), ring, _ => true, default))!;
    }
}
