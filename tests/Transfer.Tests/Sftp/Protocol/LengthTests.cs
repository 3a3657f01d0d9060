using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>A server that tells no length of an open file: what a listing told is no end to read to.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class LengthTests
{
    [TestCase(3000, 5000)]
    [TestCase(5000, 3000)]
    [TestCase(2_000_000, 2_100_000)]
    public async Task A_file_that_has_another_length_than_it_was_told_to_have_fails_and_is_read_one_byte_further_at_most(int told,
        int length)
    {
        var content = SftpHarness.Bytes(length);
        await using var session = await Server(content).OpenAsync();
        var item = await session.RunAsync(new TestItem(WorkKind.Download, "/home/user/a", new SftpHarness.Sink(told)));
        var arrived = Math.Min(length, told + 1);
        Assert.That((item.Error().Error, ((WorkOutcome.Failed)item.Outcome).Arrived),
            Is.EqualTo((TransferError.Integrity, length < told ? (long?)length : null)));
        Same.Bytes(item.Received(), content.AsSpan(..arrived));
    }

    [Test]
    public async Task One_that_has_the_length_that_it_was_told_to_have_arrives()
    {
        var content = SftpHarness.Bytes(5000);
        await using var session = await Server(content).OpenAsync();
        var item = await session.RunAsync(SftpHarness.Download("/home/user/a", content));
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(5000, VerificationMode.Size)));
    }

    [Test]
    public async Task A_file_that_says_0_and_does_not_end_is_not_read_for_ever()
    {
        var server = new FakeServer
        {
            Instead = request => request.Type switch
            {
                SftpPacketType.FStat => FakeReply.Attributes(request.Id, fields => FakeReply.WriteAttributes(fields, 0, 0x81A4)),
                SftpPacketType.Read => FakeReply.Data(request.Id, new byte[request.Length]),
                _ => null,
            },
        };
        server.Store.Files["/home/user/a"] = [];
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(new TestItem(WorkKind.Download, "/home/user/a", new CountingSink()));
        Assert.That(item.Error().Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(((CountingSink)item.Content).Count, Is.LessThanOrEqualTo(64 << 20));
    }

    private sealed class CountingSink : IContent
    {
        public long Count { get; private set; }

        public long? Length => 0;

        public bool CanReplay => true;

        public ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct) => throw new NotSupportedException();

        public ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
        {
            Count += data.Length;
            return default;
        }
    }

    private static FakeServer Server(byte[] content)
    {
        var server = new FakeServer
        {
            Instead = request => request.Type == SftpPacketType.FStat
                ? FakeReply.Attributes(request.Id, fields => FakeReply.WriteAttributes(fields, null, 0x81A4))
                : null,
        };
        server.Store.Files["/home/user/a"] = content;
        return server;
    }
}
