using System.Text.RegularExpressions;
using Transfer.ServerTests.Foreign.Checks;
using Transfer.ServerTests.Foreign.Servers;

namespace Transfer.ServerTests.Foreign;

/// <summary>The page has every cell, and a note for each gap.</summary>
[TestFixture]
internal sealed partial class ServersPageTests
{
    [Test]
    public void Every_cell_is_there_and_every_gap_has_its_note()
    {
        var cells = ((IEnumerable<ForeignServer>)[.. ForeignServer.Ftp, .. ForeignServer.Sftp])
            .SelectMany(column => Check.All.Select(row => (Where: $"{column}: {row}", Text: ServersPage.Cell(column, row)))).ToArray();
        Assert.That(cells.Where(cell => cell.Text != ServersPage.Good && !Gap().IsMatch(cell.Text)), Is.Empty, ServersPage.Advice);
        var used = cells.Select(cell => Gap().Match(cell.Text)).Where(match => match.Success).Select(match => match.Groups[1].Value)
            .ToHashSet();
        var notes = NoteLine().Matches(ServersPage.Text).Select(match => match.Groups[1].Value).ToArray();
        Assert.That(notes, Is.Unique);
        Assert.That(used, Is.EquivalentTo(notes));
    }

    [GeneratedRegex(@"^no \(([a-z])\)$")]
    private static partial Regex Gap();

    [GeneratedRegex(@"^- ([a-z]): ", RegexOptions.Multiline)]
    private static partial Regex NoteLine();
}
