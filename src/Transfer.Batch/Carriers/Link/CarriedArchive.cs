namespace Transfer.Batch.Carriers.Link;

/// <summary>An archive of a job under way, with the carrier's records. Used by one lane at a time.</summary>
internal sealed class CarriedArchive
{
    // The most characters of a receiver's messages about the files of an archive, usually 1,000. Several archives are under way at once.
    private const long MostTold = 2 << 20;

    private readonly List<ArchiveFailure> _failures = [];
    private readonly List<string> _skipped = [];
    private readonly Lock _gate = new();
    private long _told;
    private bool _written;
    private Action? _outcome;

    public CarriedArchive(OutgoingArchive archive) => Archive = archive;

    public OutgoingArchive Archive { get; }

    public long Index => Archive.Index;

    /// <summary>The number of times the archive was begun.</summary>
    public int Attempts { get; set; }

    /// <summary>The files that the receiver could not write, as reported so far.</summary>
    public IReadOnlyList<ArchiveFailure> Failures => _failures;

    /// <summary>The files that the receiver skipped.</summary>
    public IReadOnlyList<string> Skipped => _skipped;

    /// <summary>Begins on a lane.</summary>
    public void Begin()
    {
        Attempts++;
        lock (_gate)
        {
            _failures.Clear();
            _skipped.Clear();
            _told = 0;
            _written = false;
            _outcome = null;
        }
    }

    /// <summary>Adds a failure that the receiver reported.</summary>
    /// <exception cref="TransferException">The receiver reported too much (<see cref="TransferError.Protocol"/>).</exception>
    public void Add(ArchiveFailure failure)
    {
        Count(failure.Path.Length + failure.Message.Length);
        _failures.Add(failure);
    }

    /// <summary>Adds a file that the receiver skipped.</summary>
    /// <exception cref="TransferException">The receiver reported too much (<see cref="TransferError.Protocol"/>).</exception>
    public void AddSkipped(string path)
    {
        Count(path.Length);
        _skipped.Add(path);
    }

    /// <summary>Records that the archive is not being packed any more: all bytes are on their way, or never will be.</summary>
    public void EndPacking()
    {
        Action? outcome;
        lock (_gate)
        {
            _written = true;
            outcome = _outcome;
        }
        outcome?.Invoke();
    }

    /// <summary>Runs the outcome that the receiver reported once the archive is not being packed any more: now, or in
    /// <see cref="EndPacking"/>.</summary>
    public void Settle(Action outcome)
    {
        lock (_gate)
        {
            if (!_written)
            {
                _outcome = outcome;
                return;
            }
        }
        outcome();
    }

    private void Count(int characters)
    {
        if ((_told += characters) > MostTold)
        {
            throw new TransferException(TransferError.Protocol,
                $"The receiver sends more than {MostTold} characters about the files of archive {Index}.");
        }
    }
}
