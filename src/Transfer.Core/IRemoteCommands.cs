using System.Text;

namespace Transfer;

/// <summary>What a <see cref="TransferClient"/> also is when its server runs commands beside moving files.</summary>
public interface IRemoteCommands
{
    /// <summary>How the server's names are bytes: those in a command's input and output are the same.</summary>
    Encoding Names { get; }

    /// <summary>Starts a command at the server, as the user that the client logs in as.</summary>
    /// <param name="command">The command line, for the user's shell there to read, or for whatever the server runs in its place.</param>
    /// <param name="cancellationToken">Gives up the starting, not the command.</param>
    /// <returns>The command, whether the server runs it or not: that it is refused shows when its output is read.</returns>
    /// <exception cref="TransferException">No connection, or the server opens no way for one more command.</exception>
    ValueTask<RemoteCommand> StartAsync(string command, CancellationToken cancellationToken = default);
}
