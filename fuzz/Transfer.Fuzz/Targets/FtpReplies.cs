using System.Buffers;
using System.Text;
using Transfer.Ftp.Protocol;
using Transfer.Ftp.Session;

namespace Transfer.Fuzz.Targets;

/// <summary>What comes over a control connection.</summary>
internal static class FtpReplies
{
    private static readonly string[] Features = ["MLST", "REST", "AUTH", "UTF8", "TVFS"];

    /// <summary>Replies, read whole and a byte at a time, and what is read out of their texts.</summary>
    public static void Read(byte[] input)
    {
        var whole = All(input, input.Length);
        if (whole is null) return;
        if (!whole.SequenceEqual(All(input, 1) ?? throw new FuzzException("In pieces the replies are malformed.")))
            throw new FuzzException("In pieces they are other replies.");
    }

    /// <summary>The lines of an answer to FEAT.</summary>
    public static void ReadFeatures(byte[] input)
    {
        var set = FtpFeatureSet.Parse(new FtpReply(211, ["Features:", .. Encoding.Latin1.GetString(input).Split('\n'), "End"]));
        foreach (var name in Features)
        {
            if (set.Has(name) != set.TryGet(name, out _)) throw new FuzzException($"{name} is there and is not.");
            set.Has(name, "STREAM");
        }
    }

    // Null: malformed.
    private static List<string>? All(byte[] input, int step)
    {
        var replies = new List<string>();
        var (read, consumed) = (0, 0L);
        try
        {
            while (read < input.Length)
            {
                read = Math.Min(input.Length, read + step);
                var buffer = new ReadOnlySequence<byte>(input, 0, read).Slice(consumed);
                var length = buffer.Length;
                while (FtpReplyParser.TryRead(ref buffer, Encoding.UTF8, out var reply)) replies.Add(Describe(reply!));
                consumed += length - buffer.Length;
            }
        }
        catch (TransferException error) when (error.Error == TransferError.Protocol)
        {
            return null;
        }

        return replies;
    }

    private static string Describe(FtpReply reply)
    {
        if (reply.Code is < 100 or > 599 || reply.Lines.Count == 0) throw new FuzzException($"That is no reply: {reply}");
        var extended = PassiveReply.TryParseEpsv(reply, out var port);
        var passive = PassiveReply.TryParsePasv(reply, out var endPoint);
        return $"{reply.Code} {string.Join('\n', reply.Lines)} {(extended ? port : null)} {(passive ? endPoint : null)} "
            + $"{FtpTime.OfReply(reply)}";
    }
}
