namespace Transfer.Batch.Carriers.Link;

/// <summary>An archive of a job under way, with what its carrier has to remember of it. Used by one lane at a time.</summary>
internal sealed class CarriedArchive
{
    // Characters of a receiver's words about its files, of which an archive has 1,000 as a rule. Several archives are under way at once.
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

    /// <summary>How often it was begun.</summary>
    public int Attempts { get; set; }

    /// <summary>Files of it that the receiver could not write, told so far.</summary>
    public IReadOnlyList<ArchiveFailure> Failures => _failures;

    /// <summary>Files of it that the receiver left as they were.</summary>
    public IReadOnlyList<string> Skipped => _skipped;

    /// <summary>A lane begins it.</summary>
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

    /// <summary>The receiver tells of a file.</summary>
    /// <exception cref="TransferException">It has told too much (<see cref="TransferError.Protocol"/>).</exception>
    public void Add(ArchiveFailure failure)
    {
        Count(failure.Path.Length + failure.Message.Length);
        _failures.Add(failure);
    }

    /// <summary>The receiver tells of a file that it left as it was.</summary>
    /// <exception cref="TransferException">It has told too much (<see cref="TransferError.Protocol"/>).</exception>
    public void AddSkipped(string path)
    {
        Count(path.Length);
        _skipped.Add(path);
    }

    /// <summary>All of its bytes are on their way, or never will be: nobody packs it any more.</summary>
    public void Written()
    {
        Action? outcome;
        lock (_gate)
        {
            _written = true;
            outcome = _outcome;
        }
        outcome?.Invoke();
    }

    /// <summary>What the receiver says becomes of it when nobody packs it any more: now, or by <see cref="Written"/>.</summary>
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
        if ((_told += characters) > MostTold) throw new TransferException(TransferError.Protocol, $"The receiver tells more than {MostTold} characters about the files of archive {Index}.");
    }
}
