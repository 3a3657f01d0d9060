using System.Buffers;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Fuzz.Targets;

/// <summary>Messages between senders and receivers. Each is written as it was read.</summary>
internal static class BatchLinks
{
    public static void Read(byte[] input)
    {
        var buffer = new ReadOnlySequence<byte>(input);
        while (LinkFrame.TryRead(ref buffer, LinkFrame.MaxPayload, out var type, out var payload)) ReadMessage(type, payload.ToArray());
    }

    private static void ReadMessage(LinkMessageType type, byte[] payload)
    {
        switch (type)
        {
            case LinkMessageType.Hello: Again<HelloMessage>(payload); break;
            case LinkMessageType.JobBegin: Again<JobBeginMessage>(payload); break;
            case LinkMessageType.JobAccepted: Again<JobAcceptedMessage>(payload); break;
            case LinkMessageType.ArchiveBegin: Again<ArchiveBeginMessage>(payload); break;
            case LinkMessageType.ArchiveEnd: Again<ArchiveEndMessage>(payload); break;
            case LinkMessageType.ArchiveAbandoned: Again<ArchiveAbandonedMessage>(payload); break;
            case LinkMessageType.ArchiveRefused: Again<ArchiveRefusedMessage>(payload); break;
            case LinkMessageType.FileFailure: Again<FileFailureMessage>(payload); break;
            case LinkMessageType.FileSkipped: Again<FileSkippedMessage>(payload); break;
            case LinkMessageType.Receipt: Again<ReceiptMessage>(payload); break;
            case LinkMessageType.JobEnd: Again<JobEndMessage>(payload); break;
            case LinkMessageType.JobDone: Again<JobDoneMessage>(payload); break;
            case LinkMessageType.SignatureWanted: Again<SignatureWantedMessage>(payload); break;
            case LinkMessageType.Signature: Again<SignatureMessage>(payload); break;
            case LinkMessageType.Bye: Again<ByeMessage>(payload); break;
            case LinkMessageType.Error: Again<ErrorMessage>(payload); break;
            case LinkMessageType.Ping: Again<PingMessage>(payload); break;
        }
    }

    // Texts may be shown otherwise than they were sent, once.
    private static void Again<T>(byte[] payload)
        where T : ILinkMessage<T>
    {
        var first = Bytes(T.Parse(payload));
        if (!first.AsSpan().SequenceEqual(Bytes(T.Parse(first))))
            throw new FuzzException($"{typeof(T).Name} is not read as it is written.");
    }

    private static byte[] Bytes<T>(T message)
        where T : ILinkMessage<T>
    {
        var payload = new byte[message.Length];
        message.Write(payload);
        return payload;
    }
}
