using System.Buffers.Binary;
using System.IO.Pipes;
using System.Net.Sockets;

namespace Transfer.Tests.Sftp.Keys;

/// <summary>
/// The far end of the agent's socket or pipe: gives each request to the test and sends what it returns, byte for byte; null hangs.
/// </summary>
internal sealed class FakeAgent : IAsyncDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("agent-").FullName;
    private readonly CancellationTokenSource _stop = new();
    private readonly Socket? _listener;
    private readonly Task _serving;
    private readonly Func<byte[], byte[]?> _answer;

    public FakeAgent(Func<byte[], byte[]?> answer)
    {
        _answer = answer;
        if (OperatingSystem.IsWindows())
        {
            Path = System.IO.Path.GetFileName(_folder);
        }
        else
        {
            Path = System.IO.Path.Combine(_folder, "s");
            _listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            _listener.Bind(new UnixDomainSocketEndPoint(Path));
            _listener.Listen();
        }

        _serving = Task.Run(ServeAsync);
    }

    public string Path { get; }

    /// <summary>A message with its length in front.</summary>
    public static byte[] Frame(ReadOnlySpan<byte> body)
    {
        var frame = new byte[4 + body.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame, body.Length);
        body.CopyTo(frame.AsSpan(4));
        return frame;
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener?.Dispose();
        await _serving.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _stop.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private async Task ServeAsync()
    {
        while (true)
        {
            await using var stream = await AcceptAsync();
            var header = new byte[4];
            await stream.ReadExactlyAsync(header, _stop.Token);
            var body = new byte[BinaryPrimitives.ReadInt32BigEndian(header)];
            await stream.ReadExactlyAsync(body, _stop.Token);
            if (_answer(body) is not { } answer)
            {
                await Task.Delay(Timeout.Infinite, _stop.Token);
                return;
            }

            await stream.WriteAsync(answer, _stop.Token);
        }
    }

    private async Task<Stream> AcceptAsync()
    {
        if (_listener is not null) return new NetworkStream(await _listener.AcceptAsync(_stop.Token), ownsSocket: true);
        var pipe = new NamedPipeServerStream(Path, PipeDirection.InOut, NamedPipeServerStream.MaxAllowedServerInstances,
            PipeTransmissionMode.Byte, PipeOptions.Asynchronous);
        await pipe.WaitForConnectionAsync(_stop.Token);
        return pipe;
    }
}
