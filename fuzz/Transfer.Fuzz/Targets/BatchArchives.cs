using Transfer.Batch.Archive.Format;
using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Sealing;

namespace Transfer.Fuzz.Targets;

/// <summary>Archives of batch mode, and the tar stream that is in them or that a host's tar makes.</summary>
internal static class BatchArchives
{
    /// <summary>An archive that is not sealed, whose checksum says nothing about who made it.</summary>
    public static void ReadArchive(byte[] input) => ReadArchiveAsync(input).GetAwaiter().GetResult();

    public static void ReadTar(byte[] input)
    {
        var reader = new TarReader(new Target());
        var at = 0;
        // Pieces of all lengths: the first byte gives their step.
        var step = input.Length == 0 ? 1 : 1 + (input[0] * 7);
        while (at < input.Length)
        {
            var count = Math.Min(step, input.Length - at);
            reader.Read(input.AsSpan(at, count));
            at += count;
        }

        reader.Complete();
    }

    private static async Task ReadArchiveAsync(byte[] input)
    {
        using var keys = new KeyRing { AllowsUnsealed = true };
        using var reader = await ArchiveReader.OpenAsync(new MemoryStream(input), keys, CancellationToken.None);
        var tar = new TarReader(new Target());
        while (await reader.NextAsync(CancellationToken.None) is { } piece) tar.Read(piece.Span);
        tar.Complete();
    }

    private sealed class Target : ITarTarget
    {
        private long? _left;

        public void Begin(TarEntry entry)
        {
            if (_left is not null) throw new FuzzException("An entry begins in another.");
            if (entry.Length < 0) throw new FuzzException("A length is negative.");
            _left = entry.Length;
        }

        public void Write(ReadOnlySpan<byte> content)
        {
            _left -= content.Length;
            if (_left is null or < 0) throw new FuzzException("There is more content than was announced.");
        }

        public void End()
        {
            if (_left != 0) throw new FuzzException("An entry ends before its content.");
            _left = null;
        }

        public void Invalidate(long ordinal)
        {
            if (ordinal < 0) throw new FuzzException("An entry before the first is spoilt.");
        }
    }
}
