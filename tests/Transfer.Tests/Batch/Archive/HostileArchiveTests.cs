using System.Runtime.Versioning;
using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Batch.Carriers;
using Transfer.Local;

namespace Transfer.Tests.Batch.Archive;

/// <summary>Archives that were sealed with the right key by somebody who means ill.</summary>
public sealed class HostileArchiveTests
{
    [TestCase("../out")]
    [TestCase("a/../../out")]
    [TestCase("a/../b")]
    [TestCase("./a")]
    [TestCase("/tmp/transfer-out")]
    [TestCase("/out")]
    [TestCase("a//b")]
    [TestCase("a/./b")]
    [TestCase(".transfer-0123456789abcdef-1.part")]
    [TestCase(".transfer-0123456789abcdef-1.part/x")]
    public async Task Paths_that_lead_elsewhere_are_refused(string path)
    {
        using var job = new BatchJob();
        var receipt = await ReceiveAsync(job, new TarBuilder().Add(path, "x").Add("good", "y"));
        Assert.That(receipt.Failures.Single().Error, Is.EqualTo(TransferError.Denied));
        Assert.That(receipt.Failures.Single().Path, Is.EqualTo(path));
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "good" }));
        Assert.That(File.Exists("/tmp/transfer-out"), Is.False);
    }

    [TestCase("C:/x")]
    [TestCase("C:x")]
    [TestCase("a\\..\\b")]
    [TestCase("file:stream")]
    [TestCase("nul.txt")]
    [TestCase("dot.")]
    public async Task Names_that_Windows_reads_otherwise_are_refused_there(string path)
    {
        using var job = new BatchJob();
        await using var unpacker = new FolderUnpacker(
            job.Target.Path, new BatchUnpackOptions(), job.Ring, new LocalNames(windows: true, ignoresCase: true, normalizes: false));
        var receipt = await ReceiveAsync(job, new TarBuilder().Add(path, "x"), unpacker);
        Assert.That(receipt.Failures.Single().Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(job.Target.Files, Is.Empty);
    }

    [TestCase("/etc")]
    [TestCase("..")]
    [TestCase("../x")]
    [TestCase("a/../..")]
    public async Task Links_that_lead_out_are_not_made(string text)
    {
        using var job = new BatchJob();
        var receipt = await ReceiveAsync(job, new TarBuilder().Add("link", type: TarEntryType.Link, link: text));
        Assert.That(receipt.Failures.Single().Error, Is.EqualTo(TransferError.Denied));
        Assert.That(new FileInfo(job.Target["link"]).LinkTarget, Is.Null);
    }

    [Test]
    public async Task Nothing_is_written_through_a_link_that_an_archive_made()
    {
        using var job = new BatchJob();
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Overwrite = OverwriteMode.Always });
        // In one archive: links come last, so there the folder is in the link's way.
        var first = await ReceiveAsync(job, new TarBuilder().Add("l", type: TarEntryType.Link, link: "inner").Add("l/x", "x"), unpacker);
        Assert.That(first.Failures.Single().Path, Is.EqualTo("l"));
        var second = await ReceiveAsync(job, new TarBuilder().Add("m", type: TarEntryType.Link, link: "inner"), unpacker, 1);
        Assert.That(second.Failures, Is.Empty);
        var third = await ReceiveAsync(job, new TarBuilder().Add("m/x", "x").Add("m/y/z", "x").Add("m", type: TarEntryType.Directory),
            unpacker, 2);
        Assert.That(third.Failures.Select(failure => failure.Error), Is.All.EqualTo(TransferError.Denied));
        Assert.That(third.Failures, Has.Count.EqualTo(3));
        // A file takes the link's own place.
        var fourth = await ReceiveAsync(job, new TarBuilder().Add("m", "file"), unpacker, 3);
        Assert.That(fourth.Failures, Is.Empty);
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "l/x", "m" }));
        Assert.That(new FileInfo(job.Target["m"]).LinkTarget, Is.Null);
    }

    [Test]
    public async Task Nothing_is_written_through_a_link_that_was_there()
    {
        using var job = new BatchJob();
        using var outside = new TempFolder();
        Directory.CreateSymbolicLink(job.Target["out"], outside.Path);
        var receipt = await ReceiveAsync(job, new TarBuilder().Add("out/x", "x"));
        Assert.That(receipt.Failures.Single().Error, Is.EqualTo(TransferError.Denied));
        Assert.That(outside.Files, Is.Empty);
    }

    [Test]
    public async Task A_slice_is_not_written_through_a_link_of_its_temporary_name()
    {
        using var job = new BatchJob();
        using var outside = new TempFolder();
        var victim = outside.Add("victim", "precious"u8.ToArray());
        File.CreateSymbolicLink(job.Target[$".transfer-{job.Keys.Job.Short:x16}-1.part"], victim);
        var receipt = await ReceiveAsync(job, new TarBuilder().Add("large", "evil", slice: new TarSlice(1, 0, 4)));
        Assert.That(receipt.Failures.Single().Error, Is.EqualTo(TransferError.Denied));
        Assert.That(outside.Read("victim"), Is.EqualTo("precious"u8.ToArray()));
    }

    [TestCase('1')]
    [TestCase('3')]
    [TestCase('4')]
    [TestCase('6')]
    [TestCase('S')]
    public async Task Hard_links_devices_and_pipes_are_refused(char type)
    {
        using var job = new BatchJob();
        var receipt = await ReceiveAsync(job, new TarBuilder().AddRaw("thing", type).Add("good", "y"));
        Assert.That(receipt.Failures.Single().Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "good" }));
    }

    [Test]
    public async Task A_name_twice_is_taken_once()
    {
        using var job = new BatchJob();
        var receipt = await ReceiveAsync(job, new TarBuilder().Add("a", "first").Add("a", "second").Add("d/x", "x").Add("d", "file"));
        Assert.That(receipt.Failures.Select(failure => failure.Path), Is.EqualTo(new[] { "a", "d" }));
        Assert.That(job.Target.Read("a"), Is.EqualTo("first"u8.ToArray()));
        Assert.That(job.Target.Read("d/x"), Is.EqualTo("x"u8.ToArray()));
    }

    [Test]
    public async Task Names_that_are_the_same_here_are_taken_once()
    {
        using var job = new BatchJob();
        await using var unpacker = new FolderUnpacker(
            job.Target.Path, new BatchUnpackOptions { Overwrite = OverwriteMode.Always }, job.Ring,
            new LocalNames(windows: false, ignoresCase: true, normalizes: false));
        var first = await ReceiveAsync(job, new TarBuilder().Add("File", "1").Add("file", "2").Add("Dir/a", "3").Add("dir/b", "4"),
            unpacker);
        Assert.That(first.Failures.Select(failure => failure.Path), Is.EqualTo(new[] { "file", "dir/b" }));
        var second = await ReceiveAsync(job, new TarBuilder().Add("FILE", "5").Add("File", "6"), unpacker, 1);
        Assert.That(second.Failures.Select(failure => failure.Path), Is.EqualTo(new[] { "FILE" }));
        Assert.That(job.Target.Read("File"), Is.EqualTo("6"u8.ToArray()));
    }

    [Test]
    public async Task Names_that_are_no_UTF8_keep_their_bytes_where_names_are_bytes_and_are_refused_elsewhere([Values] bool windows)
    {
        using var job = new BatchJob();
        var names = new LocalNames(windows, ignoresCase: false, normalizes: false);
        await using var unpacker = new FolderUnpacker(job.Target.Path, new BatchUnpackOptions(), job.Ring, names);
        var receipt = await ReceiveAsync(job, new TarBuilder().AddRaw("caf\xE9", '0', "x"), unpacker);
        Assert.That(receipt.Failures.Select(failure => failure.Error),
            windows ? Is.EqualTo(new[] { TransferError.Unsupported }) : Is.Empty);
        if (!OperatingSystem.IsWindows())
            Assert.That(ByteTree.Names(job.Target.Path), Is.EqualTo(windows ? new[] { "." } : [".", "./caf\xE9"]));
    }

    [Test]
    public async Task Paths_without_end_are_refused()
    {
        using var job = new BatchJob();
        var path = string.Join('/', Enumerable.Repeat("a", 20_000));
        Assert.That(async () => await ReceiveAsync(job, new TarBuilder().Add(path, "x")), Fails(TransferError.Protocol));
        Assert.That(async () => await ReceiveAsync(job, new TarBuilder().Add(path, type: TarEntryType.Directory)),
            Fails(TransferError.Protocol));
        Assert.That(async () => await ReceiveAsync(job, new TarBuilder().Add("l", type: TarEntryType.Link, link: path)),
            Fails(TransferError.Protocol));
        Assert.That(job.Target.Files, Is.Empty);
    }

    [Test]
    public void Nothing_is_remembered_of_folders_that_are_refused_nor_of_those_below()
    {
        using var job = new BatchJob();
        var folders = new TargetFolders(job.Target.Path, null);
        for (var i = 0; i < 10; i++)
        {
            Assert.That(folders.Get($"../a{i}/b/c").Error!.Error, Is.EqualTo(TransferError.Denied));
            Assert.That(folders.Get($".transfer-0123456789abcdef-{i}.part").Error!.Error, Is.EqualTo(TransferError.Denied));
        }

        Assert.That(folders.All.Select(folder => folder.Relative), Is.EqualTo(new[] { "" }));
    }

    [TestCase("", '5')]
    [TestCase("//", '5')]
    [TestCase("//", '0')]
    public async Task The_target_itself_is_not_the_senders(string name, char type)
    {
        using var job = new BatchJob();
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Overwrite = OverwriteMode.Always });
        var receipt = await ReceiveAsync(job, new TarBuilder().AddRaw(name, type), unpacker);
        Assert.That(receipt.Failures.Single().Error, Is.EqualTo(TransferError.Denied));
        await unpacker.CompleteAsync(default);
        Assert.That(Directory.GetLastWriteTimeUtc(job.Target.Path), Is.Not.EqualTo(TarBuilder.Time));
    }

    [Test]
    public async Task A_folder_that_others_made_keeps_its_time_also_when_the_archive_comes_again()
    {
        using var job = new BatchJob();
        Directory.CreateDirectory(job.Target["d"]);
        await using var unpacker = job.Unpack();
        var archive = await job.SealAsync(new TarBuilder().Add("d", type: TarEntryType.Directory).ToBytes(), isAgain: true);
        await unpacker.ReceiveAsync(0, new MemoryStream(archive), default);
        await unpacker.CompleteAsync(default);
        Assert.That(Directory.GetLastWriteTimeUtc(job.Target["d"]), Is.Not.EqualTo(TarBuilder.Time));
    }

    [Test]
    public async Task A_time_that_no_file_system_has_is_not_given_to_a_folder()
    {
        using var job = new BatchJob();
        await using var unpacker = job.Unpack();
        var entry = new TarEntry
        {
            Path = "d",
            Type = TarEntryType.Directory,
            Mode = (UnixFileMode)0b111_101_101,
            Modified = new DateTime(1500, 1, 1, 0, 0, 0, DateTimeKind.Utc),
            Created = new DateTime(1500, 1, 1, 0, 0, 0, DateTimeKind.Utc)
        };
        await ReceiveAsync(job, new TarBuilder().Add(entry, []), unpacker);
        await unpacker.CompleteAsync(default);
        Assert.That(Directory.GetLastWriteTimeUtc(job.Target["d"]).Year, Is.GreaterThan(2000));
    }

    [Test]
    [Platform(Exclude = "Win")]
    [UnsupportedOSPlatform("windows")]
    public async Task No_permissions_beyond_the_nine_bits_are_given()
    {
        using var job = new BatchJob();
        await ReceiveAsync(job, new TarBuilder().AddRaw("suid", '0', "x", header => "0006755"u8.CopyTo(header.AsSpan(TarFormat.ModeAt))));
        Assert.That(File.GetUnixFileMode(job.Target["suid"]), Is.EqualTo((UnixFileMode)0b111_101_101));
    }

    [Test]
    public async Task Archives_without_end_are_refused()
    {
        using var job = new BatchJob();
        var bomb = await job.SealAsync(new TarBuilder().Add("zeros", new string('\0', 1_000_000)).ToBytes());
        Assert.That(bomb, Has.Length.LessThan(50_000));
        await using var unpacker = job.Unpack(new BatchUnpackOptions { MostPayload = 500_000 });
        Assert.That(async () => await unpacker.ReceiveAsync(0, new MemoryStream(bomb), default), Fails(TransferError.Protocol));
        var names = new TarBuilder();
        for (var i = 0; i < 1000; i++) names.Add($"f{i}");
        var headers = await job.SealAsync(names.ToBytes());
        Assert.That(async () => await unpacker.ReceiveAsync(0, new MemoryStream(headers), default), Fails(TransferError.Protocol),
            "headers count too");
        var many = new TarBuilder();
        for (var i = 0; i < 20; i++) many.Add($"f{i}");
        var crowd = await job.SealAsync(many.ToBytes());
        await using var narrow = job.Unpack(new BatchUnpackOptions { MostEntries = 19 });
        Assert.That(async () => await narrow.ReceiveAsync(0, new MemoryStream(crowd), default), Fails(TransferError.Protocol));
        Assert.That(job.Target.Files, Is.Empty);
    }

    [TestCase("File", "../", "")]
    [TestCase("Directory", "../", "")]
    [TestCase("Link", "", "../")]
    public async Task Paths_without_end_are_refused_although_they_take_few_bytes(string kind, string path, string link)
    {
        var type = Enum.Parse<TarEntryType>(kind);
        using var job = new BatchJob();
        var names = new TarBuilder();
        for (var i = 0; i < 2500; i++) names.Add($"{path}{i:D4}{Long(path)}", type: type, link: link.Length == 0 ? "" : link + Long(link));
        var archive = await job.SealAsync(names.ToBytes());
        Assert.That(archive, Has.Length.LessThan(1_000_000));
        await using var unpacker = job.Unpack();
        Assert.That(async () => await unpacker.ReceiveAsync(0, new MemoryStream(archive), default),
            Throws.InstanceOf<TransferException>().With.Message.Contains("8388608 characters"));
        Assert.That(job.Target.Files, Is.Empty);

        static string Long(string start) => start.Length == 0 ? "" : new string('a', 4000);
    }

    [Test]
    public async Task Slices_that_contradict_each_other_are_refused()
    {
        using var job = new BatchJob();
        await using var unpacker = job.Unpack();
        var receipt = await ReceiveAsync(job, new TarBuilder()
            .Add("a", "0123", slice: new TarSlice(1, 0, 8))
            .Add("b", "4567", slice: new TarSlice(1, 4, 8))
            .Add("a", "4567", slice: new TarSlice(1, 4, 9)), unpacker);
        Assert.That(receipt.Failures.Select(failure => (failure.Path, failure.Error)),
            Is.EqualTo(new[] { ("b", TransferError.Integrity), ("a", TransferError.Integrity) }));
        Assert.That(await unpacker.CompleteAsync(default), Has.Count.EqualTo(1));
        Assert.That(job.Target.Files, Is.Empty);
    }

    [Test]
    public async Task A_slice_beyond_its_file_is_no_tar()
    {
        using var job = new BatchJob();
        var archive = await job.SealAsync(new TarBuilder().Add("a", "0123", slice: new TarSlice(1, 6, 8)).ToBytes());
        await using var unpacker = job.Unpack();
        Assert.That(async () => await unpacker.ReceiveAsync(0, new MemoryStream(archive), default), Fails(TransferError.Protocol));
    }

    private static NUnit.Framework.Constraints.IResolveConstraint Fails(TransferError error) =>
        Throws.InstanceOf<TransferException>().With.Property(nameof(TransferException.Error)).EqualTo(error);

    private static async Task<ArchiveReceipt> ReceiveAsync(BatchJob job, TarBuilder tar, FolderUnpacker? unpacker = null, long index = 0)
    {
        var archive = new MemoryStream(await job.SealAsync(tar.ToBytes(), index));
        if (unpacker is not null) return await unpacker.ReceiveAsync(index, archive, default);
        await using var own = job.Unpack();
        return await own.ReceiveAsync(index, archive, default);
    }
}
