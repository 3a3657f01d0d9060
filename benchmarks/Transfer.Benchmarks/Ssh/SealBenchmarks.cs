using BenchmarkDotNet.Attributes;
using Transfer.Benchmarks.Columns;
using Transfer.Sftp.Ssh.Packets;

namespace Transfer.Benchmarks.Ssh;

/// <summary>Sealing: a channel's data copied into the send buffer, padded, encrypted and authenticated there.</summary>
[Moves(Volume, PieceParameter = nameof(PacketSize))]
public class SealBenchmarks : CipherBenchmarks
{
    private const int Volume = 4 << 20;
    private const int DataHeader = 9;

    private readonly byte[] _head = new byte[DataHeader];
    private readonly SendBuffer _buffer = new();
    private byte[] _data = [];

    [GlobalCleanup]
    public void CleanUp() => _buffer.Dispose();

    protected override void SetUp(string cipher, string? mac)
    {
        _data = new byte[PacketSize];
        _buffer.ChangeKeys(Create(cipher, mac), resetSequence: true);
    }

    protected override Task RunAsync()
    {
        for (var bytes = 0; bytes < Volume; bytes += PacketSize)
        {
            _buffer.AddPacket(_head, _data);
            if (_buffer.Count > PacketLimits.WriteBuffer / 2) _buffer.Take();
        }
        return Task.CompletedTask;
    }
}
