using System.Text;
using Transfer.Local;

namespace Transfer.Cli.Host;

/// <summary>
/// Standard error for messages and progress. Text that cannot be written is dropped, as on a full disk or a terminal that has gone: a job
/// does not depend on its messages, and a failure to write one could not be reported either.
/// </summary>
internal sealed class MessageOutput(TextWriter inner) : TextWriter
{
    public override Encoding Encoding => inner.Encoding;

    public override void Write(char value) => Try(() => inner.Write(value));

    public override void Write(char[] buffer, int index, int count) => Try(() => inner.Write(buffer, index, count));

    public override void Write(string? value) => Try(() => inner.Write(value));

    public override void WriteLine(string? value) => Try(() => inner.WriteLine(value));

    public override void Flush() => Try(inner.Flush);

    /// <summary>Returns the writer of messages over another one, which belongs to the caller.</summary>
    public static TextWriter Over(TextWriter inner) => new MessageOutput(inner);

    private static void Try(Action write)
    {
        try
        {
            write();
        }
        catch (Exception e) when (LocalErrors.IsLocal(e) || e is ObjectDisposedException)
        {
            // Dropped.
        }
    }
}
