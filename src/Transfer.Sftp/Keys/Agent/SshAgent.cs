using System.Buffers.Binary;
using System.IO.Pipes;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;

namespace Transfer.Sftp.Keys.Agent;

/// <summary>
/// A client of ssh-agent (draft-ietf-sshm-ssh-agent), over a Unix socket or a Windows pipe. Every request has a connection of its own:
/// connections cost nothing on one machine, and one that hangs or is cancelled leaves no other in disorder.
/// </summary>
internal sealed class SshAgent(SshAgentOptions options, TimeProvider time, ILogger logger)
{
    private const string WindowsPipe = "openssh-ssh-agent";
    private const string PipePrefix = @"\\.\pipe\";

    // Connecting to a pipe without a server waits for one: after this time there is no agent.
    private static readonly TimeSpan WindowsPipeWait = TimeSpan.FromMilliseconds(100);

    private readonly string? _path = options.Path is { Length: > 0 } path ? path
        : Environment.GetEnvironmentVariable("SSH_AUTH_SOCK") is { Length: > 0 } variable ? variable
        : OperatingSystem.IsWindows() ? WindowsPipe
        : null;

    /// <summary>Returns the agent's keys; none when the agent is optional and absent or failing.</summary>
    /// <exception cref="TransferException">The agent is required, and is absent or fails.</exception>
    public async ValueTask<IReadOnlyList<ISshSigner>> ListAsync(CancellationToken ct)
    {
        if (options.Use == SshAgentUse.Never) return [];
        if (_path is null || (!OperatingSystem.IsWindows() && !File.Exists(_path)))
        {
            var reason = _path is null ? "SSH_AUTH_SOCK is not set" : $"{_path} does not exist";
            if (options.Use == SshAgentUse.Required) throw new TransferException(TransferError.Auth, $"There is no agent: {reason}.");
            Log.AgentAbsent(logger, reason);
            return [];
        }

        try
        {
            var answer = await AskAsync(AgentMessages.ListRequest, options.ListTimeout, ct).ConfigureAwait(false);
            var keys = AgentMessages.ReadIdentities(answer, out var skipped);
            Log.AgentListed(logger, _path, keys.Count, skipped);
            return [.. keys.Select(key => new AgentSigner(this, key.Key, $"{key.Comment} in the agent"))];
        }
        catch (TransferException error) when (options.Use == SshAgentUse.IfPresent)
        {
            if (error.InnerException is TimeoutException or SocketException { SocketErrorCode: SocketError.ConnectionRefused })
                Log.AgentAbsent(logger, error.Message);
            else Log.AgentFailed(logger, _path, error.Message);
            return [];
        }
    }

    /// <summary>Signs with a key of the agent; returns the signature blob.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Auth"/>: refused, or the agent is gone; <see cref="TransferError.Timeout"/>: no answer;
    /// <see cref="TransferError.Protocol"/>: a malformed one.
    /// </exception>
    public async ValueTask<byte[]> SignAsync(SshPublicKey key, string algorithm, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        var answer = await AskAsync(AgentMessages.Sign(key.Blob.Span, algorithm, data.Span), options.SignTimeout, ct).ConfigureAwait(false);
        return AgentMessages.ReadSignature(answer, algorithm);
    }

    private async ValueTask<byte[]> AskAsync(byte[] request, TimeSpan timeout, CancellationToken ct)
    {
        using var limit = new CancellationTokenSource(timeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, limit.Token);
        try
        {
            var stream = await ConnectAsync(either.Token).ConfigureAwait(false);
            await using (stream.ConfigureAwait(false))
            {
                await stream.WriteAsync(request, either.Token).ConfigureAwait(false);
                var header = new byte[4];
                await stream.ReadExactlyAsync(header, either.Token).ConfigureAwait(false);
                var length = BinaryPrimitives.ReadUInt32BigEndian(header);
                if (length is 0 or > AgentMessages.MaximumLength)
                    throw new TransferException(TransferError.Protocol, $"The agent announces an answer of {length} bytes.");
                var answer = new byte[length];
                await stream.ReadExactlyAsync(answer, either.Token).ConfigureAwait(false);
                return answer;
            }
        }
        catch (OperationCanceledException error) when (!ct.IsCancellationRequested)
        {
            throw new TransferException(TransferError.Timeout, $"The agent did not answer within {timeout.TotalSeconds:0.###} s.", error);
        }
        catch (OperationCanceledException)
        {
            throw new OperationCanceledException(ct);
        }
        catch (Exception error)
            when (error is SocketException or TimeoutException or ArgumentException or UnauthorizedAccessException
                or (IOException and not TransferException))
        {
            throw new TransferException(TransferError.Auth, $"The agent cannot be used: {error.Message}", error);
        }
    }

    private async ValueTask<Stream> ConnectAsync(CancellationToken ct)
    {
        if (OperatingSystem.IsWindows())
        {
            var name = _path!.StartsWith(PipePrefix, StringComparison.OrdinalIgnoreCase) ? _path[PipePrefix.Length..] : _path;
            var pipe = new NamedPipeClientStream(".", name, PipeDirection.InOut, PipeOptions.Asynchronous);
            try
            {
                await pipe.ConnectAsync(WindowsPipeWait, ct).ConfigureAwait(false);
                return pipe;
            }
            catch
            {
                await pipe.DisposeAsync().ConfigureAwait(false);
                throw;
            }
        }

        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            await socket.ConnectAsync(new UnixDomainSocketEndPoint(_path!), ct).ConfigureAwait(false);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
