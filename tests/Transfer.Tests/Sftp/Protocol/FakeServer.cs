using System.Buffers;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>
/// A minimal SFTP server over a channel in memory, with switches for what servers do wrong. Requests are served in order, as OpenSSH does.
/// </summary>
internal sealed class FakeServer
{
    private readonly FakeStore _store;
    private long _received;
    private long _sent;
    private bool _isEmpty = true; // all that has come is read
    private long _flight; // the value of _received before the present flight

    public FakeServer(FakeStore? store = null) => _store = store ?? new FakeStore();

    public PipeChannel Channel { get; } = new();

    public FakeStore Store => _store;

    /// <summary>Every request, in order.</summary>
    public List<string> Requests { get; } = [];

    public int RequestCount
    {
        get { lock (Requests) return Requests.Count; }
    }

    /// <summary>The requests until now, while more may come.</summary>
    public string[] Seen()
    {
        lock (Requests) return [.. Requests];
    }

    public string[] Extensions { get; init; } = [SftpExtension.PosixRename];

    /// <summary>limits@openssh.com's four numbers; null: it is not known here.</summary>
    public ulong[]? Limits { get; init; }

    /// <summary>Most bytes of one DATA.</summary>
    public int MaxRead { get; init; } = 256 * 1024;

    /// <summary>Most files open at once.</summary>
    public int MaxHandles { get; init; } = int.MaxValue;

    /// <summary>Sends instead of what the server would; empty: nothing at all. Null: as usual.</summary>
    public Func<FakeRequest, byte[]?>? Instead { get; set; }

    /// <summary>Sizes of the pieces in which bytes are sent, over and over.</summary>
    public int[] Pieces { get; init; } = [];

    /// <summary>The channel ends when that much has come in, or gone out.</summary>
    public long CutReceived { get; init; } = long.MaxValue;

    public long CutSent { get; init; } = long.MaxValue;

    public long Received => _received;

    public long Sent => _sent;

    public uint Version { get; init; } = 3;

    public int MostOpen { get; private set; }

    /// <summary>How long what the client sends is on its way: all that comes in this time is read together.</summary>
    public TimeSpan Way { get; init; }

    /// <summary>The clock of that.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>The most bytes of one read: OpenSSH's sftp-server reads 16 KiB at a time.</summary>
    public int ReadLength { get; init; } = int.MaxValue;

    /// <summary>The number of reads until now, of which each flight takes as many as its bytes need.</summary>
    public int Reads { get; private set; }

    public FakeServer Start()
    {
        _ = Task.Run(RunAsync);
        return this;
    }

    public ValueTask SendAsync(byte[] packet) => WriteAsync(packet);

    private async Task RunAsync()
    {
        try
        {
            while (await ReadPacketAsync() is { } packet)
            {
                if (packet[0] == (byte)SftpPacketType.Init)
                {
                    await WriteAsync(FakeReply.Version(Version, Extensions));
                    continue;
                }
                var request = new FakeRequest(packet);
                lock (Requests) Requests.Add(request.ToString());
                await WriteAsync(Instead?.Invoke(request) ?? ServeAlone(request));
            }
        }
        catch (EndOfStreamException)
        {
            // The switch says so.
        }
        await Channel.ServerOutput.CompleteAsync();
        await Channel.ServerInput.CompleteAsync();
    }

    // Several servers may have one store.
    private byte[] ServeAlone(FakeRequest request)
    {
        lock (_store) return Serve(request);
    }

    private async ValueTask<byte[]?> ReadPacketAsync()
    {
        while (true)
        {
            if (_isEmpty)
            {
                _flight = _received;
                Reads++;
                if (Way > TimeSpan.Zero) await Task.Delay(Way, Time);
            }
            var result = await Channel.ServerInput.ReadAsync();
            var buffer = result.Buffer;
            var taken = SftpFraming.TryTake(ref buffer, out var packet);
            var bytes = taken ? packet.ToArray() : null;
            if (_received + (bytes?.Length + 4 ?? (int)result.Buffer.Length) > CutReceived) throw new EndOfStreamException();
            if (taken) _received += bytes!.Length + 4;
            Channel.ServerInput.AdvanceTo(buffer.Start, taken ? buffer.Start : buffer.End);
            _isEmpty = buffer.IsEmpty;
            if (_isEmpty) Reads += (int)((_received - _flight - 1) / ReadLength);
            if (taken) return bytes;
            if (result.IsCompleted) return null;
        }
    }

    private async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes)
    {
        for (var piece = 0; bytes.Length > 0; piece++)
        {
            var part = Pieces.Length == 0 ? bytes.Length : Math.Min(bytes.Length, Pieces[piece % Pieces.Length]);
            part = (int)Math.Min(part, CutSent - _sent);
            if (part > 0) await Channel.ServerOutput.WriteAsync(bytes[..part]);
            _sent += part;
            bytes = bytes[part..];
            if (_sent == CutSent) throw new EndOfStreamException();
        }
    }

    private byte[] Serve(FakeRequest request)
    {
        var id = request.Id;
        var reply = request.Type switch
        {
            SftpPacketType.Extended when request.Extension == SftpExtension.Limits && Limits is not null =>
                FakeReply.Packet(SftpPacketType.ExtendedReply, id, fields => Array.ForEach(Limits, fields.WriteUInt64)),
            SftpPacketType.Extended
                when request.Extension != SftpExtension.PosixRename
                    && !(FakeStore.Serves.Contains(request.Extension) && Extensions.Contains(request.Extension)) =>
                FakeReply.Status(id, SftpStatus.Unsupported),
            SftpPacketType.RealPath => FakeReply.Packet(
                SftpPacketType.Name, id,
                fields =>
                FakeStore.WriteName(fields, request.Text == "." ? "/home/user" : _store.Real(request.Text) ?? request.Text, 0x41ED, 0)),
            SftpPacketType.Open when _store.Open.Count >= MaxHandles => FakeReply.Status(id, SftpStatus.Failure, "Too many open files"),
            SftpPacketType.Read => _store.Read(request, MaxRead),
            _ => _store.Serve(request),
        };
        MostOpen = Math.Max(MostOpen, _store.Open.Count);
        return reply;
    }
}
