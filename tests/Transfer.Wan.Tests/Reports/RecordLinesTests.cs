using System.Text.Json;
using Transfer.Wan.Records;
using Transfer.Wan.Reports;

namespace Transfer.Wan.Tests.Reports;

internal sealed class RecordLinesTests
{
    private const string Link =
        """{"kind":"link","link":"a","means":"tun","asked":{"roundTrip":100,"rate":100},"given":{"roundTrip":101,"rate":97.5,"loss":0.002}}""";

    [Test]
    public void What_was_written_is_read_again()
    {
        WanRecord[] records =
        [
            Sample.Run("latency", quick: true),
            Sample.Link("a", 100, loss: 0.002, jitter: 10),
            .. Sample.Turns("transfer --sessions 1", "FTP", "vsftpd", "up", 200, Sample.SmallFile, "a", 1.25),
            Sample.Turns("lftp", "FTP", "vsftpd", "up", 200, Sample.SmallFile, "a", 2).Single() with { FilesMoved = 10, BytesMoved = 5,
                PeakBytes = 1, FarPeakBytes = 2, SentBytes = 3, ReceivedBytes = 4, Error = "it's \"broken\": ü, \n + second line" },
            new LeftOut { Scenario = "a", Client = "rclone 8", Why = "not installed" },
        ];
        var text = string.Join("\n", records.Select(record => JsonSerializer.Serialize(record, WanRecordContext.Default.WanRecord)));
        var read = RecordLines.Read(new StringReader(text));
        Assert.That(read, Has.Count.EqualTo(records.Length));
        // A record's dictionary is compared by reference, so the first is compared by its parts.
        Assert.That(read.Skip(1), Is.EqualTo(records.Skip(1)));
        var run = (RunStarted)read[0];
        Assert.That(run.Versions, Is.EqualTo(((RunStarted)records[0]).Versions));
        Assert.That(run with { Versions = ((RunStarted)records[0]).Versions }, Is.EqualTo(records[0]));
    }

    [Test]
    public void Empty_lines_are_passed_over_and_numbered() =>
        Assert.That(() => RecordLines.Read(new StringReader($"\n{Link}\r\n   \nnonsense\n")),
            Throws.InstanceOf<FormatException>().With.Message.StartsWith("line 4 is not a record"));

    [TestCase("{")]
    [TestCase("[]")]
    [TestCase("12")]
    [TestCase("null")]
    [TestCase("{}")]
    [TestCase("""{"kind":"other"}""")]
    [TestCase("""{"kind":"leftOut","scenario":"a"}""")]
    [TestCase("""{"kind":"measured","scenario":"a","files":"many"}""")]
    [TestCase("""{"kind":"leftOut","scenario":"a","why":"b"} {"kind":"leftOut","scenario":"a","why":"b"}""")]
    public void A_line_that_is_no_record_is_told_by_its_number(string line) =>
        Assert.That(() => RecordLines.Read(new StringReader($"{Link}\n{line}\n{Link}")),
            Throws.InstanceOf<FormatException>().With.Message.StartsWith("line 2 is not a record"));

    [Test]
    public void A_file_is_named_when_a_line_of_it_is_no_record()
    {
        var path = Path.Combine(TestContext.CurrentContext.WorkDirectory, $"records-{Guid.NewGuid():N}.jsonl");
        File.WriteAllText(path, Link + "\nx\n");
        try
        {
            Assert.That(() => RecordLines.ReadFile(path),
                Throws.InstanceOf<FormatException>().With.Message.StartsWith($"{Path.GetFileName(path)}: line 2"));
            File.WriteAllText(path, Link + "\n");
            Assert.That(RecordLines.ReadFile(path), Has.Count.EqualTo(1));
        }
        finally
        {
            File.Delete(path);
        }
    }
}
