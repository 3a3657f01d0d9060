using Transfer.Cli.Output;

namespace Transfer.Cli.Tests;

public sealed class ItemTextTests
{
    [Test]
    public void Each_reason_has_a_word_for_programs_and_a_text_of_its_own()
    {
        var reasons = Enum.GetValues<SkipReason>();
        var items = reasons.Select(reason => new ItemResult { Path = "a", Action = ItemAction.Skip, Reason = reason }).ToArray();
        Assert.That(items.Select(ItemText.Reason), Is.Unique.And.All.Not.Null);
        var texts = items.Select(item => ItemText.Detail(ItemEvent.Of("a", item, ItemText.Sent))).ToArray();
        Assert.That(texts, Is.Unique);
        // The name of the value stands in for a text that is missing.
        Assert.That(texts.Intersect(reasons.Select(reason => reason.ToString())), Is.Empty);
    }
}
