using BenchmarkDotNet.Attributes;
using Transfer.Benchmarks.Columns;
using Transfer.Sftp.Ssh.Packets;

namespace Transfer.Benchmarks.Ssh;

/// <summary>Opening: sealed bytes read into the receive buffer, as from a socket, checked and decrypted there.</summary>
[Moves(Volume, PieceParameter = nameof(PacketSize))]
public class OpenBenchmarks : CipherBenchmarks
{
    // A packet can be opened once, so an iteration is one pass over as many.
    private const int Volume = 64 << 20;

    private PacketReader _reader = null!;
    private SealedStream _sealed = null!;
    private string _cipher = "";
    private string? _mac;

    [IterationSetup]
    public void Rewind()
    {
        _sealed.Position = 0;
        _reader.ChangeKeys(Create(_cipher, _mac), resetSequence: true);
    }

    [GlobalCleanup]
    public void CleanUp() => _reader.Dispose();

    protected override void SetUp(string cipher, string? mac)
    {
        _cipher = cipher;
        _mac = mac;
        _sealed = SealedStream.Create(Create(cipher, mac), PacketSize, Volume / PacketSize);
        _reader = new PacketReader(_sealed);
    }

    protected override async Task RunAsync()
    {
        while (await _reader.FillAsync(CancellationToken.None))
        {
            while (_reader.TryRead(out _))
            {
                // Opening is all there is to it.
            }
        }
    }
}
