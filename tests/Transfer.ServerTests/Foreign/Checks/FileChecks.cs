using Transfer.ServerTests.Support;
using Transfer.Sftp;

namespace Transfer.ServerTests.Foreign.Checks;

/// <summary>One small file.</summary>
internal static class FileChecks
{
    public static IReadOnlyList<Check> All { get; } =
    [
        new("put", PutAsync),
        new("put keeps the time", PutKeepsTheTimeAsync),
        new("get", GetAsync),
        new("get keeps the time", GetKeepsTheTimeAsync),
        new("an empty file, up and down", EmptyAsync),
        new("put refuses or skips an existing file", ExistingAsync),
        new("put replaces a longer file", ReplaceAsync),
        new("put replaces only older files (newer)", NewerAsync),
        new("cat of a part", PartAsync),
        new("a wrong password is told as one", WrongPasswordAsync),
    ];

    private static async Task PutAsync(Round round)
    {
        var content = Bytes.Random(300_000);
        await using var client = round.Client();
        await client.UploadFileAsync(round.LocalFile("source", content), round.At("file"));
        Bytes.AssertSame(File.ReadAllBytes(round.Disk("file")), content);
        Assert.That(round.RemoteNames, Is.EqualTo(new[] { "file" }), "no temporary file is left");
    }

    private static async Task PutKeepsTheTimeAsync(Round round)
    {
        await using var client = round.Client();
        await client.UploadFileAsync(round.LocalFile("source", [1, 2, 3]), round.At("file"));
        Bytes.AssertSame(File.ReadAllBytes(round.Disk("file")), [1, 2, 3]);
        var time = File.GetLastWriteTimeUtc(round.Disk("file"));
        if (client.Features is { SetsModified: false } && time > DateTime.UtcNow.AddHours(-1))
            throw new ServerLimitException("The client knows that this server sets no times.");
        Assert.That(time, Is.EqualTo(Round.Modified));
    }

    private static async Task GetAsync(Round round)
    {
        var content = Bytes.Random(300_000);
        round.Plant("file", content);
        await using var client = round.Client();
        var target = Path.Combine(round.Scratch, "target");
        await client.DownloadFileAsync(round.At("file"), target);
        Bytes.AssertSame(File.ReadAllBytes(target), content);
    }

    private static async Task GetKeepsTheTimeAsync(Round round)
    {
        round.Plant("file", [1, 2, 3]);
        await using var client = round.Client();
        var target = Path.Combine(round.Scratch, "target");
        await client.DownloadFileAsync(round.At("file"), target);
        Assert.That(File.GetLastWriteTimeUtc(target), Is.EqualTo(Round.Modified));
    }

    private static async Task EmptyAsync(Round round)
    {
        await using var client = round.Client();
        await client.UploadFileAsync(round.LocalFile("source", []), round.At("file"));
        Assert.That(new FileInfo(round.Disk("file")).Length, Is.Zero);
        var target = Path.Combine(round.Scratch, "target");
        await client.DownloadFileAsync(round.At("file"), target);
        Assert.That(new FileInfo(target).Length, Is.Zero);
    }

    private static async Task ExistingAsync(Round round)
    {
        round.Plant("file", [1, 2, 3]);
        var source = round.LocalFile("source", Bytes.Random(1000));
        await using var client = round.Client();
        var error = await ThrowsAsync(() => client.UploadFileAsync(source, round.At("file")));
        Assert.That(error.Error, Is.EqualTo(TransferError.Exists), error.ToString());
        var skipped = await client.UploadFileAsync(source, round.At("file"), new() { Overwrite = OverwriteMode.Skip });
        Assert.That(skipped.Skipped, Is.True);
        Bytes.AssertSame(File.ReadAllBytes(round.Disk("file")), [1, 2, 3]);
        Assert.That(round.RemoteNames, Is.EqualTo(new[] { "file" }), "no temporary file is left");
    }

    private static async Task ReplaceAsync(Round round)
    {
        foreach (var publish in (PublishMode[])[PublishMode.Rename, PublishMode.Direct])
        {
            round.Plant("file", Bytes.Random(50_000));
            var content = Bytes.Random(1000, seed: 2);
            await using var client = round.Client();
            await client.UploadFileAsync(
                round.LocalFile("source", content), round.At("file"), new() { Overwrite = OverwriteMode.Always, Publish = publish });
            Bytes.AssertSame(File.ReadAllBytes(round.Disk("file")), content);
            Assert.That(round.RemoteNames, Is.EqualTo(new[] { "file" }), "no temporary file is left");
        }
    }

    private static async Task NewerAsync(Round round)
    {
        round.Plant("file", [1, 2, 3]);
        var source = round.LocalFile("source", Bytes.Random(1000));
        await using var client = round.Client();
        foreach (var (days, replaced) in (ValueTuple<int, bool>[])[(-2, false), (2, true)])
        {
            File.SetLastWriteTimeUtc(source, Round.Modified.AddDays(days));
            var result = await client.UploadFileAsync(source, round.At("file"), new() { Overwrite = OverwriteMode.Newer });
            Assert.That(result.Skipped, Is.EqualTo(!replaced));
            Assert.That(new FileInfo(round.Disk("file")).Length, Is.EqualTo(replaced ? 1000 : 3));
        }
    }

    private static async Task PartAsync(Round round)
    {
        var content = Bytes.Random(200_000);
        round.Plant("file", content);
        await using var client = round.Client();
        TransferException? refused = null;
        using var part = new MemoryStream();
        try
        {
            await using var stream = await client.OpenReadAsync(round.At("file"), new() { Offset = 123_456, Length = 5000 });
            await stream.CopyToAsync(part);
            Bytes.AssertSame(part.ToArray(), content.AsSpan(123_456..128_456));
        }
        catch (TransferException error) when (error.Error == TransferError.Unsupported)
        {
            refused = error;
        }

        using var whole = new MemoryStream();
        await client.DownloadAsync(round.At("file"), whole);
        Bytes.AssertSame(whole.ToArray(), content);
        if (refused is not null) throw new ServerLimitException(refused.Message);
    }

    private static async Task WrongPasswordAsync(Round round)
    {
        await using var client = round.Client(options => options is SftpOptions keys
            ? keys with { Credential = new("tester", "not the password"), Identities = [] }
            : options with { Credential = new("tester", "not the password") });
        var error = await ThrowsAsync(async () => await client.ConnectAsync());
        Assert.That(error.Error, Is.EqualTo(TransferError.Auth), error.ToString());
    }

    private static async Task<TransferException> ThrowsAsync(Func<Task> act) => (await Assert.CatchAsync<TransferException>(() => act()))!;
}
