namespace Transfer.Wan.Model;

/// <summary>A part that a worker runs: first what earlier runs sent is confirmed, then the rest is sent.</summary>
internal sealed class RunningPart(ModelPart part, double confirmShare)
{
    private double _confirming = part.Done * confirmShare;
    private double _sending = part.Files;

    /// <summary>The rest, in files to send.</summary>
    public double Rest => _confirming + _sending;

    /// <summary>Works off so many files, and returns how many of them were sent.</summary>
    public double Work(double files)
    {
        var confirmed = Math.Min(_confirming, files);
        _confirming -= confirmed;
        var sent = Math.Min(_sending, files - confirmed);
        _sending -= sent;
        return sent;
    }

    /// <summary>What another worker has to do when this one is dead.</summary>
    public ModelPart Remains => new(_sending, part.Done + part.Files - _sending);

    /// <summary>The files confirmed up to now.</summary>
    public double Confirmed => confirmShare > 0 ? part.Done - (_confirming / confirmShare) : 0;
}
