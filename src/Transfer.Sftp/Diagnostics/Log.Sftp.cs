using Microsoft.Extensions.Logging;

namespace Transfer.Sftp;

/// <summary>The log messages of the SFTP layer: ids 3200 to 3299.</summary>
internal static partial class Log
{
    [LoggerMessage(3200, LogLevel.Debug,
        "SFTP session opened; reads of {Read} bytes, writes of {Write}, {Handles} open files, home {Home}.")]
    public static partial void SessionOpened(ILogger logger, int read, int write, int handles, string home);

    [LoggerMessage(3201, LogLevel.Debug, "A handle that came after its request was given up is closed.")]
    public static partial void LateHandleClosed(ILogger logger);

    [LoggerMessage(3202, LogLevel.Warning,
        "{Count} names in the listing of {Directory} are empty or hold a slash or NUL and were dropped.")]
    public static partial void ListingNamesDropped(ILogger logger, int count, string directory);

    [LoggerMessage(3203, LogLevel.Warning, "The temporary file {Path} could not be deleted (status {Status}).")]
    public static partial void TemporaryFileLeft(ILogger logger, string path, uint status);

    [LoggerMessage(3204, LogLevel.Debug, "The attributes of {Path} were not set (status {Status}); the file keeps those of the server.")]
    public static partial void AttributesNotSet(ILogger logger, string path, uint status);

    [LoggerMessage(3227, LogLevel.Warning,
        "The server does not answer requests for times and permissions (SETSTAT), or ends the session: none is sent to this server any more.")]
    public static partial void AttributesIgnored(ILogger logger);

    [LoggerMessage(3220, LogLevel.Information, "The server keeps no times of files: {Reason}.")]
    public static partial void TimesNotKept(ILogger logger, string reason);

    [LoggerMessage(3222, LogLevel.Warning, "{Reason} Another connection is tried in a moment.")]
    public static partial void TakesNoConnection(ILogger logger, string reason);

    [LoggerMessage(3229, LogLevel.Information, "{Reason} Sessions that were not in use are closed, and the command is tried again.")]
    public static partial void MakesRoom(ILogger logger, string reason);

    [LoggerMessage(3223, LogLevel.Information,
        "The server answers later requests before earlier ones: those that build upon others wait for their replies from now on.")]
    public static partial void Unordered(ILogger logger);

    [LoggerMessage(3224, LogLevel.Information,
        "The server opens files by the flags of fopen's modes only: ranges are written so from now on.")]
    public static partial void NamedModes(ILogger logger);

    [LoggerMessage(3214, LogLevel.Debug, "A name that is to be replaced could not be looked at: {Reason}")]
    public static partial void NotSeen(ILogger logger, string reason);

    [LoggerMessage(3205, LogLevel.Warning, "{Path} was replaced; the old file could not be deleted and is left in {Aside}.")]
    public static partial void AsideLeft(ILogger logger, string path, string aside);

    [LoggerMessage(3206, LogLevel.Information,
        "The server ended the session when it was asked before it had answered: one step at a time from now on ({Reason}).")]
    public static partial void TurnedCareful(ILogger logger, string reason);

    [LoggerMessage(3211, LogLevel.Debug, "The session requested with the log-in did not open ({Reason}).")]
    public static partial void NotOpenedEarly(ILogger logger, string reason);

    [LoggerMessage(3212, LogLevel.Debug, "The session was opened in one flight with the log-in.")]
    public static partial void OpenedEarly(ILogger logger);

    [LoggerMessage(3215, LogLevel.Debug, "The server's umask is {Umask}.")]
    public static partial void UmaskFound(ILogger logger, string umask);

    [LoggerMessage(3216, LogLevel.Debug, "The server's umask was not found out: {Reason}")]
    public static partial void UmaskUnknown(ILogger logger, string reason);

    [LoggerMessage(3217, LogLevel.Warning,
        "The server refuses to set permissions (status {Status}): {Path} stays open to its owner only, and later files are created with "
        + "their final permissions.")]
    public static partial void ModesNotSet(ILogger logger, string path, uint status);

    [LoggerMessage(3218, LogLevel.Warning, "The permissions of {Path} were not set (status {Status}): the file is open to its owner only.")]
    public static partial void ModeNotSet(ILogger logger, string path, uint status);

    [LoggerMessage(3219, LogLevel.Warning, "The umask of the server could not be found: new files are open to their owner only.")]
    public static partial void ModeUnknown(ILogger logger);

    [LoggerMessage(3207, LogLevel.Debug, "The server returns {Bytes} bytes a READ: later READs request no more.")]
    public static partial void ShortReads(ILogger logger, int bytes);

    [LoggerMessage(3209, LogLevel.Debug,
        "{Path} could not be published by a link (status {Status}): this file and later ones are renamed.")]
    public static partial void NoHardLinks(ILogger logger, string path, uint status);

    [LoggerMessage(3228, LogLevel.Information,
        "posix-rename@openssh.com is not used any more: RENAME does more at this server ({Reason}).")]
    public static partial void NoPosixRename(ILogger logger, string reason);

    [LoggerMessage(3231, LogLevel.Information, "Times have steps of two seconds at this server: times are compared so.")]
    public static partial void TimesAreCoarse(ILogger logger);

    [LoggerMessage(3230, LogLevel.Information, "SYMLINK takes the link's {First} first at this server.")]
    public static partial void LinkOrderFound(ILogger logger, string first);

    [LoggerMessage(3210, LogLevel.Debug, "The host computes no hashes by a command of its own ({Reason}).")]
    public static partial void NoShellHashes(ILogger logger, string reason);

    [LoggerMessage(3213, LogLevel.Debug, "A handle is not the one that was expected: none is from now on.")]
    public static partial void HandleNotExpected(ILogger logger);

    [LoggerMessage(3225, LogLevel.Trace, "> {Request} {Id} {Subject}")]
    public static partial void RequestSent(ILogger logger, string request, uint id, string subject);

    [LoggerMessage(3226, LogLevel.Trace, "< {Reply} {Id} {Status}")]
    public static partial void ReplyReceived(ILogger logger, string reply, uint id, string status);

    [LoggerMessage(3208, LogLevel.Debug, "No more than {Count} files are kept open: the server refused another.")]
    public static partial void FewerHandles(ILogger logger, int count);
}
