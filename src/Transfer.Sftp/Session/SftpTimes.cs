using System.Globalization;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>Metadata in version 3's form: whole seconds since 1970 in 32 bits.</summary>
internal static class SftpTimes
{
    /// <summary>The step of FAT's times.</summary>
    public static readonly TimeSpan CoarsestStep = TimeSpan.FromSeconds(2);

    // Go's time of no value, of the year 1, in 32 bits: pkg/sftp sends that for prefixes of a store's objects (MinIO).
    private const uint NoTimeOfGo = 2_288_912_640;

    /// <summary>Whether attributes have a time that is more than a placeholder.</summary>
    public static bool HasTime(in SftpAttributes attributes) => attributes.Modified is > 0 and not NoTimeOfGo;

    public static SftpAttributes ToAttributes(FileMetadata? metadata) => new()
    {
        Modified = metadata?.Modified?.ToUnixTimeSeconds() is { } seconds and >= 0 and <= uint.MaxValue ? (uint)seconds : null,
        Permissions = metadata?.Mode is { } mode ? (uint)mode & 0xFFF : null,
    };

    /// <summary>Handles the server's refusal to set the time alone of a file of this client.</summary>
    /// <param name="context">The session.</param>
    /// <param name="status">The refusal.</param>
    /// <param name="exists">Whether the file is known to exist: then a lack of the file is no reason.</param>
    public static void HandleRefusal(SftpSessionContext context, SftpStatus status, bool exists)
    {
        // Nothing was sent.
        if (context.Server.Traits.IsForced(SftpTrait.NoAttributes)) return;
        // A file that is gone says nothing about times, nor does a full disk or a lost connection of the server.
        var error = SftpErrors.Map(status, TransferError.Denied);
        if (error is not (TransferError.Denied or TransferError.Unsupported or TransferError.Protocol)
            && !(exists && error == TransferError.NotFound))
        {
            return;
        }
        if (context.Server.Traits.Settle(SftpTrait.NoTimes, has: true))
            Log.TimesNotKept(context.Logger, $"setting one was refused, status {((uint)status).ToString(CultureInfo.InvariantCulture)}");
    }

    /// <summary>
    /// Handles the time that a file has after a time was set by handle without a refusal. One without effect is set again by path: a write
    /// may have overtaken it, or the server may change times at CLOSE.
    /// </summary>
    /// <param name="context">The session.</param>
    /// <param name="path">The file, closed.</param>
    /// <param name="set">The time that was set.</param>
    /// <param name="found">The time behind CLOSE; null: not looked at.</param>
    public static async ValueTask ConfirmAsync(SftpSessionContext context, string path, uint set, uint? found)
    {
        if (found is { } early && !IsKept(set, early))
        {
            var attributes = new SftpAttributes { Modified = set };
            var reply = await context.Operations.SetStatAsync(path, attributes, CancellationToken.None).ConfigureAwait(false);
            if (reply.IsOk)
            {
                var look = await context.Operations.StatAsync(path, follow: false, CancellationToken.None).ConfigureAwait(false);
                if (look.IsOk && look.Attributes.Modified is { } late) found = late;
                if (IsKept(set, found.Value) && !context.IsUnordered) context.Server.NoHandleAttributes = true;
            }
        }
        HandleSet(context, set, found);
        if (found is not { } shown || !TellsStep(context, set) || shown != set && shown != WholeStep(set)) return;
        var isCoarse = shown != set;
        if (context.Server.Traits.Settle(SftpTrait.CoarseTimes, isCoarse) && isCoarse) Log.TimesAreCoarse(context.Logger);
    }

    /// <summary>Handles the time that a file has after a time was set without a refusal.</summary>
    /// <param name="context">The session.</param>
    /// <param name="set">The time that was set.</param>
    /// <param name="found">The time behind CLOSE; null: not looked at.</param>
    public static void HandleSet(SftpSessionContext context, uint set, uint? found)
    {
        if (found is null && !context.SetsTimes) return;
        var isKept = found is not { } there || IsKept(set, there);
        if (context.Server.Traits.Settle(SftpTrait.NoTimes, !isKept) && !isKept)
            Log.TimesNotKept(context.Logger, "one that was set had no effect");
    }

    /// <summary>Looks at the first file that was renamed with a time, of servers that are not known to keep times.</summary>
    /// <param name="context">The session.</param>
    /// <param name="path">The final name.</param>
    /// <param name="set">The time that was set before the rename.</param>
    public static async ValueTask CheckRenamedAsync(SftpSessionContext context, string path, uint set)
    {
        var traits = context.Server.Traits;
        if (context.SetsTimes || traits.IsSettled(SftpTrait.RenewsTimes) || traits.Has(SftpTrait.NoTimes)) return;
        var look = await context.Operations.StatAsync(path, follow: false, CancellationToken.None).ConfigureAwait(false);
        if (look is not { IsOk: true, Attributes.Modified: { } found }) return;
        var isKept = IsKept(set, found);
        if (traits.Settle(SftpTrait.RenewsTimes, !isKept) && !isKept) Log.TimesNotKept(context.Logger, "a rename changes them");
    }

    /// <summary>Whether a time that was set tells the step of the server's times, and no time has told it yet.</summary>
    public static bool TellsStep(SftpSessionContext context, uint set) =>
        !context.Server.Traits.IsSettled(SftpTrait.CoarseTimes) && set != WholeStep(set);

    private static bool IsKept(uint set, uint found) => Math.Abs((long)found - set) <= CoarsestStep.TotalSeconds;

    private static uint WholeStep(uint time) => time - time % (uint)CoarsestStep.TotalSeconds;

    public static bool IsEmpty(in SftpAttributes attributes) => attributes is { Modified: null, Permissions: null };

    public static DateTimeOffset? Modified(in SftpAttributes attributes) =>
        attributes.Modified is { } seconds ? DateTimeOffset.FromUnixTimeSeconds(seconds) : null;
}
