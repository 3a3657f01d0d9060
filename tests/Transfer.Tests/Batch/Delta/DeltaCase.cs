using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Archive.Unpacking;

namespace Transfer.Tests.Batch.Delta;

/// <summary>A base and a source as files, and everything between them.</summary>
internal sealed class DeltaCase : IDisposable
{
    private readonly TempFolder _folder = new();

    public DeltaCase(byte[] old, byte[] source)
    {
        Old = old;
        Source = source;
        _folder.Add("old", old);
        _folder.Add("source", source);
    }

    public byte[] Old { get; }

    public byte[] Source { get; }

    /// <summary>The hashes of the base's blocks, read in pieces as they are sent.</summary>
    public BaseSignature Sign(int piece = 1000)
    {
        using var file = BaseFile.Of(File.OpenHandle(_folder["old"]), Old.Length);
        var signature = new BaseSignature(file.Shape);
        var buffer = new byte[Math.Max(piece, file.Shape.EntryLength)];
        var blocks = new byte[BaseFile.BufferFor(file.Shape)];
        while (file.Read(buffer, blocks, default) is > 0 and var count) signature.Add(buffer.AsSpan(0, count));
        return signature;
    }

    public FileDelta? Match(BaseSignature signature, long most = long.MaxValue)
    {
        using var handle = File.OpenHandle(_folder["source"]);
        return DeltaMatcher.Match(handle, Source.Length, signature, most, default);
    }

    public FileDelta? Match() => Match(Sign());

    /// <summary>What stands in the archive.</summary>
    public byte[] Body(FileDelta delta)
    {
        var body = new List<byte>();
        long at = 0;
        long behind = 0;
        for (var steps = delta.Instructions; !steps.IsEmpty;)
        {
            DeltaInstructions.Take(ref steps, out var head, out var rest, out var literal, out var count, out var ahead);
            body.AddRange([.. head.Span, .. Source.AsSpan((int)at, (int)literal), .. rest.Span]);
            at += literal + (count > 0 ? delta.Shape.LengthOf(behind + ahead, count) : 0);
            if (count > 0) behind += ahead + count;
        }
        Assert.That(body, Has.Count.EqualTo(delta.BodyLength));
        return [.. body];
    }

    /// <summary>What is made of the base; throws as the receiver does.</summary>
    public byte[] Rebuild(TarDelta delta, byte[] body, int piece = 777, CancellationToken ct = default)
    {
        using (var target = File.OpenHandle(_folder["target"], FileMode.Create, FileAccess.ReadWrite))
        using (var rebuild = DeltaRebuild.Begin(delta, File.OpenHandle(_folder["old"]), target, _folder["target"], isOneWay: false, ct))
        {
            try
            {
                for (var at = 0; at < body.Length; at += piece) rebuild.Write(body.AsSpan(at, Math.Min(piece, body.Length - at)));
                rebuild.Complete("target");
            }
            finally
            {
                Assert.That(RandomAccess.GetLength(target), Is.LessThanOrEqualTo(delta.Length), "never more than was announced");
            }
        }
        return _folder.Read("target");
    }

    public static TarDelta Head(FileDelta delta) => new(delta.Shape.Length, delta.Shape.Block, delta.Length, delta.Hash);

    public void Dispose() => _folder.Dispose();
}
