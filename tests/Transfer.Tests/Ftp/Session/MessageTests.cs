namespace Transfer.Tests.Ftp.Session;

public sealed class MessageTests
{
    [Test]
    public async Task A_refused_upload_names_the_path_that_was_asked_for_and_not_the_temporary_one([Values] VerificationMode verify)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Server.Faults.Reply("STOR", "553 no room for it");
        var error = await FtpHarness.FailsAsync(() => ftp.PutAsync("/d.txt", [1], new UploadOptions { Overwrite = OverwriteMode.Always, Verify = verify }));
        Assert.That(error.Message, Does.StartWith("STOR /d.txt: 553").And.Not.Contain(".transfer-"));
        Assert.That(error.RemotePath, Is.EqualTo("/d.txt"));
    }
}
