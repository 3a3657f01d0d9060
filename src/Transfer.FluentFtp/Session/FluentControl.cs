using System.Security.Authentication;
using System.Text;
using FluentFTP;
using FluentFTP.Exceptions;

namespace Transfer.FluentFtp.Session;

/// <summary>
/// One client of FluentFTP, logged in: commands with their replies, and the end of the session. Any result but a whole reply ends the
/// session: FluentFTP would go on with a connection on which replies are outstanding, or reconnect.
/// </summary>
internal sealed class FluentControl : IAsyncDisposable
{
    private static readonly TimeSpan GoodbyeTime = TimeSpan.FromSeconds(2);

    private readonly TransferClientOptions _options;
    private readonly int _mostReplies;
    private readonly IDisposable? _tlsName;
    private readonly CancellationTokenSource _broken = new();
    private TransferConnectionException? _reason;

    /// <param name="client">The client, connected.</param>
    /// <param name="options">The options of the Transfer client.</param>
    /// <param name="host">The knowledge of the server.</param>
    /// <param name="mostReplies">The number of replies under TLS after which FluentFTP would reconnect; 0: never.</param>
    /// <param name="tlsName">The name that TLS sessions are kept under, or null.</param>
    public FluentControl(AsyncFtpClient client, TransferClientOptions options, HostKnowledge host, int mostReplies, IDisposable? tlsName)
    {
        Client = client;
        _options = options;
        Host = host;
        _mostReplies = mostReplies;
        _tlsName = tlsName;
        Home = client.Status.LastWorkingDir is { Length: > 0 } home ? home : "/";
    }

    public AsyncFtpClient Client { get; }

    public HostKnowledge Host { get; }

    /// <summary>
    /// Whether the server is known by name. Others may confirm changes and make none, and send files from their first byte behind REST.
    /// </summary>
    public bool IsKnown => Client.ServerType is FtpServer.VsFTPd or FtpServer.ProFTPD or FtpServer.PureFTPd;

    /// <summary>The log-in folder, as returned by PWD.</summary>
    public string Home { get; }

    public TimeProvider Time => _options.TimeProvider;

    // Timers take no longer time.
    private TimeSpan IdleTime => _options.IdleTimeout > TimeSpan.Zero && _options.IdleTimeout.TotalMilliseconds <= int.MaxValue
        ? _options.IdleTimeout
        : Timeout.InfiniteTimeSpan;

    /// <summary>Whether the session can go on.</summary>
    public bool IsUsable => _reason is null && !IsWornOut;

    // The application's setting has FluentFTP reconnect behind so many replies: here another session takes the place of this one.
    private bool IsWornOut => _mostReplies > 0 && Client.IsEncrypted && ((IInternalFtpClient)Client).GetBaseStream() is { } stream
        && stream.SslSessionLength > _mostReplies;

    /// <summary>Ends the session, from any thread.</summary>
    public void Break(TransferConnectionException reason)
    {
        if (Interlocked.CompareExchange(ref _reason, reason, null) is null) _broken.Cancel();
    }

    /// <summary>The path in the server's form.</summary>
    public string Expand(string path)
    {
        if (path == RemotePath.Home) return Home;
        return path.StartsWith(RemotePath.Home + "/", StringComparison.Ordinal)
            ? RemotePath.Combine(Home, path[(RemotePath.Home.Length + 1)..])
            : path;
    }

    /// <summary>Returns the reason why a path can't be sent, or null.</summary>
    public TransferException? WhyUnsendable(string path)
    {
        if (path.AsSpan().ContainsAny('\r', '\n', '\0')) return Unsendable("FTP can't name a file whose name contains CR, LF or NUL.");
        if (Ascii.IsValid(path) || Client.Encoding.GetString(Client.Encoding.GetBytes(path)) == path) return null;
        return Unsendable($"The name can't be expressed exactly in {Client.Encoding.WebName}.");

        TransferException Unsendable(string why) => new(TransferError.Unsupported, why) { RemotePath = path };
    }

    /// <summary>A command about a path.</summary>
    /// <exception cref="TransferException">The path can't be sent.</exception>
    public string Command(string verb, string path) => WhyUnsendable(path) is { } why ? throw why : $"{verb} {Expand(path)}";

    /// <summary>Sends a command and reads the reply.</summary>
    /// <exception cref="TransferConnectionException">The session was lost, or closed by the server (421).</exception>
    public async ValueTask<Reply> ExecuteAsync(string command, CancellationToken ct)
    {
        var reply = Reply.Of(await RunAsync(token => Client.Execute(command, token), ct).ConfigureAwait(false));
        if (reply.Code is 0 or 421) throw Lost(ReplyErrors.ToException(reply, command.Split(' ')[0], null, writes: false));
        return reply;
    }

    /// <summary>Runs one step of an exchange with the server, within the time in which something must move.</summary>
    /// <exception cref="FtpCommandException">A refusal, whole: the session goes on.</exception>
    /// <exception cref="TransferConnectionException">The session was lost.</exception>
    public async ValueTask<T> RunAsync<T>(Func<CancellationToken, Task<T>> step, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        if (_reason is { } reason) throw Again(reason);
        using var idle = new CancellationTokenSource(IdleTime, Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, idle.Token, _broken.Token);
        try
        {
            return await step(either.Token).ConfigureAwait(false);
        }
        catch (FtpCommandException e) when (Reply.CodeOf(e.CompletionCode) is not (0 or 421))
        {
            throw;
        }
        catch (Exception e)
        {
            // On cancellation FluentFTP closes its streams, and the exceptions are then arbitrary.
            if (ct.IsCancellationRequested)
            {
                Break(new TransferConnectionException(TransferError.Lost, "The session was given up in mid-exchange.", e));
                throw new OperationCanceledException("The operation was cancelled.", e, ct);
            }
            throw Lost(idle.IsCancellationRequested ? new TimeoutException("Nothing moved.", e) : e);
        }
    }

    /// <summary>Ends the session for an exception, and returns the error.</summary>
    public TransferConnectionException Lost(Exception why)
    {
        Break(Reason(why));
        return Again(_reason!);
    }

    public async ValueTask DisposeAsync()
    {
        var closed = new TransferConnectionException(TransferError.Lost, "The session is closed.");
        if (Interlocked.CompareExchange(ref _reason, closed, null) is null)
        {
            using var time = new CancellationTokenSource(GoodbyeTime, Time);
            await Client.Disconnect(time.Token).ConfigureAwait(false);
        }
        else
        {
            Client.Config.DisconnectWithQuit = false;
        }
        await Client.DisposeAsync().ConfigureAwait(false);
        _tlsName?.Dispose();
        _broken.Dispose();
    }

    private TransferConnectionException Reason(Exception why) => why switch
    {
        TransferConnectionException lost => lost,
        TimeoutException => new(TransferError.Timeout,
            $"Nothing moved for {_options.IdleTimeout.TotalSeconds:0.###} s, or for the time that FluentFTP waits.", why),
        AuthenticationException => new(TransferError.Tls, $"TLS failed on a data connection: {why.Message}", why),
        _ => new(TransferError.Lost, $"The connection was lost: {why.Message}", why) { IsTransient = true },
    };

    // Exceptions are thrown once: the stack is that of one wait.
    private static TransferConnectionException Again(TransferConnectionException reason) =>
        new(reason.Error, reason.Message, reason)
        {
            IsTransient = reason.IsTransient,
            RemotePath = reason.RemotePath,
            ServerCode = reason.ServerCode,
        };
}
