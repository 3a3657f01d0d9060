using System.Buffers;
using System.Buffers.Binary;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Sessions;
using Transfer.Sftp;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sftp.Protocol;

[NonParallelizable]
public sealed class AllocationTests
{
#if DEBUG
    // Unoptimised, every call of an asynchronous method is an object.
    private const double MostEach = 1500;
#else
    // Not one object a request: the smallest has 24 bytes.
    private const double MostEach = 24;
#endif

    private const long Length = 512L << 20;

    private const long Stretch = 16L << 20;

    [Test]
    public async Task A_steady_transfer_allocates_nothing_a_request([Values(WorkKind.Upload, WorkKind.Download)] WorkKind kind)
    {
        var channel = new PipeChannel();
        var served = Task.Run(() => ServeAsync(channel));
        await using var session = await SftpSession.OpenAsync(channel, null, new SftpOptions(), new SftpServerState(), NullLogger.Instance,
            CancellationToken.None);
        var least = long.MaxValue;
        for (var i = 0; i < 5; i++)
        {
            var content = new Nothing();
            await session.RunAsync(new ListSource(new TestItem(kind, "/a", content)), CancellationToken.None).Soon();
            least = Math.Min(least, content.Allocated.Min());
        }
        // What every request allocates is in every stretch. A pool that grew, or that a collection emptied, is in some, and so is
        // what a pipe allocates when its reader must be woken: how often that is depends on the machine's scheduling.
        var each = least / (Stretch / (255.0 * 1024));
        TestContext.Out.WriteLine($"{each:0.0} bytes a request");
        Assert.That(each, Is.LessThan(MostEach));
    }

    // Answers WRITE with OK and READ with as many bytes as were asked for, without an object a request.
    private static async Task ServeAsync(PipeChannel channel)
    {
        var head = new byte[64];
        var data = new byte[256 * 1024];
        while (true)
        {
            var result = await channel.ServerInput.ReadAsync();
            var buffer = result.Buffer;
            while (SftpFraming.TryTake(ref buffer, out var packet))
            {
                packet.Slice(0, Math.Min(head.Length, packet.Length)).CopyTo(head);
                Answer(channel.ServerOutput, head, data);
                await channel.ServerOutput.FlushAsync();
            }
            channel.ServerInput.AdvanceTo(buffer.Start, buffer.End);
            if (result.IsCompleted) return;
        }
    }

    private static void Answer(IBufferWriter<byte> output, byte[] head, byte[] data)
    {
        var id = head.AsSpan(1, 4);
        switch ((SftpPacketType)head[0])
        {
            case SftpPacketType.Init:
                output.Write((byte[])[0, 0, 0, 5, 2, 0, 0, 0, 3]);
                break;
            case SftpPacketType.Extended:
                output.Write((byte[])[0, 0, 0, 37, 201, .. id]);
                output.Write((byte[])[0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 3, 252, 0, 0, 0, 0, 0, 0, 3, 252, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
                break;
            case SftpPacketType.Open:
                output.Write((byte[])[0, 0, 0, 10, 102, .. id, 0, 0, 0, 1, 7]);
                break;
            case SftpPacketType.RealPath:
                output.Write((byte[])[0, 0, 0, 9, 101, .. id, 0, 0, 0, 4]);
                break;
            case SftpPacketType.FStat or SftpPacketType.LStat or SftpPacketType.Stat:
                output.Write((byte[])[0, 0, 0, 9, 105, .. id, 0, 0, 0, 0]);
                break;
            case SftpPacketType.Read:
                var count = BinaryPrimitives.ReadInt32BigEndian(head.AsSpan(5 + 5 + 8));
                var front = output.GetSpan(13);
                BinaryPrimitives.WriteInt32BigEndian(front, 9 + count);
                front[4] = 103;
                id.CopyTo(front[5..]);
                BinaryPrimitives.WriteInt32BigEndian(front[9..], count);
                output.Advance(13);
                output.Write(data.AsSpan(0, count));
                break;
            default:
                var status = output.GetSpan(21);
                status[..21].Clear();
                status[3] = 17;
                status[4] = 101;
                id.CopyTo(status[5..]);
                output.Advance(21);
                break;
        }
    }

    /// <summary>Content that costs nothing, and looks at what is allocated from each stretch to the next.</summary>
    private sealed class Nothing : IContent
    {
        private long _next = Stretch;
        private long _last = -1;

        public long? Length => AllocationTests.Length;

        public bool CanReplay => true;

        public List<long> Allocated { get; } = new((int)(AllocationTests.Length / Stretch));

        public ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct)
        {
            Look(offset + buffer.Length);
            return new(buffer.Length);
        }

        public ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
        {
            Look(offset + data.Length);
            return default;
        }

        private void Look(long end)
        {
            if (end < _next) return;
            var now = GC.GetTotalAllocatedBytes(precise: true);
            if (_last >= 0) Allocated.Add(now - _last);
            _last = now;
            _next += Stretch;
        }
    }
}
