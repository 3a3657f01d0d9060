using Transfer.Sftp;
using Transfer.TestSupport.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>A server whose times have steps of two seconds.</summary>
internal sealed class SftpTimeStepTests
{
    [Test]
    public async Task A_synchronization_settles_in_the_process_that_has_sent_the_files_and_in_the_next()
    {
        using var folder = new TempFolder();
        for (var i = 0; i < 3; i++) folder.Add($"source/{i}", [1], Samples.Time.AddSeconds(i));
        await using var server = await SftpServerHarness.StartAsync(new() { Store = new CoarseStore(new MemoryStore()) });
        await using (var client = Client())
        {
            Assert.That(await SendAsync(client), Is.EqualTo(3));
            Assert.That(await SendAsync(client), Is.Zero);
        }
        await using var next = Client();
        Assert.That(await SendAsync(next), Is.Zero);

        SftpTransferClient Client() => server.Client(options => options with { LimitsFile = folder["limits"] });

        async Task<long> SendAsync(SftpTransferClient client) =>
            (await client.SynchronizeAsync(folder["source"], "/d", SyncDirection.Up)).Files;
    }

    private sealed class CoarseStore(ITestStore inner) : StoreFront(inner)
    {
        public override ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken ct = default) =>
            base.SetModifiedAsync(path, DateTimeOffset.FromUnixTimeSeconds(modified.ToUnixTimeSeconds() & ~1L), ct);
    }
}
