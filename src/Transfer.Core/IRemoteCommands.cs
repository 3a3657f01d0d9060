using System.Text;

namespace Transfer;

/// <summary>Implemented by a <see cref="TransferClient"/> whose server also runs commands.</summary>
public interface IRemoteCommands
{
    /// <summary>The encoding of names at the server, also in the input and output of commands.</summary>
    Encoding Names { get; }

    /// <summary>Starts a command at the server, as the logged-in user.</summary>
    /// <param name="command">The command line, for the user's shell at the server, or for a program that the server runs instead.</param>
    /// <param name="cancellationToken">Gives up the starting, not the command.</param>
    /// <returns>The command, even if the server will not run it: a refusal shows when the output is read.</returns>
    /// <exception cref="TransferException">No connection, or the server opens no way for one more command.</exception>
    ValueTask<RemoteCommand> StartAsync(string command, CancellationToken cancellationToken = default);
}
