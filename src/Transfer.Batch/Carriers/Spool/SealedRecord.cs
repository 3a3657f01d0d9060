using System.Security.Cryptography;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>A record in the store: sealed as an archive, under a number that no archive has, with the proof behind.</summary>
internal static class SealedRecord
{
    /// <summary>The most bytes of a record's file.</summary>
    public const int MostLength = 4 << 20;

    public const long HeadNumber = 1L << 62;
    public const long EndNumber = HeadNumber + 1;

    /// <summary>The number of a recipient's confirmations.</summary>
    public static long ConfirmationNumber(int recipient) => HeadNumber + (1 << 16) + recipient;

    /// <summary>Seals a record and adds the proof.</summary>
    public static async ValueTask<byte[]> SealAsync(JobId job, long number, JobSecret secret, IReadOnlyList<KeyWrap> wraps, byte[] record,
        byte[] proof)
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

    /// <summary>Opens a record. The author is known only by the proof.</summary>
    /// <param name="file">The file's bytes.</param>
    /// <param name="keys">The keys that may open the record.</param>
    /// <param name="job">The expected job.</param>
    /// <param name="number">The expected number.</param>
    /// <param name="proofLength">The bytes of the proof.</param>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Auth"/>: sealed for other recipients; <see cref="TransferError.Integrity"/> or
    /// <see cref="TransferError.Protocol"/>: not as sealed.
    /// </exception>
    public static async ValueTask<(byte[] Record, byte[] Proof, ArchiveHeader Header)> OpenAsync(byte[] file, KeyRing keys, JobId job,
        long number, int proofLength)
    {
        using var source = new MemoryStream(file, writable: false);
        using var reader = await ArchiveReader.OpenAsync(source, keys, CancellationToken.None).ConfigureAwait(false);
        using var content = new MemoryStream();
        while (await reader.NextAsync(CancellationToken.None).ConfigureAwait(false) is { } piece)
        {
            // Compressed content may be a hundred times as long.
            if (content.Length + piece.Length > MostLength)
                throw new TransferException(TransferError.Protocol, "A record of the spool is too long.");
            content.Write(piece.Span);
        }
        if (reader.Header.Job != job || reader.Header.Index != number)
            throw new TransferException(TransferError.Integrity, "A record of the spool was put in another's place.");
        var bytes = content.ToArray();
        return bytes.Length > proofLength
            ? (bytes[..^proofLength], bytes[^proofLength..], reader.Header)
            : throw new TransferException(TransferError.Protocol, "A record of the spool is cut off.");
    }
}
