using System.Security.Cryptography;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Batch.Archive.Tar;

namespace Transfer.Tests.Batch.Delta;

/// <summary>Instructions as nobody should send them.</summary>
public sealed class DeltaRebuildTests
{
    private static readonly byte[] Old = Samples.Bytes(2048);

    [TestCase("0002", "no block to begin with")]
    [TestCase("000102", "")]
    [TestCase("000400", "")]
    [TestCase("00050000", "more blocks than there are")]
    [TestCase("000101", "in front of the first block")]
    [TestCase("000108", "behind the last block")]
    [TestCase("00FFFFFFFFFFFFFFFF7F00", "so many blocks that they overflow")]
    [TestCase("0001FFFFFFFFFFFFFFFF7F", "so far that it overflows")]
    [TestCase("FFFFFFFFFFFFFFFF7F", "a literal longer than the file")]
    [TestCase("FFFFFFFFFFFFFFFFFF01", "a number of ten bytes")]
    [TestCase("00040000040701", "longer than was announced")]
    [TestCase("8010", "a literal that does not come")]
    [TestCase("0004008", "a number that does not end")]
    [TestCase("", "nothing")]
    public void Instructions_that_make_no_sense_are_refused(string instructions, string why)
    {
        using var files = new DeltaCase(Old, []);
        var body = Convert.FromHexString(instructions.Length % 2 == 0 ? instructions : instructions + "0");
        var isGood = why.Length == 0;
        // Four blocks of 512; the second alone.
        var meant = instructions == "000102" ? Old[512..1024] : Old;
        var head = new TarDelta(Old.Length, 512, meant.Length, SHA256.HashData(meant));
        foreach (var piece in new[] { 1, 3, 1000 })
        {
            if (isGood)
            {
                Assert.That(files.Rebuild(head, body, piece), Is.EqualTo(meant));
            }
            else
            {
                Assert.That(() => files.Rebuild(head, body, piece),
                    Throws.InstanceOf<TransferException>()
                        .With.Property("Error").AnyOf(TransferError.Protocol, TransferError.Integrity), why);
            }
        }
    }

    [Test]
    public void Any_bytes_are_instructions_or_an_error()
    {
        using var files = new DeltaCase(Old, []);
        Prop.ForAll<byte[], ushort>((bytes, length) =>
        {
            try
            {
                files.Rebuild(new TarDelta(Old.Length, 512, length, new byte[32]), bytes ?? []);
                return false;
            }
            catch (TransferException e)
            {
                return e.Error is TransferError.Protocol or TransferError.Integrity;
            }
        }).QuickCheckThrowOnFailure();
    }

    // One step copies all of it: nobody looks between.
    [Test]
    public void A_step_that_takes_long_ends_when_it_is_cancelled()
    {
        using var files = new DeltaCase(Samples.Bytes(1 << 20), []);
        using var cancelled = new CancellationTokenSource();
        cancelled.Cancel();
        var head = new TarDelta(files.Old.Length, 1024, files.Old.Length, SHA256.HashData(files.Old));
        byte[] body = [0, 0x80, 8, 0];
        Assert.That(files.Rebuild(head, body), Is.EqualTo(files.Old));
        Assert.That(() => files.Rebuild(head, body, ct: cancelled.Token), Throws.InstanceOf<OperationCanceledException>());
    }

    // Else a sender finds out byte for byte what it is: the file fails, or not.
    [Test]
    public void What_is_no_block_is_not_copied()
    {
        using var files = new DeltaCase(Samples.Bytes(2049), []);
        var head = new TarDelta(2049, 512, 1, SHA256.HashData(files.Old.AsSpan(2048)));
        Assert.That(() => files.Rebuild(head, [0, 1, 8]),
            Throws.InstanceOf<TransferException>().With.Property("Error").EqualTo(TransferError.Protocol));
    }

    [Test]
    public void Another_content_of_the_same_length_is_found_out()
    {
        using var files = new DeltaCase(Old, Old);
        var head = new TarDelta(Old.Length, 512, Old.Length, SHA256.HashData([.. Old.AsSpan(1), 0]));
        Assert.That(() => files.Rebuild(head, [0, 4, 0]),
            Throws.InstanceOf<TransferException>().With.Property("Error").EqualTo(TransferError.Integrity));
    }
}
