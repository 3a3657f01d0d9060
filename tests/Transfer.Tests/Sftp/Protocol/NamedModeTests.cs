using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>
/// Servers over Node's ssh2: OPEN takes the flags of fopen's modes, and all others are answered as if the file did not exist.
/// </summary>
public sealed class NamedModeTests
{
    private const SftpOpenFlags Made = SftpOpenFlags.Write | SftpOpenFlags.Create | SftpOpenFlags.Truncate;

    private static readonly SftpOpenFlags[] Modes =
        [SftpOpenFlags.Read, SftpOpenFlags.Read | SftpOpenFlags.Write, Made, Made | SftpOpenFlags.Exclusive];

    [TestCase(true, true)]
    [TestCase(true, false)]
    [TestCase(false, true)]
    public async Task A_file_goes_up_under_any_flags_that_are_wanted(bool replace, bool direct)
    {
        var server = Server();
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Upload("/a", [1, 2, 3], replace, direct));
        Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(server.Store.Files["/a"], Is.EqualTo(new byte[] { 1, 2, 3 }));
    }

    [Test]
    public async Task A_range_makes_its_file_or_goes_into_the_one_that_is_there_and_the_next_need_no_trial()
    {
        var (server, state) = (Server(), new SftpServerState { Umask = new SftpUmask(0), Traits = SftpHarness.Usual() });
        await using var session = await server.OpenAsync(state: state);
        byte[] content = [1, 2, 3, 4, 5, 6];
        await session.RunAsync(Range(content, 2, 4));
        Assert.That(state.Traits.Has(SftpTrait.NamedModes));
        var before = server.RequestCount;
        await session.RunAsync(Range(content, 0, 2), Range(content, 4, 6));
        Same.Bytes(server.Store.Files["/a"], content);
        Assert.That(server.Seen()[before..].Count(request => request.StartsWith("Open ", StringComparison.Ordinal)), Is.EqualTo(2));
    }

    [Test]
    public async Task A_server_over_ssh2_that_opens_old_files_for_reading_under_other_flags_gets_none_of_these()
    {
        var server = Server();
        await using var session = await server.OpenAsync(software: "SSH-2.0-ssh2js1.17.0srv");
        var item = Range([1, 2, 3], 1, 3);
        await session.RunAsync(item);
        Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(server.Store.Files["/a"], Is.EqualTo(new byte[] { 0, 2, 3 }));
        Assert.That(server.Seen().Count(request => request.StartsWith("Open ", StringComparison.Ordinal)), Is.EqualTo(2), "none in vain");
    }

    [Test]
    public async Task A_range_whose_file_another_session_makes_meanwhile_goes_into_that()
    {
        var server = Server();
        var usual = server.Instead!;
        server.Instead = request =>
        {
            if (request is { Type: SftpPacketType.Open } && request.Flags.HasFlag(SftpOpenFlags.Exclusive))
                server.Store.Files.TryAdd("/a", [9, 9, 9, 9]);
            return usual(request);
        };
        await using var session = await server.OpenAsync();
        var item = Range([1, 2, 3, 4], 1, 2);
        await session.RunAsync(item);
        Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(server.Store.Files["/a"], Is.EqualTo(new byte[] { 9, 2, 9, 9 }));
    }

    [Test]
    public async Task A_range_that_no_flags_open_fails_with_the_first_reason()
    {
        var (server, state) = (new FakeServer(), new SftpServerState { Umask = new SftpUmask(0), Traits = SftpHarness.Usual() });
        server.Instead = request => request.Type == SftpPacketType.Open
            ? FakeReply.Status(request.Id, SftpStatus.NoSuchFile, request.Flags.HasFlag(SftpOpenFlags.Read) ? "later" : "first") : null;
        await using var session = await server.OpenAsync(state: state);
        var item = Range([1, 2], 0, 1);
        await session.RunAsync(item);
        Assert.That((item.Error().Error, state.Traits.Has(SftpTrait.NamedModes)), Is.EqualTo((TransferError.NotFound, false)));
        Assert.That(item.Error().Message, Does.Contain("first"));
    }

    private static FakeServer Server()
    {
        var server = new FakeServer();
        server.Instead = request => request.Type == SftpPacketType.Open && !Modes.Contains(request.Flags)
            ? FakeReply.Status(request.Id, SftpStatus.NoSuchFile) : null;
        return server;
    }

    private static TestItem Range(byte[] content, int start, int end) =>
        new(WorkKind.Upload, "/a", new TestContent(content)) { Offset = start, End = end, IsSegment = true };
}
