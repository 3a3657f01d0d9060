namespace Transfer.Wan.Model;

/// <summary>Deaths of workers.</summary>
/// <param name="MeanSeconds">The mean time between the deaths of one worker, of an exponential distribution.</param>
/// <param name="NoticedAfter">Seconds until another worker may take the part.</param>
/// <param name="BackAfter">Seconds until the worker is there again.</param>
/// <param name="ConfirmShare">The work of a file that is confirmed, as a share of that of one that is sent.</param>
internal sealed record ModelDeaths(double MeanSeconds, double NoticedAfter, double BackAfter, double ConfirmShare);
