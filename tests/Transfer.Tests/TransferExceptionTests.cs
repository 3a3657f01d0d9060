namespace Transfer.Tests;

/// <summary>An error that is told in other words.</summary>
public sealed class TransferExceptionTests
{
    [Test]
    public void Everything_but_the_message_is_told_again()
    {
        var error = new TransferException(TransferError.Denied, "no")
        {
            IsTransient = true,
            RemotePath = "/a",
            ServerCode = 550,
            Kept = ["/kept"],
            NeedsDirectPublish = true,
        };
        var told = error.WithMessage("No, and more.");
        Assert.That(told.Message, Is.EqualTo("No, and more."));
        Assert.That(told.InnerException, Is.SameAs(error));
        // Whatever properties there are and will be.
        foreach (var property in typeof(TransferException).GetProperties().Where(
            property => property.DeclaringType == typeof(TransferException)))
        {
            Assert.That(property.GetValue(error), Is.Not.EqualTo(property.GetValue(new TransferException())),
                $"{property.Name} is set above");
            Assert.That(property.GetValue(told), Is.EqualTo(property.GetValue(error)), property.Name);
        }
        Assert.That(error.WithMessage("Elsewhere.", "/b").RemotePath, Is.EqualTo("/b"));
    }
}
