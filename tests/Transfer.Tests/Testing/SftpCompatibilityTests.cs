using Transfer.Pooling;
using Transfer.Sftp;
using Transfer.Sftp.Session;

namespace Transfer.Tests.Testing;

/// <summary>Ways of SFTP that options force.</summary>
public sealed class SftpCompatibilityTests
{
    private static readonly UploadOptions Over = new() { Overwrite = OverwriteMode.Always, PreserveMode = true };

    [Test]
    public async Task An_old_file_is_replaced_by_plain_renames([Values] bool isForced)
    {
        await using var server = await SftpServerHarness.StartAsync();
        await using var client = server.Client(options => options with { Compatibility = new() { RenamesPlainly = isForced } });
        await client.PutAsync("/f", [1, 2, 3], Over);
        await client.PutAsync("/f", [4, 5], Over);
        Assert.That(await client.GetAsync("/f"), Is.EqualTo(new byte[] { 4, 5 }));
        Assert.That(server.Requests(), Has.Some.EqualTo(isForced ? "RENAME" : "posix-rename@openssh.com"));
        if (isForced) Assert.That(server.Requests(), Has.None.EqualTo("posix-rename@openssh.com"));
    }

    [Test]
    public async Task Attributes_are_left_to_the_server([Values] bool isForced)
    {
        await using var server = await SftpServerHarness.StartAsync();
        using var folder = new TempFolder();
        await using var client = server.Client(options => options with
        {
            Compatibility = new() { LeavesAttributes = isForced },
            LimitsFile = folder["limits"],
        });
        await client.UploadFileAsync(folder.Add("f", [1, 2, 3]), "/f");
        Assert.That(server.Requests().Any(request => request is "SETSTAT" or "FSETSTAT"), Is.Not.EqualTo(isForced));
        Assert.That((await client.ProbeAsync()).Abilities.Single(way => way.Name == "SetAttributes").IsForced, Is.EqualTo(isForced));
        await client.DisposeAsync();
        Assert.That(File.Exists(folder["limits"]) ? await File.ReadAllTextAsync(folder["limits"]) : "", Does.Not.Contain("=1"));
    }

    [Test]
    public async Task What_was_remembered_stays_where_it_is_forced()
    {
        await using var server = await SftpServerHarness.StartAsync();
        using var folder = new TempFolder();
        var line = $"{LimitsFile.KeyOf(server.Uri, null)} s1=1,s3=1,s8=1 {DateTimeOffset.UtcNow.ToUnixTimeSeconds()}\n";
        folder.Add("limits", System.Text.Encoding.ASCII.GetBytes(line));
        await using (var client = server.Client(options => options with
        {
            Compatibility = SftpCompatibility.Plainest,
            LimitsFile = folder["limits"],
        }))
        {
            await client.PutAsync("/a", [1]);
        }
        Assert.That(await File.ReadAllTextAsync(folder["limits"]), Does.Contain("s3=1").And.Contain("s8=1"));
    }

    [Test]
    public void What_is_forced_is_no_finding_that_others_would_remember()
    {
        var forced = new SftpTraits(memory: null, new() { AwaitsReplies = true, RenamesPlainly = true, LeavesAttributes = true });
        foreach (var trait in (SftpTrait[])[SftpTrait.Unordered, SftpTrait.NoPosixRename, SftpTrait.NoAttributes])
        {
            Assert.That((forced.Has(trait), forced.IsSettled(trait), forced.Settle(trait, has: false)), Is.EqualTo((true, true, false)));
            Assert.That(forced.Has(trait));
        }
        Assert.That(forced.ToString(), Is.EqualTo(new SftpTraits().ToString()));
    }
}
