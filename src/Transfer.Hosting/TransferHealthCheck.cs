using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Transfer.Hosting;

/// <summary>Queries a server, within a time limit.</summary>
/// <param name="find">Finds the client, or throws because none can be made of the settings: within the check that is the check's failure,
/// and outside, where checks are made, one of all checks of the application.</param>
/// <param name="timeout">The limit.</param>
/// <param name="time">The clock.</param>
internal sealed class TransferHealthCheck(Func<TransferClient> find, TimeSpan timeout, TimeProvider time) : IHealthCheck
{
    /// <inheritdoc/>
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var client = find();
        using var limit = new CancellationTokenSource(timeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        try
        {
            await client.PingAsync(either.Token).ConfigureAwait(false);
            return HealthCheckResult.Healthy($"{client.Endpoint} answers.");
        }
        catch (TransferException e)
        {
            return new HealthCheckResult(context.Registration.FailureStatus, $"{client.Endpoint}: {e.Error}", e);
        }
        catch (OperationCanceledException e) when (limit.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            // A port that refuses is tried again until then.
            var reason = e.InnerException as TransferException;
            return new HealthCheckResult(context.Registration.FailureStatus,
                $"{client.Endpoint}: no answer within {timeout.TotalSeconds:0.#} s"
                + (reason is null ? "." : $": {reason.Error}, {reason.Message}"), reason);
        }
    }
}
