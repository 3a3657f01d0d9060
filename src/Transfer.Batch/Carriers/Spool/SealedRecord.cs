using System.Security.Cryptography;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>A record as it lies in the store: sealed as an archive is, under a number that none has, with its proof behind it.</summary>
internal static class SealedRecord
{
    /// <summary>Most bytes of such a file.</summary>
    public const int MostLength = 4 << 20;

    public const long HeadNumber = 1L << 62;
    public const long EndNumber = HeadNumber + 1;

    /// <summary>The number of a recipient's confirmations.</summary>
    public static long ConfirmationNumber(int recipient) => HeadNumber + (1 << 16) + recipient;

    /// <summary>Seals a record and its proof.</summary>
    public static async ValueTask<byte[]> SealAsync(JobId job, long number, JobSecret secret, IReadOnlyList<KeyWrap> wraps, byte[] record, byte[] proof)
    {
        using var stream = new MemoryStream();
        var header = new ArchiveHeader
        {
            Job = job,
            Index = number,
            IsSealed = true,
            Salt = RandomNumberGenerator.GetBytes(ArchiveHeader.SaltLength),
            Wraps = wraps,
        };
        var writer = new ArchiveWriter(stream, header, secret, compress: false);
        await using var writerEnd = writer.ConfigureAwait(false);
        await writer.WriteAsync(record, CancellationToken.None).ConfigureAwait(false);
        await writer.WriteAsync(proof, CancellationToken.None).ConfigureAwait(false);
        await writer.CompleteAsync(CancellationToken.None).ConfigureAwait(false);
        return stream.ToArray();
    }

    /// <summary>Opens a record. Who has made it is another question, which the proof answers.</summary>
    /// <param name="file">The file's bytes.</param>
    /// <param name="keys">Opens it.</param>
    /// <param name="job">The job that it must be of.</param>
    /// <param name="number">The number that it must have.</param>
    /// <param name="proofLength">Bytes of the proof.</param>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Auth"/>: it is sealed for others; <see cref="TransferError.Integrity"/> or <see cref="TransferError.Protocol"/>: it is not what was sealed.
    /// </exception>
    public static async ValueTask<(byte[] Record, byte[] Proof, ArchiveHeader Header)> OpenAsync(byte[] file, KeyRing keys, JobId job, long number, int proofLength)
    {
        using var source = new MemoryStream(file, writable: false);
        using var reader = await ArchiveReader.OpenAsync(source, keys, CancellationToken.None).ConfigureAwait(false);
        using var content = new MemoryStream();
        while (await reader.NextAsync(CancellationToken.None).ConfigureAwait(false) is { } piece)
        {
            // What is compressed may be a hundred times as long.
            if (content.Length + piece.Length > MostLength) throw new TransferException(TransferError.Protocol, "A record of the spool is too long.");
            content.Write(piece.Span);
        }
        if (reader.Header.Job != job || reader.Header.Index != number) throw new TransferException(TransferError.Integrity, "A record of the spool was put in another's place.");
        var bytes = content.ToArray();
        return bytes.Length > proofLength
            ? (bytes[..^proofLength], bytes[^proofLength..], reader.Header)
            : throw new TransferException(TransferError.Protocol, "A record of the spool is cut off.");
    }
}
