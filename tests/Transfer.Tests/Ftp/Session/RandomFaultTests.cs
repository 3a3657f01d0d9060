using System.Collections.Concurrent;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Faults at random: what is reported done is whole, what failed is absent or old, and nothing half has a final name.</summary>
[Category(Categories.Slow)]
public sealed class RandomFaultTests
{
    private const int Files = 300;

    [Test]
    public async Task Whatever_strikes_each_file_is_whole_or_told_of([Range(1, 4)] int seed)
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { MaxSessions = 4 });
        using var folder = new TempFolder();
        var old = FtpHarness.Content(77, seed: -1);
        for (var i = 0; i < Files; i++)
        {
            folder.Add($"f{i}", FtpHarness.Content(1000 + (i * 37), i));
            if (i % 3 == 0) ftp.Store.AddFile($"/in/f{i}", old);
        }
        Script(ftp.Server.Faults, new Random(seed));
        var done = new ConcurrentBag<ItemResult>();
        var upload = ftp.Client.StartUploadDirectory(folder.Path, "/in", new DirectoryOptions { Overwrite = OverwriteMode.Always },
            readItems: true).TellAsync(new Recorder(done));
        for (var n = 1; n <= 5 && !upload.IsCompleted; n++)
        {
            var target = n * 40;
            while (!upload.IsCompleted && ftp.Server.Commands.Count(c => c.Verb == "STOR") < target) await Task.Delay(2);
            ftp.Server.DropConnections();
        }
        var result = await upload.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.That(result.Files + result.Failed, Is.EqualTo(Files));
        var failed = result.Failures.Select(failure => failure.Path.Split('/')[^1]).ToHashSet();
        Assert.That(failed, Has.Count.EqualTo(result.Failed));
        Assert.That(done, Has.Count.EqualTo(Files));
        for (var i = 0; i < Files; i++)
        {
            var (name, path) = ($"f{i}", $"/in/f{i}");
            var there = ftp.Store.Exists(path) ? ftp.Store.ReadFile(path) : null;
            if (!failed.Contains(name)) Assert.That(there, Is.EqualTo(folder.Read(name)), name);
            else if (there is not null && !there.AsSpan().SequenceEqual(folder.Read(name)))
                Assert.That(there, Is.EqualTo(i % 3 == 0 ? old : null), name);
        }
    }

    private static void Script(FtpFaults faults, Random random)
    {
        string[] verbs = ["EPSV", "STOR", "SIZE", "RNFR", "RNTO", "MFMT"];
        for (var i = 0; i < 8; i++)
        {
            var verb = verbs[random.Next(verbs.Length)];
            var skip = random.Next(Files);
            switch (random.Next(7))
            {
                case 0: faults.DropConnection(verb, skip: skip); break;
                case 1: faults.DropConnection(verb, executed: true, skip: skip); break;
                case 2: faults.CutData(random.Next(3000), "STOR", reset: random.Next(2) == 0, skip: skip); break;
                case 3: faults.LoseData(random.Next(900), "STOR", skip: skip); break;
                case 4: faults.Reply("STOR", "451 no", skip: skip); break;
                case 5: faults.Reply("RNTO", "451 no", skip: skip); break;
                default: faults.ReplyTwice(verb, skip: skip); break;
            }
        }
    }

    private sealed class Recorder(ConcurrentBag<ItemResult> items) : IProgress<ItemResult>
    {
        public void Report(ItemResult value) => items.Add(value);
    }
}
