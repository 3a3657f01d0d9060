using System.Security.Cryptography;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>
/// Reads an archive followed by a proof, and ends only if the proof is right: a reader that acts only after reading an archive to the end
/// never acts on a forged one.
/// </summary>
internal sealed class ProvedStream : SequentialStream
{
    private const int Step = 64 << 10;

    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly Stream _source;
    private readonly Func<byte[], byte[], bool> _isProved;
    private readonly byte[] _read;
    private readonly int _proofLength;
    private int _held;
    private bool _ended;

    /// <param name="source">The file. Belongs to the caller.</param>
    /// <param name="proofLength">Bytes of the proof.</param>
    /// <param name="isProved">Gets the SHA-256 of the archive and the proof.</param>
    public ProvedStream(Stream source, int proofLength, Func<byte[], byte[], bool> isProved)
    {
        _source = source;
        _proofLength = proofLength;
        _isProved = isProved;
        _read = new byte[proofLength + Step];
    }

    /// <summary>The SHA-256 of the archive, once read to the end.</summary>
    public byte[] Digest { get; private set; } = [];

    public override bool CanRead => true;

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (!_ended && buffer.Length > 0)
        {
            var count = await _source.ReadAsync(_read.AsMemory(_held, Math.Min(buffer.Length, Step)),
                cancellationToken).ConfigureAwait(false);
            if (count == 0)
            {
                End();
                break;
            }
            _held += count;
            // The last bytes so far may be the proof's.
            var given = Math.Max(0, _held - _proofLength);
            if (given == 0) continue;
            _read.AsMemory(0, given).CopyTo(buffer);
            _hash.AppendData(_read, 0, given);
            _read.AsSpan(given, _held - given).CopyTo(_read);
            _held -= given;
            return given;
        }
        return 0;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing) _hash.Dispose();
        base.Dispose(disposing);
    }

    private void End()
    {
        if (_held < _proofLength) throw new TransferException(TransferError.Integrity, "The archive is cut off.");
        var digest = _hash.GetHashAndReset();
        if (!_isProved(digest, _read[.._proofLength]))
            throw new TransferException(TransferError.Integrity, "The archive is not as its sender has made it.");
        Digest = digest;
        _ended = true;
    }
}
