using System.Security.Cryptography;
using Transfer.Batch.Carriers.Spool.Records;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>The proved statements (<see cref="SpoolKey.Prove"/>), byte for byte. Statements of two kinds are never the same.</summary>
internal static class SpoolStatement
{
    public static byte[] OfHead(ReadOnlySpan<byte> record) => [.. "transfer spool 1 head"u8, .. record];

    public static byte[] OfEnd(ReadOnlySpan<byte> record) => [.. "transfer spool 1 end"u8, .. record];

    public static byte[] OfConfirmation(ReadOnlySpan<byte> record) => [.. "transfer spool 1 confirmation"u8, .. record];

    /// <param name="head">The SHA-256 of the head, which holds the job.</param>
    /// <param name="number">The archive's number.</param>
    /// <param name="archive">The SHA-256 of all the archive's bytes. Holders of the job's secret can make other frames with the same tags,
    /// so tags prove nothing here.</param>
    public static byte[] OfArchive(ReadOnlySpan<byte> head, long number, ReadOnlySpan<byte> archive) =>
        new RecordWriter().Bytes("transfer spool 1 archive"u8).Bytes(head).Number(number).Bytes(archive).ToArray();

    /// <summary>Returns the hash that names a head in all later statements.</summary>
    public static byte[] Hash(ReadOnlySpan<byte> record) => SHA256.HashData(record);
}
