using System.Security.Cryptography;
using Transfer.Batch.Carriers.Spool.Records;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>What is proved (<see cref="SpoolKey.Prove"/>), byte for byte. No two kinds of statements can be the same.</summary>
internal static class SpoolStatement
{
    public static byte[] OfHead(ReadOnlySpan<byte> record) => [.. "transfer spool 1 head"u8, .. record];

    public static byte[] OfEnd(ReadOnlySpan<byte> record) => [.. "transfer spool 1 end"u8, .. record];

    public static byte[] OfConfirmation(ReadOnlySpan<byte> record) => [.. "transfer spool 1 confirmation"u8, .. record];

    /// <param name="head">SHA-256 of the head, which has the job in it.</param>
    /// <param name="number">The archive's number.</param>
    /// <param name="archive">SHA-256 of all its bytes. Whoever has the job's secret can make other frames with the same tags, so those say nothing here.</param>
    public static byte[] OfArchive(ReadOnlySpan<byte> head, long number, ReadOnlySpan<byte> archive) =>
        new RecordWriter().Bytes("transfer spool 1 archive"u8).Bytes(head).Number(number).Bytes(archive).ToArray();

    /// <summary>What names a head in all that follows it.</summary>
    public static byte[] Hash(ReadOnlySpan<byte> record) => SHA256.HashData(record);
}
