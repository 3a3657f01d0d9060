namespace Transfer.Tests.Engine;

/// <summary>A session that is lost when all of an upload was sent: what is there is looked at, not sent again.</summary>
[Category(Categories.Slow)]
public sealed class DoubtTests : MemoryFixture
{
    private static readonly Fault Lost = new() { LoseBefore = true };

    [TestCase(VerificationMode.Size)]
    [TestCase(VerificationMode.Hash)]
    public async Task A_confirmation_that_is_lost_is_not_asked_for_by_sending_again(VerificationMode verify)
    {
        var bytes = Samples.Bytes(200_000);
        Store.Faults.On("uploaded", Lost);
        using var stream = new MemoryStream(bytes);
        var result = await Client.UploadAsync(stream, "/a", new UploadOptions { Verify = verify }).Soon();
        Assert.That((Store.Faults.Count("upload"), result.Attempts, result.Verified), Is.EqualTo((1, 1, verify)));
        Same.Bytes(Store["/a"]!.Content, bytes);
    }

    [Test]
    public async Task What_was_written_to_since_is_sent_again()
    {
        var bytes = Samples.Bytes(200_000);
        Store.Faults.On("uploaded", Lost with
        {
            Hold = _ =>
            {
                var node = Store[Store.Temporaries.Single()]!;
                node.Write(node.Length - 1, [(byte)(node.Content[^1] ^ 1)]);
                return Task.CompletedTask;
            },
        });
        using var stream = new MemoryStream(bytes);
        await Client.UploadAsync(stream, "/a").Soon();
        Assert.That(Store.Faults.Count("upload"), Is.EqualTo(2));
        Same.Bytes(Store["/a"]!.Content, bytes);
    }
}
