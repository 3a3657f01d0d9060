using System.IO.Compression;
using System.Net.Sockets;
using System.Security.Authentication;
using Transfer.Testing.Faults;
using Transfer.Testing.Stores;

namespace Transfer.Testing.Ftp.Data;

/// <summary>A transfer over a data connection, from the 1xx to the final reply (RFC 959 5.4).</summary>
internal static class DataTransfer
{
    /// <summary>Sends content, which is disposed in any case.</summary>
    public static Task SendAsync(FtpSession session, string what, Stream content, CancellationToken ct) =>
        RunAsync(session, what, content, SendContentAsync, ct);

    /// <summary>Receives content into a stream, which is closed before the final reply.</summary>
    public static Task ReceiveAsync(FtpSession session, string what, Stream target, CancellationToken ct) =>
        RunAsync(session, what, target, ReceiveContentAsync, ct);

    private static async Task RunAsync(FtpSession session, string what, Stream file, ContentMover move, CancellationToken ct)
    {
        var (code, text) = await TryAsync(session, what, file, move, ct).ConfigureAwait(false);
        await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
    }

    private static async Task<(int Code, string Text)> TryAsync(FtpSession session, string what, Stream file, ContentMover move,
        CancellationToken ct)
    {
        // Disposing twice is allowed, and this covers every failure.
        await using var owned = file.ConfigureAwait(false);
        var setup = session.State.Data.Setup;
        session.State.Data.Setup = null;
        if (setup is null) return (425, "Use PASV, EPSV, PORT or EPRT first.");
        await using var opening = setup.ConfigureAwait(false);
        if (session.Options.RequireTls && !session.State.Data.IsProtected) return (522, "Data connections must be protected.");
        using var abort = session.BeginTransfer(ct);
        try
        {
            await session.PreliminaryAsync(150, what, ct).ConfigureAwait(false);
            if (await OpenAsync(session, setup, abort.Token).ConfigureAwait(false) is not { } connection)
                return (425, "Can't open data connection.");
            await using var open = connection.ConfigureAwait(false);
            var fault = session.TakeDataFault();
            if (fault?.Action is RefuseDataFault)
            {
                connection.Reset();
                return (426, "Data connection reset.");
            }

            if (session.State.Data.IsProtected && await ProtectAsync(session, connection, abort.Token).ConfigureAwait(false) is { } refusal)
                return refusal;
            session.Core.Counts.CountData(connection.IsResumed);
            return await move(session, connection, file, fault, abort.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (abort.IsCancellationRequested && !ct.IsCancellationRequested)
        {
            return (426, "Transfer aborted.");
        }
        catch (DataLostException e)
        {
            return (426, e.Message);
        }
        catch (Exception e) when (StoreFailure.IsStoreFailure(e))
        {
            return StoreFailure.Reply(e);
        }
        finally
        {
            session.Transfers.End();
        }
    }

    private static async Task<DataConnection?> OpenAsync(FtpSession session, DataSetup setup, CancellationToken abort)
    {
        using var limit = new CancellationTokenSource(session.Options.DataTimeout, session.Options.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(abort, limit.Token);
        try
        {
            return new DataConnection(await setup.OpenAsync(either.Token).ConfigureAwait(false));
        }
        catch (SocketException)
        {
            return null;
        }
        catch (OperationCanceledException) when (!abort.IsCancellationRequested)
        {
            return null;
        }
    }

    private static async Task<(int Code, string Text)?> ProtectAsync(FtpSession session, DataConnection connection, CancellationToken abort)
    {
        try
        {
            await connection.ProtectAsync(session.Tls!, abort).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or AuthenticationException)
        {
            return (522, "TLS negotiation failed on the data connection.");
        }

        return session.Options.RequireTlsSessionReuse && !connection.IsResumed
            ? (522, "TLS session reuse is required on the data connection.")
            : null;
    }

    private static async Task<(int Code, string Text)> SendContentAsync(FtpSession session, DataConnection connection, Stream content,
        FaultRule? fault, CancellationToken abort)
    {
        var truncated = fault?.Action is TruncateTlsFault;
        var source = fault?.Action is SendDataFault other ? new MemoryStream(other.Content) : content;
        Stream output = connection.Stream;
        var deflate = session.State.IsDeflated ? new ZLibStream(output, CompressionLevel.Fastest, leaveOpen: true) : null;
        if (deflate is not null) output = deflate;
        if (!session.State.IsBinary) output = new LineEndWriter(output, toNetwork: true);
        var copy = new ContentCopy(fault, connection);
        await copy.RunAsync(source, output, sourceIsNetwork: false, abort).ConfigureAwait(false);
        try
        {
            if (deflate is not null) await deflate.DisposeAsync().ConfigureAwait(false);
            await connection.FinishAsync(closeNotify: !truncated, session.Core, abort).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or SocketException)
        {
            throw new DataLostException("The data connection was closed.", e);
        }

        await content.DisposeAsync().ConfigureAwait(false);
        return (226, "Transfer complete.");
    }

    private static async Task<(int Code, string Text)> ReceiveContentAsync(FtpSession session, DataConnection connection, Stream target,
        FaultRule? fault, CancellationToken abort)
    {
        Stream input = connection.Stream;
        var inflate = session.State.IsDeflated ? new ZLibStream(input, CompressionMode.Decompress, leaveOpen: true) : null;
        await using var owned = (inflate ?? Stream.Null).ConfigureAwait(false);
        var output = session.State.IsBinary ? target : new LineEndWriter(target, toNetwork: false);
        var copy = new ContentCopy(fault, connection);
        await copy.RunAsync(inflate ?? input, output, sourceIsNetwork: true, abort).ConfigureAwait(false);
        if (inflate is not null) await copy.DrainAsync(input, abort).ConfigureAwait(false);
        await output.FlushAsync(abort).ConfigureAwait(false);
        await target.DisposeAsync().ConfigureAwait(false);
        if (connection.IsTruncated && session.Options.RequireCloseNotify)
            return (426, "TLS ended without close_notify; the file may be cut.");
        try
        {
            await connection.FinishAsync(closeNotify: !connection.IsTruncated, session.Core, abort).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or SocketException)
        {
            // The client has closed both ways after its last byte, which is allowed.
        }

        return (226, "Transfer complete.");
    }
}
