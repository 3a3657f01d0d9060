using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Carriers.Spool;
using Transfer.Batch.Carriers.Spool.Versions;
using Transfer.Batch.Sealing;
using Transfer.Tests.Batch.Delta;

namespace Transfer.Tests.Batch.Spool;

/// <summary>What a sender keeps of what it has sent, byte for byte.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class SentVersionTests : IDisposable
{
    private static readonly IReadOnlySet<string> To = new HashSet<string> { VersionHead.IdOf(new SpoolRecipient("ann")),
        VersionHead.IdOf(new SpoolRecipient("ben")) };

    private static readonly string Place = VersionStore.IdOf("a spool");

    private readonly TempFolder _folder = new();
    private readonly VersionName _name = new(VersionStore.IdOf("a family"), 1_700_000_000_000, JobId.New(), IsConfirmed: false);

    public void Dispose() => _folder.Dispose();

    [Test]
    public void Files_are_found_with_the_hashes_that_their_receiver_would_tell()
    {
        int[] lengths = [16_384, 16_385, 20_000, 100_001, 1_000_000];
        var path = Save(lengths);
        using var version = SentVersion.Open(path, _name);
        Assert.That((version.IsWhole, version.IsFor(To, Place), version.Concerns(To), version.Continues),
            Is.EqualTo((true, true, true, false)));
        foreach (var length in lengths)
        {
            var bytes = Samples.Bytes(length, length);
            using var files = new DeltaCase(bytes, [1, .. bytes]);
            var expected = files.Sign();
            var signature = version.Read(version.Find($"f{length}")!.Value)!;
            Assert.That((signature.Shape, signature.Hash),
                Is.EqualTo((expected.Shape with { Strong = 16 }, System.Security.Cryptography.SHA256.HashData(bytes))));
            for (var i = 0; i < expected.Shape.Blocks; i++)
            {
                Assert.That(signature.Weak(i), Is.EqualTo(expected.Weak(i)));
                Assert.That(signature.Strong(i).StartsWith(expected.Strong(i)));
            }
        }
        Assert.That(version.Find("void")!.Value.Kind, Is.EqualTo(VersionRecordKind.Void));
        Assert.That((version.Find("f"), version.Has("f20000"), version.Has("F20000")), Is.EqualTo(((VersionRecord?)null, true, false)));
        Assert.That(version.IsFor(new HashSet<string> { To.First() }, Place) || version.IsFor(To, VersionStore.IdOf("another")), Is.False);
        Assert.That(version.Concerns(new HashSet<string> { To.First() }));
        Assert.That(version.Concerns(new HashSet<string> { VersionHead.IdOf(new SpoolRecipient("cleo")) }), Is.False);
    }

    [Test]
    public void Wherever_it_is_cut_off_what_is_left_is_right_and_it_is_known_not_to_be_all()
    {
        var path = Save([16_384, 17_000]);
        var bytes = File.ReadAllBytes(path);
        for (var length = 0; length < bytes.Length; length++)
        {
            File.WriteAllBytes(path, bytes[..length]);
            using var version = SentVersion.Open(path, _name);
            Assert.That(version.IsWhole, Is.False, $"{length} bytes");
            Assert.That(version.Concerns(To));
            if (version.Find("f16384") is { } file)
            {
                Assert.That(version.Read(file)!.Hash,
                    Is.EqualTo(System.Security.Cryptography.SHA256.HashData(Samples.Bytes(16_384, 16_384))));
            }
        }
    }

    [Test]
    public void Whatever_is_changed_in_it_never_gives_other_hashes()
    {
        var path = Save([16_384, 17_000]);
        var bytes = File.ReadAllBytes(path);
        byte[][] entries = [EntriesOf(path, "f16384"), EntriesOf(path, "f17000")];
        for (var at = 0; at < bytes.Length; at++)
        {
            var changed = bytes.ToArray();
            changed[at] ^= 0x41;
            File.WriteAllBytes(path, changed);
            using var version = SentVersion.Open(path, _name);
            foreach (var (name, index) in (ReadOnlySpan<(string, int)>)[("f16384", 0), ("f17000", 1)])
            {
                if (version.Find(name) is { } file && version.Read(file) is { } signature)
                    Assert.That(Entries(signature), Is.EqualTo(entries[index]), $"byte {at}");
            }
        }
    }

    [Test]
    public void It_is_of_the_job_that_its_name_says_or_of_none()
    {
        var path = Save([16_384]);
        Assert.That(VersionName.Parse(_name.ToString()), Is.EqualTo(_name));
        Assert.That(VersionName.Parse((_name with { IsConfirmed = true }).ToString()), Is.EqualTo(_name with { IsConfirmed = true }));
        foreach (var text in (string[])["x.bases", ".pending", _name + "x", _name.ToString().ToUpperInvariant(), "a-b-c.bases"])
            Assert.That(VersionName.Parse(text), Is.Null, text);
        using var other = SentVersion.Open(path, _name with { Job = JobId.New() });
        using var absent = SentVersion.Open(path + "x", _name);
        Assert.That((other.IsWhole, other.Find("f16384"), absent.IsWhole, absent.Find("f16384")),
            Is.EqualTo((false, (VersionRecord?)null, false, (VersionRecord?)null)));
        Assert.That(other.Concerns(To) && absent.Concerns(To), "for all that is known");
    }

    [Test]
    public void What_somebody_lacks_is_unknown_from_then_on_and_the_rest_is_not()
    {
        Save([16_384, 17_000]);
        var store = Store();
        using (var version = SentVersion.Open(store.PathOf(_name), _name)) store.Confirm(_name, version.End, ["f17000"]);
        Assert.That(store.List(_name.Family).Single().IsConfirmed);
        Assert.That(store.FindPending(_name.Job), Is.Null);
        using var confirmed = SentVersion.Open(store.PathOf(_name with { IsConfirmed = true }), _name with { IsConfirmed = true });
        Assert.That((confirmed.IsWhole, confirmed.Find("f17000")!.Value.Kind, confirmed.Find("f16384")!.Value.Kind),
            Is.EqualTo((true, VersionRecordKind.Void, VersionRecordKind.File)));
        store.Forget(_name.Family, To);
        Assert.That(store.List(_name.Family), Is.Empty);
    }

    [Test]
    public async Task Whoever_opens_what_there_is_waits_until_another_run_has_confirmed_a_job()
    {
        Save([16_384]);
        var store = Store();
        using var versions = new SentVersions(Store(), new Transfer.Local.LocalTreeReader(_folder.Path, NullLogger.Instance), _name.Family,
            Place, [.. To]);
        Task opening, beginning;
        using (await store.HoldAsync(default))
        {
            opening = versions.OpenAsync(default).AsTask();
            Assert.That(opening.IsCompleted, Is.False);
            beginning = versions.BeginAsync(JobId.New(), _name.Sequence, default).AsTask();
            Assert.That(beginning.IsCompleted, Is.False, "its place is behind all that there are");
            using var version = SentVersion.Open(store.PathOf(_name), _name);
            store.Confirm(_name, version.End, []);
        }
        await Task.WhenAll(opening, beginning).WaitAsync(SpoolHarness.Patience);
        Assert.That(await versions.IsWorthwhileAsync(default), "it is built on");
        Assert.That(store.List(_name.Family).Select(name => (name.Sequence, name.IsConfirmed)),
            Is.EqualTo(new[] { (_name.Sequence + 1, false), (_name.Sequence, true) }));
    }

    [Test]
    public async Task Of_two_runs_that_confirm_a_job_the_second_leaves_what_the_first_has_said()
    {
        using var spool = new SpoolHarness { Deltas = true };
        spool.Write("f", Samples.Bytes(20_000));
        await spool.SendAsync(["ann"]);
        await spool.FetchAsync("ann");
        var lost = new List<string>();
        using var logger = new Engine.LogEvents(["SpoolVersionLost"], lost.Add);
        var store = new VersionStore(new SpoolState(spool.State("sender")), TimeProvider.System, logger);
        var name = store.List(Path.GetFileName(Directory.GetFiles(spool.State("sender"), "*.pending").Single())[..32]).Single();
        await using var client = new WatchedClient(spool.Root)
        {
            // The second one has found the job by then, and reads what is said of it.
            OnRead = async path =>
            {
                if (SpoolNames.ConfirmationOf(Path.GetFileName(path)) is null) return;
                using var held = await store.HoldAsync(default);
                using var version = SentVersion.Open(store.PathOf(name), name);
                store.Confirm(name, version.End, ["f"]);
            },
        };
        using var ring = spool.SenderKey.CreateRing();
        var spoolStore = new SpoolStore(client, "spool", NullLogger.Instance);
        using var job = await SpoolJob.ReadAsync(spoolStore, name.Job, spool.SenderKey, ring, _ => true, default);
        using var second = new ConfirmedVersions(new VersionStore(new SpoolState(spool.State("sender")), TimeProvider.System, logger),
            logger);
        Assert.That(await second.KeepAsync(job!, (await job!.ReadEndAsync(default))!,
            (await spoolStore.ListAsync(job.Id, below: 0, default))!, default), Is.Empty);
        using var confirmed = SentVersion.Open(store.PathOf(name with { IsConfirmed = true }), name with { IsConfirmed = true });
        Assert.That((confirmed.Find("f")!.Value.Kind, confirmed.IsWhole, lost.Count), Is.EqualTo((VersionRecordKind.Void, true, 0)));
    }

    [Test]
    public void With_what_was_sent_to_some_all_that_is_older_is_forgotten_and_what_is_newer_and_for_others_is_not()
    {
        var store = Store();
        HashSet<string> others = [VersionHead.IdOf(new SpoolRecipient("cleo"))];
        for (var i = 0; i < 4; i++) Create(store, i, i is 0 or 3 ? others : To).Dispose();
        store.Forget(_name.Family, new HashSet<string> { To.First() });
        Assert.That(store.List(_name.Family).Select(name => name.Sequence), Is.EqualTo(new[] { 3L }),
            "the oldest could be built on, but for what was in its way");
    }

    [Test]
    public void Of_more_files_than_are_kept_those_are_unknown_and_so_are_those_of_which_it_is_said_behind_them()
    {
        var path = Save([16_384, 17_000, 18_000]);
        var store = Store();
        using (var version = SentVersion.Open(path, _name, mostFiles: 2)) store.Confirm(_name, version.End, ["f17000", "f18000"]);
        using var confirmed = SentVersion.Open(store.PathOf(_name with { IsConfirmed = true }), _name with { IsConfirmed = true },
            mostFiles: 2);
        Assert.That((confirmed.Find("f16384")?.Kind, confirmed.Find("f17000")?.Kind),
            Is.EqualTo(((VersionRecordKind?)VersionRecordKind.File, (VersionRecordKind?)VersionRecordKind.Void)));
        Assert.That((confirmed.Find("f18000"), confirmed.IsWhole), Is.EqualTo(((VersionRecord?)null, false)), "which is known");
    }

    [Test]
    public void An_older_one_is_of_no_use_when_a_newer_one_to_the_same_through_the_same_spool_tells_of_all_its_files()
    {
        var store = Store();
        SentVersion Open(int number, string place, params string[] paths)
        {
            using (var writer = Create(store, number, To, place))
            {
                foreach (var path in paths) writer.AddVoid(path);
                writer.Complete();
            }
            return SentVersion.Open(store.PathOf(_name with { Sequence = number }), _name with { Sequence = number });
        }
        using var older = Open(1, Place, "a", "b");
        using var all = Open(2, Place, "a", "b", "c");
        using var less = Open(3, Place, "a", "c");
        using var elsewhere = Open(4, VersionStore.IdOf("another"), "a", "b", "c");
        Assert.That((all.Covers(older), less.Covers(older), elsewhere.Covers(older), older.Covers(all)),
            Is.EqualTo((true, false, false, false)));
    }

    [Test]
    public void Of_many_jobs_the_oldest_are_forgotten()
    {
        var store = Store();
        for (var i = 0; i < 40; i++) Create(store, i, To).Dispose();
        store.Trim(_name.Family);
        Assert.That(store.List(_name.Family).Select(name => name.Sequence),
            Is.EqualTo(Enumerable.Range(0, VersionStore.MostJobs - 1).Select(i => 39L - i)));
    }

    [Test]
    public void A_file_that_is_not_as_it_was_packed_is_not_signed()
    {
        _folder.Add("f", Samples.Bytes(20_000));
        var path = _folder["f"];
        var stamp = new SourceStamp(20_000, File.GetLastWriteTimeUtc(path).Ticks);
        Assert.That(FileSigner.Sign(path, stamp, out _, default), Is.Not.Null);
        Assert.That(FileSigner.Sign(path, stamp with { Length = 19_999 }, out _, default), Is.Null);
        Assert.That(FileSigner.Sign(path, stamp with { Modified = stamp.Modified + 1 }, out _, default), Is.Null);
        Assert.That(FileSigner.Sign(path + "x", stamp, out _, default), Is.Null);
    }

    private VersionStore Store() => new(new SpoolState(_folder["state"]), TimeProvider.System, NullLogger.Instance);

    private static byte[] Entries(BaseSignature signature) =>
        [.. Enumerable.Range(0, signature.Shape.Blocks).SelectMany(
            i => (byte[])[.. BitConverter.GetBytes(signature.Weak(i)), .. signature.Strong(i)])];

    private SentVersionWriter Create(VersionStore store, int sequence, IReadOnlySet<string> to, string? place = null)
    {
        var name = _name with { Sequence = sequence };
        return SentVersionWriter.Create(store.PathOf(name), new VersionHead(name, false, to, place ?? Place))!;
    }

    private byte[] EntriesOf(string path, string file)
    {
        using var version = SentVersion.Open(path, _name);
        return Entries(version.Read(version.Find(file)!.Value)!);
    }

    private string Save(int[] lengths)
    {
        var path = Path.Combine(_folder["state"], _name.ToString());
        Directory.CreateDirectory(_folder["state"]);
        using var writer = SentVersionWriter.Create(path, new VersionHead(_name, false, To, Place))!;
        foreach (var length in lengths)
        {
            _folder.Add("source", Samples.Bytes(length, length));
            var source = _folder["source"];
            var (hash, count) = FileSigner.Sign(source, new SourceStamp(length, File.GetLastWriteTimeUtc(source).Ticks), out var entries,
                default)!.Value;
            var record = new VersionRecord
            {
                Kind = VersionRecordKind.File,
                Path = $"f{length}",
                Length = length,
                Hash = hash,
                Entries = count,
                Checksum = JournalFile.Checksum(entries.AsSpan(0, count))
            };
            writer.Add(record, entries.AsSpan(0, count));
        }
        writer.AddVoid("void");
        writer.Complete();
        return path;
    }
}
