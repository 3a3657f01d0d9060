using Transfer;
using Transfer.Ftp;
using Transfer.Testing;

namespace Programs;

/// <summary>An application's test: what its code does when the server does not do as it should.</summary>
internal static class TestYourCode
{
    public static async Task RunAsync()
    {
        var store = new MemoryStore();
        await using var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = store });
        await using var client = new FtpTransferClient(server.Uri, new FtpOptions { Credential = new TransferCredential("demo", "demo") });

        server.Faults.CutData(afterBytes: 100, verb: "STOR"); // The first data connection breaks: the client tries again.
        await client.UploadFileAsync("report.pdf", "report.pdf");
        Check(store.ReadFile("/report.pdf").AsSpan().SequenceEqual(File.ReadAllBytes("report.pdf")), "the report arrives whole");

        server.Faults.Reply("STOR", "552 The disk is full.", times: int.MaxValue);
        var job = await client.UploadDirectoryAsync("photos", "photos");
        Check(job.Files == 0 && job.Failures.All(failure => failure.Error?.Error == TransferError.Quota), "a full disk is told apart");
    }

    private static void Check(bool holds, string sentence) => Console.WriteLine($"{(holds ? "passed" : "FAILED")}: {sentence}");
}
