using System.Runtime.Versioning;
using Transfer.Local;
using Transfer.Modes;

namespace Transfer.Tests.Local;

/// <summary>Permissions of local files: a server's folder is one here too (<c>file:</c>), so that both ends can be looked at.</summary>
[NonParallelizable]
[Platform(Exclude = "Win")]
[UnsupportedOSPlatform("windows")]
public sealed class LocalModesTests
{
    private const UnixFileMode Usual = (UnixFileMode)0b110_100_100;
    private const UnixFileMode Private = FinalMode.Unfinished;

    private readonly List<UnixFileMode> _unfinished = [];
    private TempFolder _here = null!;
    private TempFolder _there = null!;
    private LocalTransferClient _client = null!;

    [SetUp]
    public void SetUp()
    {
        _unfinished.Clear();
        (_here, _there) = (new TempFolder(), new TempFolder());
        _client = LocalTransferClientTests.Open(_there.Path);
    }

    [TearDown]
    public async Task TearDown()
    {
        await _client.DisposeAsync();
        _here.Dispose();
        _there.Dispose();
    }

    [TestCase(0b110_000_000)]
    [TestCase(0b110_100_000)]
    [TestCase(0b111_101_101)]
    public async Task A_replaced_file_keeps_its_permissions_both_ways(int mode)
    {
        Add(_here, "f", [1], Usual);
        Add(_there, "f", [2], (UnixFileMode)mode);
        await _client.UploadFileAsync(_here["f"], "f", new() { Overwrite = OverwriteMode.Always }).Soon();
        Assert.That((_there.Read("f").Single(), Mode(_there, "f")), Is.EqualTo(((byte)1, (UnixFileMode)mode)));

        Add(_here, "g", [3], (UnixFileMode)mode);
        Add(_there, "g", [4], Usual);
        await _client.DownloadFileAsync("g", _here["g"], new() { Overwrite = OverwriteMode.Always }).Soon();
        Assert.That((_here.Read("g").Single(), Mode(_here, "g")), Is.EqualTo(((byte)4, (UnixFileMode)mode)));
    }

    [Test]
    public async Task Set_user_id_does_not_survive_a_replacement([Values] PublishMode publish)
    {
        Add(_here, "f", [1], Usual);
        Add(_there, "f", [2], Usual | UnixFileMode.SetUser | UnixFileMode.UserExecute);
        await _client.UploadFileAsync(_here["f"], "f", new() { Overwrite = OverwriteMode.Always, Publish = publish }).Soon();
        Assert.That(Mode(_there, "f"), Is.EqualTo(Usual | UnixFileMode.UserExecute));

        Add(_here, "g", [3], Usual | UnixFileMode.SetGroup | UnixFileMode.GroupExecute);
        Add(_there, "g", [4], Usual);
        await _client.DownloadFileAsync("g", _here["g"], new() { Overwrite = OverwriteMode.Always, Publish = publish }).Soon();
        Assert.That(Mode(_here, "g"), Is.EqualTo(Usual | UnixFileMode.GroupExecute));
    }

    [TestCase(0b110_000_000)]
    [TestCase(0b111_111_111)]
    public async Task A_new_file_has_the_sources_permissions_without_what_the_umask_takes_away(int mode)
    {
        var expected = (UnixFileMode)mode & ~LocalModes.Umask;
        foreach (var publish in Enum.GetValues<PublishMode>())
        {
            var name = publish.ToString();
            Add(_here, name, [1], (UnixFileMode)mode);
            await _client.UploadFileAsync(_here[name], name, new() { Publish = publish }).Soon();
            Assert.That(Mode(_there, name), Is.EqualTo(expected), $"up, {publish}");
            File.Delete(_here[name]);
            File.SetUnixFileMode(_there[name], (UnixFileMode)mode);
            await _client.DownloadFileAsync(name, _here[name], new() { Publish = publish }).Soon();
            Assert.That(Mode(_here, name), Is.EqualTo(expected), $"down, {publish}");
        }
    }

    [Test]
    public async Task A_stream_becomes_a_file_as_new_files_are_and_what_was_asked_for_is_given()
    {
        await _client.UploadAsync(new MemoryStream([1]), "usual").Soon();
        Assert.That(Mode(_there, "usual"), Is.EqualTo(FinalMode.Usual & ~LocalModes.Umask));
        await _client.UploadAsync(new MemoryStream([1]), "asked", new() { Mode = (UnixFileMode)0b100_111_111_111 }).Soon();
        Assert.That(Mode(_there, "asked"), Is.EqualTo(FinalMode.Permissions));
    }

    [Test]
    public async Task With_PreserveMode_both_ends_have_the_same_whatever_the_umask_and_what_was_there()
    {
        const UnixFileMode All = FinalMode.Permissions;
        Add(_here, "a/f", [1], All);
        Add(_there, "a/f", [2], Private);
        await _client.UploadDirectoryAsync(_here["a"], "a", new() { Overwrite = OverwriteMode.Always, PreserveMode = true }).Soon();
        Assert.That(Mode(_there, "a/f"), Is.EqualTo(All));
        Add(_here, "b/f", [1], Private);
        Add(_there, "b/f", [2], All);
        await _client.DownloadDirectoryAsync("b", _here["b"], new() { Overwrite = OverwriteMode.Always, PreserveMode = true }).Soon();
        Assert.That(Mode(_here, "b/f"), Is.EqualTo(All));
        await _client.DownloadFileAsync("b/f", _here["single"], new() { PreserveMode = true }).Soon();
        Assert.That(Mode(_here, "single"), Is.EqualTo(All));
        await _client.UploadFileAsync(_here["a/f"], "single", new() { PreserveMode = true }).Soon();
        Assert.That(Mode(_there, "single"), Is.EqualTo(All));
    }

    [Test]
    public async Task A_folders_files_keep_theirs_and_new_ones_have_the_sources()
    {
        Add(_here, "d/secret", [1], Private);
        Add(_here, "d/old", [1], Usual);
        Add(_there, "d/old", [2], (UnixFileMode)0b110_100_000);
        await _client.UploadDirectoryAsync(_here["d"], "d", new() { Overwrite = OverwriteMode.Always }).Soon();
        Assert.That((Mode(_there, "d/secret"), Mode(_there, "d/old")), Is.EqualTo((Private, (UnixFileMode)0b110_100_000)));
        await _client.SynchronizeAsync(_here["back"], "d", SyncDirection.Down).Soon();
        Assert.That((Mode(_here, "back/secret"), Mode(_here, "back/old")), Is.EqualTo((Private, (UnixFileMode)0b110_100_000)));
    }

    [Test]
    public async Task A_folder_that_is_made_has_the_sources_permissions_too()
    {
        const UnixFileMode Owners = Private | UnixFileMode.UserExecute;
        Add(_here, "d/closed/f", [1], Usual);
        File.SetUnixFileMode(_here["d/closed"], Owners);
        File.SetUnixFileMode(_here["d"], Owners);
        await _client.UploadDirectoryAsync(_here["d"], "up").Soon();
        Assert.That((Mode(_there, "up"), Mode(_there, "up/closed")), Is.EqualTo((Owners, Owners)));
        await _client.DownloadDirectoryAsync("up", _here["down"]).Soon();
        Assert.That(Mode(_here, "down/closed"), Is.EqualTo(Owners));
    }

    [Test]
    public async Task An_unfinished_file_is_its_owners_alone_until_it_gets_its_name()
    {
        Add(_there, "f", new byte[300_000], Usual);
        using (Watch(_here)) await _client.DownloadFileAsync("f", _here["f"]).Soon();
        Assert.That(_unfinished, Is.Not.Empty.And.All.EqualTo(Private));
        Assert.That(Mode(_here, "f"), Is.EqualTo(Usual & ~LocalModes.Umask));
    }

    [Test]
    public async Task An_upload_is_its_owners_alone_while_it_is_written([Values] bool hashed, [Values] bool backup)
    {
        Add(_there, "f", [2], (UnixFileMode)0b110_110_000);
        var options = new UploadOptions
        {
            Overwrite = OverwriteMode.Always,
            Verify = hashed ? VerificationMode.Hash : VerificationMode.Size,
            BackupDirectory = backup ? "old" : null
        };
        await _client.UploadAsync(new LookingStream(() => Look(_there)), "f", options).Soon();
        Assert.That(_unfinished, Is.Not.Empty.And.All.EqualTo(Private));
        Assert.That(Mode(_there, "f"), Is.EqualTo((UnixFileMode)0b110_110_000));
        if (backup) Assert.That(Mode(_there, "old/f"), Is.EqualTo((UnixFileMode)0b110_110_000));
    }

    [Test]
    public async Task What_a_link_leads_to_is_what_is_replaced()
    {
        Add(_there, "f", [1], Usual);
        Add(_here, "real", [2], Private);
        File.CreateSymbolicLink(_here["f"], "real");
        await _client.DownloadFileAsync("f", _here["f"], new() { Overwrite = OverwriteMode.Always }).Soon();
        Assert.That(Mode(_here, "f"), Is.EqualTo(Private));
    }

    [Test]
    public async Task A_file_system_without_permissions_refuses_no_file([Values(1, 22)] int errno)
    {
        Add(_there, "f", [1], FinalMode.Permissions);
        using (new DiskScript(_here.Path, (call, _, _) => call == DiskCall.SetMode ? errno : 0))
            await _client.DownloadFileAsync("f", _here["f"]).Soon();
        Assert.That(_here.Read("f"), Is.EqualTo(new byte[] { 1 }));
    }

    [Test]
    public void A_disk_that_fails_is_told()
    {
        Add(_there, "f", [1], FinalMode.Permissions);
        using var script = new DiskScript(_here.Path, (call, _, _) => call == DiskCall.SetMode ? 5 : 0);
        Assert.That(async () => await _client.DownloadFileAsync("f", _here["f"]).Soon(), Throws.InstanceOf<TransferException>());
        Assert.That(_here.Files, Is.Empty);
    }

    [Test]
    public void This_processs_umask_is_what_it_makes_of_a_new_file() =>
        Assert.That(FinalMode.Usual & ~LocalModes.Umask, Is.EqualTo(File.GetUnixFileMode(_here.Add("new", []))));

    private DiskScript Watch(TempFolder folder) => new(folder.Path, (call, _, _) =>
    {
        if (call == DiskCall.Write) Look(folder);
        return 0;
    });

    private void Look(TempFolder folder) => _unfinished.AddRange(
        Directory.EnumerateFiles(folder.Path, ".transfer-*", new EnumerationOptions { AttributesToSkip = 0 }).Select(File.GetUnixFileMode));

    private static string Add(TempFolder folder, string name, byte[] content, UnixFileMode mode)
    {
        var path = folder.Add(name, content);
        File.SetUnixFileMode(path, mode);
        return path;
    }

    private static UnixFileMode Mode(TempFolder folder, string name) => File.GetUnixFileMode(folder[name]);

    /// <summary>Three pieces of content, with a look before each.</summary>
    private sealed class LookingStream(Action look) : MemoryStream(new byte[300_000])
    {
        public override bool CanSeek => false;

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (Position > 0) look();
            return base.ReadAsync(buffer[..Math.Min(buffer.Length, 100_000)], cancellationToken);
        }
    }
}
