using System.Diagnostics;
using System.Text;
using Transfer.Local;
using Transfer.Local.Provider;
using Transfer.Sessions;

namespace Transfer.TestSupport.Exec;

/// <summary>
/// A server that is this machine: files are the file system's, and commands are run by its shell, with a folder of programs of the test's
/// own before all others.
/// </summary>
internal sealed class ShellHost : TransferClient, IRemoteCommands
{
    private readonly List<Process> _processes = [];
    private long _sent;

    public ShellHost(TransferClientOptions? options = null)
        : base(new Uri("file:///"), options)
    {
    }

    public Encoding Names { get; init; } = NameEncoding.LosslessUtf8;

    /// <summary>What runs in place of every command; null: the command.</summary>
    public string? Forced { get; init; }

    /// <summary>Where programs are looked for; null: where they usually are.</summary>
    public string? Programs { get; init; }

    /// <summary>A folder of which commands are shown another one in its place; null: they see what is there.</summary>
    public (string Path, string Shown)? Hidden { get; init; }

    /// <summary>Asked of each rename whether the connection is lost with it.</summary>
    public Func<string, string, RenameLoss>? Losing { get; init; }

    /// <summary>Asked of folders created with their permissions whether the connection is lost before the answer.</summary>
    public Func<IReadOnlyList<string>, bool>? LosingFolders { get; init; }

    /// <summary>Called when a session begins to move files one by one.</summary>
    public Action? Moving { get; init; }

    /// <summary>Asked of each listing when it may begin.</summary>
    public Func<string, Task>? Listing { get; init; }

    /// <summary>Told of each command before it is started.</summary>
    public Action<string>? Starting { get; init; }

    /// <summary>Told of all the bytes that commands are sent, before each write, with those of it.</summary>
    public Action<long>? Sending { get; init; }

    /// <summary>Commands that were started.</summary>
    public List<string> Started { get; } = [];

    /// <summary>Bytes that commands were sent.</summary>
    public long Sent => Interlocked.Read(ref _sent);

    public ValueTask<RemoteCommand> StartAsync(string command, CancellationToken ct = default)
    {
        Starting?.Invoke(command);
        var start = new ProcessStartInfo("/bin/sh", ["-c", Forced ?? command])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = "/",
        };
        if (Programs is not null) start.Environment["PATH"] = Programs;
        var process = Process.Start(start)!;
        lock (_processes)
        {
            Started.Add(command);
            _processes.Add(process);
        }
        return new(new ShellCommand(process, Hidden, OnSent));
    }

    /// <summary>All commands have ended.</summary>
    public async Task EndedAsync()
    {
        Process[] all;
        lock (_processes) all = [.. _processes];
        foreach (var process in all) await process.WaitForExitAsync().Soon();
    }

    protected override ValueTask<TransferSession> OpenSessionAsync(CancellationToken ct)
    {
        var session = new LocalSession(new LocalRoot(string.Empty, "/", false));
        return new(Losing is null && LosingFolders is null && Moving is null && Listing is null ? session
            : new LossySession(session, Losing, LosingFolders, Moving, Listing));
    }

    private void OnSent(int bytes)
    {
        var sent = Interlocked.Add(ref _sent, bytes);
        Sending?.Invoke(sent);
    }

    private sealed class ShellCommand : RemoteCommand
    {
        private readonly Process _process;
        private readonly StringBuilder _errors = new();
        private readonly Task _reading;
        private bool _disposed;

        public ShellCommand(Process process, (string Path, string Shown)? hidden, Action<int> onSent)
        {
            _process = process;
            Stream = new Pipes(process, hidden, onSent);
            _reading = Task.Run(async () =>
            {
                while (await process.StandardError.ReadLineAsync() is { } line)
                {
                    lock (_errors) _errors.AppendLine(line);
                }
            });
            ExitStatus = Task.Run<int?>(async () =>
            {
                await process.WaitForExitAsync();
                await _reading;
                return process.ExitCode is > 128 and var code && !process.HasExited ? null : process.ExitCode;
            });
        }

        public override Stream Stream { get; }

        public override string ErrorText
        {
            get { lock (_errors) return _errors.ToString(); }
        }

        public override Task<int?> ExitStatus { get; }

        public override TimeSpan RoundTrip => TimeSpan.FromMilliseconds(50);

        public override ValueTask TerminateAsync()
        {
            if (!_process.HasExited) _process.Kill();
            return default;
        }

        public override ValueTask CompleteInputAsync()
        {
            Close(_process.StandardInput.BaseStream);
            return default;
        }

        public override ValueTask DisposeAsync()
        {
            if (_disposed) return default;
            _disposed = true;
            Close(_process.StandardInput.BaseStream);
            Close(_process.StandardOutput.BaseStream);
            return default;
        }

        private static void Close(Stream stream)
        {
            try
            {
                stream.Dispose();
            }
            catch (IOException)
            {
                // Its reader has gone before.
            }
        }
    }

    /// <summary>A channel's errors are the library's own.</summary>
    private sealed class Pipes(Process process, (string Path, string Shown)? hidden, Action<int> onSent) : SequentialStream
    {
        public override bool CanRead => true;

        public override bool CanWrite => true;

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            try
            {
                return await process.StandardOutput.BaseStream.ReadAsync(buffer, cancellationToken);
            }
            catch (ObjectDisposedException)
            {
                return 0;
            }
        }

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (hidden is { } other)
            {
                buffer = Encoding.Latin1.GetBytes(
                    Encoding.Latin1.GetString(buffer.Span).Replace(other.Path, other.Shown, StringComparison.Ordinal));
            }

            try
            {
                onSent(buffer.Length);
                await process.StandardInput.BaseStream.WriteAsync(buffer, cancellationToken);
                await process.StandardInput.BaseStream.FlushAsync(cancellationToken);
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException)
            {
                throw new TransferException(TransferError.Lost, "The server closed the channel before everything was written to it.", e);
            }
        }

        public override void Flush()
        {
        }
    }
}
