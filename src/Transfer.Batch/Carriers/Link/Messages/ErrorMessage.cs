using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>Explains why one side ends the connection.</summary>
/// <param name="Error">The kind of error.</param>
/// <param name="Reason">A message for people.</param>
internal sealed record ErrorMessage(TransferError Error, string Reason) : ILinkMessage<ErrorMessage>
{
    public static LinkMessageType Type => LinkMessageType.Error;

    public int Length => 1 + LinkFields.LengthOf(Reason);

    public void Write(Span<byte> to)
    {
        to[0] = WireError.Write(Error);
        LinkFields.WriteText(to[1..], Reason);
    }

    public static ErrorMessage Parse(ReadOnlySpan<byte> payload)
    {
        var fields = new LinkFields(payload);
        var message = new ErrorMessage(fields.Error(), fields.Reason());
        fields.End();
        return message;
    }
}
