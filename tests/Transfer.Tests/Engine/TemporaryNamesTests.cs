namespace Transfer.Tests.Engine;

public sealed class TemporaryNamesTests
{
    [TestCase(".transfer-0123456789abcdef-1.part", true)]
    [TestCase(".transfer-0123456789abcdef-00.part", true)]
    [TestCase(".transfer-0123456789abcdef-123456789.part", true)]
    [TestCase(".transfer-0123456789abcdef-.part", false)]
    [TestCase(".transfer-0123456789abcdef.part", false)]
    [TestCase(".transfer-0123456789ABCDEF-1.part", false)]
    [TestCase(".transfer-0123456789abcdeg-1.part", false)]
    [TestCase(".transfer-0123456789abcdef-1x.part", false)]
    [TestCase(".transfer-0123456789abcdef-1.part2", false)]
    [TestCase(".transfer-.part", false)]
    [TestCase("transfer-0123456789abcdef-1.part", false)]
    public void A_name_of_an_unfinished_file_is_known(string name, bool isOne)
    {
        Assert.That(TemporaryNames.IsTemporary(name), Is.EqualTo(isOne));
        Assert.That(TemporaryNames.RunOf(name), isOne ? Is.EqualTo("0123456789abcdef") : Is.Null);
    }

    [Test]
    public void Every_name_that_is_given_is_known()
    {
        var names = new TemporaryNames();
        Assert.That(
            TemporaryNames.IsTemporary(names.Next()) && TemporaryNames.IsTemporary(TemporaryNames.Of(7, long.MaxValue))
                && TemporaryNames.IsTemporary(TemporaryNames.MarkOf(names.Run)));
    }
}
