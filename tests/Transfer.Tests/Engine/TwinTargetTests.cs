namespace Transfer.Tests.Engine;

/// <summary>Two files of one job with one target: one would replace the other, and its source would be lost.</summary>
public sealed class TwinTargetTests : MemoryFixture
{
    [Test]
    public async Task The_second_source_of_one_target_fails_and_stays([Values] OverwriteMode overwrite)
    {
        FileUpload[] files =
            [.. Enumerable.Range(0, 10).Select(i => new FileUpload(Local.Add($"d{i}/f", [(byte)i], Samples.Time), "/t/f"))];
        var result = await Client.UploadFilesAsync(
            files.ToAsyncEnumerable(), new() { RemoveSource = true, Overwrite = overwrite, CreateDirectories = true }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 9L)));
        Assert.That(result.Failures.Select(item => item.Error!.Error), Has.All.EqualTo(TransferError.Exists));
        Assert.That((Local.Files.Count, Store["/t/f"]!.Content), Is.EqualTo((9, new byte[] { 0 })));
    }

    [Test]
    public async Task The_second_remote_source_of_one_target_fails_and_stays([Values] OverwriteMode overwrite)
    {
        for (var i = 0; i < 10; i++) Store.AddFile($"/d{i}/f", [(byte)i], Samples.Time);
        var result = await Client.DownloadFilesAsync(
            Enumerable.Range(0, 10).Select(i => new FileDownload($"/d{i}/f", Local["f"])).ToAsyncEnumerable(),
            new() { RemoveSource = true, Overwrite = overwrite }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 9L)));
        Assert.That((Store.Files.Count, Local.Read("f")), Is.EqualTo((9, new byte[] { 0 })));
    }

    [Test]
    public async Task Names_that_are_not_UTF_8_are_targets_and_sources_of_their_own()
    {
        // Halves of surrogate pairs stand for bytes.
        FileUpload[] uploads = [new(Local.Add("a", [1], Samples.Time), "/t/\udce4"), new(Local.Add("b", [2], Samples.Time), "/t/\udcf6")];
        var sent = await Client.UploadFilesAsync(uploads.ToAsyncEnumerable(), new() { CreateDirectories = true }).Soon();
        Assert.That((sent.Files, sent.Failed, Store.Files.Count), Is.EqualTo((2L, 0L, 2)));
        FileDownload[] downloads = [new("/t/\udce4", Local["one"]), new("/t/\udcf6", Local["one"])];
        var fetched = await Client.DownloadFilesAsync(
            downloads.ToAsyncEnumerable(), new() { RemoveSource = true, Overwrite = OverwriteMode.Always }).Soon();
        Assert.That((fetched.Files, fetched.Failed, Store.Files.Count), Is.EqualTo((1L, 1L, 1)));
    }

    [Test]
    public async Task A_source_that_comes_again_goes_again()
    {
        var path = Local.Add("f", [1], Samples.Time);
        var result = await Client.UploadFilesAsync(
            new[] { new FileUpload(path, "/f"), new FileUpload(path, "/f") }.ToAsyncEnumerable(),
            new() { Overwrite = OverwriteMode.Always }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((2L, 0L)));
    }
}
