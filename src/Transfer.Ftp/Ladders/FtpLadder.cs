using System.Runtime.CompilerServices;

namespace Transfer.Ftp.Ladders;

/// <summary>
/// The ways in which one ability of a host can be used, from the fastest to the plainest, as one client sees them. A rung that a server
/// refuses is left for the next.
/// </summary>
/// <typeparam name="TRung">The rungs: 0 is the fastest.</typeparam>
/// <param name="ability">The ability.</param>
/// <param name="ladders">The host's ladders.</param>
/// <param name="forced">The rung that the options force; null: none.</param>
internal sealed class FtpLadder<TRung>(FtpAbility ability, FtpLadders ladders, TRung? forced)
    where TRung : struct, Enum
{
    private static readonly int Last = Enum.GetValues<TRung>().Length - 1;

    /// <summary>The rung to use.</summary>
    public TRung Rung => forced ?? ToRung(Math.Min(ladders.Rungs[ability], Last));

    /// <summary>Whether the host is on its fastest rung.</summary>
    public bool IsOnFirst => ToNumber(Rung) == 0;

    /// <summary>Leaves a rung for the next.</summary>
    /// <param name="rung">The rung that was used.</param>
    /// <param name="reason">The reason, for the log.</param>
    /// <param name="mayPass">Whether the network may have been the reason: other processes begin with this rung again.</param>
    /// <returns>Whether another rung is to be used from now on; false: this rung is the last, or forced.</returns>
    public bool Leave(TRung rung, string reason, bool mayPass = false)
    {
        var next = ToNumber(rung) + 1;
        if (forced is not null || next > Last) return false;
        if (ladders.Rungs.Lower(ability, next, mayPass)) ladders.LogLeft(ability, rung.ToString(), ToRung(next).ToString(), reason);
        return true;
    }

    /// <summary>Goes back up to the first rung, which was seen to work; false: the host is there already.</summary>
    public bool Return() => ladders.Rungs.Raise(ability);

    /// <summary>Notes that the server answers the command, so that the end of a connection there has other reasons.</summary>
    public void NoteAnswer() => ladders.Rungs.NoteAnswer(ability);

    /// <summary>
    /// Notes that the connection ended at a command of the ability. True: not for the first time, when the network may be the reason.
    /// </summary>
    /// <param name="openedAt">See <see cref="FtpRungs.NoteLoss"/>.</param>
    public bool NoteLoss(int openedAt) => ladders.Rungs.NoteLoss(ability, openedAt);

    /// <summary>Leaves a rung with a command that was never answered; where the connection ended instead, the second time.</summary>
    /// <param name="rung">The rung that was used.</param>
    /// <param name="fault">The end of the connection.</param>
    /// <param name="openedAt">See <see cref="FtpRungs.NoteLoss"/>.</param>
    /// <returns>Whether the command may be the reason.</returns>
    public bool LeaveUnanswered(TRung rung, TransferConnectionException fault, int openedAt)
    {
        if (ladders.Rungs.HasAnswered(ability)) return false;
        if (fault.Error != TransferError.Lost || NoteLoss(openedAt)) Leave(rung, fault.Message);
        return true;
    }

    /// <summary>Confirms that a rung below the first works where the one above did not.</summary>
    public void Prove() => ladders.Rungs.Prove(ability);

    /// <summary>Describes the rung in use.</summary>
    /// <param name="recalled">The rungs in the limits file.</param>
    /// <param name="at">The rung that is used instead, since the server does not announce the ones above; null: <see cref="Rung"/>.</param>
    public ServerAbility Describe(FtpRungs recalled, TRung? at = null)
    {
        var rung = at is { } lower && forced is null && ToNumber(lower) > ToNumber(Rung) ? lower : Rung;
        return new ServerAbility(ability.ToString(), rung.ToString())
        {
            IsFallBack = ToNumber(rung) > 0,
            IsForced = forced is not null,
            IsRemembered = recalled[ability] > 0,
        };
    }

    private static TRung ToRung(int number) => Unsafe.BitCast<int, TRung>(number);

    private static int ToNumber(TRung rung) => Unsafe.BitCast<TRung, int>(rung);
}
