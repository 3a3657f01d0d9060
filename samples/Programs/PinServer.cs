using Transfer;
using Transfer.Ftp;

namespace Programs;

/// <summary>FTPS to a server whose certificate no authority has signed.</summary>
internal static class PinServer
{
    public static async Task RunAsync(Uri server, TransferCredential logIn, string pin)
    {
        await using var client = new FtpTransferClient(server, new FtpOptions
        {
            Credential = logIn,
            Tls = new FtpTlsOptions { Pins = [pin] }, // "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        });

        try
        {
            await client.PingAsync();
            Console.WriteLine("The server has the key that was pinned.");
        }
        catch (TransferException e) when (e.Error == TransferError.Tls)
        {
            Console.WriteLine(e.Message);
        }
    }
}
