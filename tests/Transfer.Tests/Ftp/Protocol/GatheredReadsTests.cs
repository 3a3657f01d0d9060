using System.Diagnostics;
using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Tests.Ftp.Protocol;

/// <summary>Replies of many lines that a server sends line by line, as ProFTPD does, do not cost a read each.</summary>
public sealed class GatheredReadsTests
{
    private const int Replies = 40;
    private const int Lines = 50;

    [Test]
    public async Task Lines_sent_one_by_one_are_read_many_at_a_time()
    {
        var server = new LineByLine();
        var settings = new ControlConnectionSettings
        {
            Host = "ftp.example",
            Encoding = Encoding.UTF8,
            Logger = NullLogger.Instance,
        };
        await using var control = await ControlConnection.AttachAsync(server, settings, CancellationToken.None);
        await control.GreetingAsync(CancellationToken.None);
        await control.ExecuteAsync(new FtpCommand("NOOP"), CancellationToken.None);
        var room = new FtpLineRoom(1 << 20);
        FtpReplyLines[] lines = [.. Enumerable.Range(0, Replies).Select(_ => new FtpReplyLines(room))];
        var pending = await control.SendAsync([.. lines.Select((some, i) => new FtpCommand("STAT", $"/{i}") { Lines = some })],
            CancellationToken.None);
        foreach (var (reply, i) in pending.Select((reply, i) => (reply, i)))
        {
            var final = await reply.GetFinalReplyAsync(CancellationToken.None).AsTask().Soon();
            Assert.That(final.Text, Does.StartWith($"Status of /{i}"));
            Assert.That(Encoding.UTF8.GetString(lines[i].Text.Span).Split('\n', StringSplitOptions.RemoveEmptyEntries),
                Is.EqualTo(Enumerable.Range(0, Lines).Select(line => LineByLine.Entry(i, line))));
        }
        Assert.That(server.Reads, Is.LessThan(Replies * Lines / 4));
    }

    /// <summary>A line arrives every 50 microseconds; a read gets those that have arrived, one at least.</summary>
    private sealed class LineByLine : SequentialStream
    {
        private static readonly TimeSpan Pause = TimeSpan.FromMicroseconds(50);

        private readonly Queue<byte[]> _lines = new([Encoding.UTF8.GetBytes("220 ready\r\n")]);
        private readonly SemaphoreSlim _asked = new(0);
        private readonly CancellationTokenSource _closed = new();
        private long _arrival = Stopwatch.GetTimestamp();
        private bool _isOpen; // behind NOOP

        public int Reads { get; private set; }

        public static string Entry(int reply, int line) => $"-rw-r--r--   1 user group 100 Jan 01 00:00 file-{reply}-{line}";

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (_lines.Count == 0)
            {
                await _asked.WaitAsync(_closed.Token);
                foreach (var line in _isOpen ? Enumerable.Range(0, Replies).SelectMany(Reply) : ["200 ok"])
                    _lines.Enqueue(Encoding.UTF8.GetBytes(line + "\r\n"));
                _isOpen = true;
                _arrival = Stopwatch.GetTimestamp();
            }
            Reads++;
            if (Stopwatch.GetElapsedTime(_arrival) < Pause) await Task.Yield();
            while (Stopwatch.GetElapsedTime(_arrival) < Pause) Thread.SpinWait(20);
            var count = 0;
            while (_lines.TryPeek(out var line) && count + line.Length <= buffer.Length && Stopwatch.GetElapsedTime(_arrival) >= Pause)
            {
                _lines.Dequeue().CopyTo(buffer.Span[count..]);
                count += line.Length;
                _arrival += (long)(Pause.TotalSeconds * Stopwatch.Frequency);
            }
            return count;
        }

        private static IEnumerable<string> Reply(int i) =>
            [$"212-Status of /{i}:", .. Enumerable.Range(0, Lines).Select(line => Entry(i, line)), "212 End of status"];

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            _asked.Release();
            return default;
        }

        public override bool CanRead => true;

        public override bool CanWrite => true;

        public override void Flush()
        {
        }

        protected override void Dispose(bool disposing)
        {
            _closed.Cancel();
            base.Dispose(disposing);
        }
    }
}
