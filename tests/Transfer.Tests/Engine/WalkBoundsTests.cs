using Transfer.Engine.Trees;
using Transfer.Listings;

namespace Transfer.Tests.Engine;

[TestFixture]
public sealed class WalkBoundsTests
{
    private readonly PlannedDirectory _root = new(null, string.Empty);

    [Test]
    public void Directories_behind_links_are_counted_and_others_are_not()
    {
        var bounds = new WalkBounds(new ListingBudget(1 << 20).Open("/"), mostFollowed: 2);
        var plain = new PlannedDirectory(_root, "plain");
        var followed = new PlannedDirectory(_root, "link", "plain");
        for (var i = 0; i < 10; i++) Assert.That(bounds.RefuseFollowed(plain), Is.Null);
        Assert.That((bounds.RefuseFollowed(followed), bounds.RefuseFollowed(new PlannedDirectory(followed, "below"))),
            Is.EqualTo(((TransferException?)null, (TransferException?)null)));
        Assert.That(bounds.RefuseFollowed(followed)!.Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(bounds.RefuseFollowed(plain), Is.Null);
    }

    [Test]
    public void Memory_is_taken_until_it_is_returned_and_a_path_without_end_takes_none()
    {
        var directory = new PlannedDirectory(_root, "directory");
        var bounds = new WalkBounds(new ListingBudget(directory.Cost).Open("/"));
        Assert.That(bounds.Take(_root, directory), Is.Null);
        Assert.That(bounds.Take(_root, directory)!.Error, Is.EqualTo(TransferError.Partial));
        bounds.Return(directory);
        Assert.That(bounds.Take(_root, new PlannedDirectory(_root, new string('n', 9000)))!.Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(bounds.Take(_root, directory), Is.Null);
    }
}
