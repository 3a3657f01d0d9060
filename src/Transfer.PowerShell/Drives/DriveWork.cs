using Transfer.PowerShell.Pump;

namespace Transfer.PowerShell.Drives;

/// <summary>Work for one path of a drive, of a reader or writer that outlives the call which made it.</summary>
/// <param name="provider">The provider, which has the pipeline.</param>
/// <param name="drive">The drive.</param>
/// <param name="path">The path in PowerShell's form.</param>
internal sealed class DriveWork(TransferProvider provider, TransferDrive drive, string path)
{
    /// <summary>The pipeline is being stopped.</summary>
    public bool IsStopped => provider.Stopping;

    /// <summary>Waits for work on the pipeline's thread. An error of the work is the command's.</summary>
    public T Await<T>(Func<CancellationToken, Task<T>> work) => provider.Await(drive, path, work);

    /// <inheritdoc cref="Await{T}"/>
    public void Await(Func<CancellationToken, Task> work) => Await(token => PipelineWork.Done(work, token));
}
