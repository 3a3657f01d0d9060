using static Transfer.Replacing.ReplacementStep;

namespace Transfer.Replacing;

/// <summary>Carries out a <see cref="Replacement"/> over a session's commands.</summary>
public static class ReplacementDriver
{
    /// <summary>Does a renaming. A temporary file that could not get its name is deleted, or named in the error.</summary>
    /// <param name="renaming">The renaming.</param>
    /// <param name="renamer">The session's commands.</param>
    /// <param name="memory">The known facts about the server's folders.</param>
    /// <param name="time">The clock.</param>
    /// <param name="cancellationToken">Cancels, which leaves the renaming in doubt as a lost session does.</param>
    /// <exception cref="TransferConnectionException">The session was lost: the renaming is in doubt.</exception>
    public static async ValueTask<ReplacementResult> RunAsync(Renaming renaming, IRenamer renamer, ReplacementMemory memory,
        TimeProvider time, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(renaming);
        ArgumentNullException.ThrowIfNull(memory);
        var replacement = new Replacement(renaming, memory.Of(renaming.To));
        return await FinishAsync(replacement, renaming, renamer, memory, time, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Finishes a replacement that has begun.</summary>
    /// <inheritdoc cref="RunAsync"/>
    public static async ValueTask<ReplacementResult> FinishAsync(
        Replacement replacement, Renaming renaming, IRenamer renamer, ReplacementMemory memory, TimeProvider time,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(replacement);
        ArgumentNullException.ThrowIfNull(renaming);
        ArgumentNullException.ThrowIfNull(renamer);
        ArgumentNullException.ThrowIfNull(memory);
        ArgumentNullException.ThrowIfNull(time);
        cancellationToken.ThrowIfCancellationRequested();
        while (replacement.Result is null)
        {
            switch (replacement.Next)
            {
                case [Look look]:
                    replacement.Take(await renamer.LookAsync(look.Paths, cancellationToken).ConfigureAwait(false));
                    break;
                case [Wait wait]:
                    await Task.Delay(wait.Time, time, cancellationToken).ConfigureAwait(false);
                    replacement.Waited();
                    break;
                case [Delete delete]:
                    replacement.Take(await renamer.DeleteAsync(delete.Path, cancellationToken).ConfigureAwait(false));
                    break;
                default:
                    Rename[] renames = [.. replacement.Next.Cast<Rename>()];
                    Record(renames, renaming.Asides);
                    replacement.Take(await renamer.RenameAsync(renames, cancellationToken).ConfigureAwait(false));
                    break;
            }
        }
        Settle(replacement, renaming, memory);
        var result = replacement.Result;
        if (result is not { Error: { } error, Discard: { } temporary }) return result;
        var refusal = await renamer.DeleteAsync(temporary, CancellationToken.None).ConfigureAwait(false);
        return refusal is null or { Error: TransferError.NotFound }
            ? result : result with { Error = WithLeftover(error, temporary, refusal) };
    }

    /// <summary>Records the files that are about to be moved aside, before any command is sent.</summary>
    public static void Record(IEnumerable<Rename> renames, IAsideLog asides)
    {
        ArgumentNullException.ThrowIfNull(renames);
        ArgumentNullException.ThrowIfNull(asides);
        foreach (var rename in renames)
        {
            if (rename.Original is { } original) asides.Began(original, rename.To);
        }
    }

    /// <summary>After a replacement: remembers its lesson, and removes the records of files no longer aside.</summary>
    public static void Settle(Replacement replacement, Renaming renaming, ReplacementMemory memory)
    {
        ArgumentNullException.ThrowIfNull(replacement);
        ArgumentNullException.ThrowIfNull(renaming);
        ArgumentNullException.ThrowIfNull(memory);
        // Servers may rename files alone.
        if (!renaming.IsDirectory) memory.Learn(renaming.To, replacement.Lesson);
        foreach (var (original, aside) in replacement.EndedAsides) renaming.Asides.Ended(original, aside);
    }

    /// <summary>Adds to the refusal of a temporary name the way that needs none.</summary>
    public static TransferException WithDirectWay(TransferException refusal)
    {
        ArgumentNullException.ThrowIfNull(refusal);
        return refusal.WithMessage($"{refusal.Message.TrimEnd('.')}. If only the temporary name is refused, --publish direct "
            + "(PublishMode.Direct) writes under the file's own name.");
    }

    /// <summary>Adds to an error the temporary file that could not be deleted.</summary>
    public static TransferException WithLeftover(TransferException error, string temporary, TransferException refusal)
    {
        ArgumentNullException.ThrowIfNull(error);
        ArgumentNullException.ThrowIfNull(refusal);
        return error.WithMessage($"{error.Message} {temporary} is left: it could not be deleted ({refusal.Message})");
    }
}
