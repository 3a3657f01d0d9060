using Transfer.Ftp;
using Transfer.TestSupport.Ftp;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>
/// A server, and what is expected of its clients: what is remembered, how often commands are sent by the first and by the second, and the
/// lines of the log, where these are not one for each rung above.
/// </summary>
internal sealed record LadderRow(Func<OddServer> Start, string Remembered, string First, string Second, int? Lines = null)
{
    /// <summary>What a client does at the server, whose folder <c>/d</c> has a file <c>a</c> of three bytes.</summary>
    public Func<FtpTransferClient, Task> Act { get; init; } = ListAsync;

    private static async Task ListAsync(FtpTransferClient client)
    {
        var names = await client.ListAsync("/d").Select(entry => entry.Name).ToListAsync();
        Assert.That(names, Is.EqualTo(new[] { "a" }).Or.Empty);
    }
}
