using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Transfer.Hosting;

/// <summary>Queries a server, within a time limit.</summary>
internal sealed class TransferHealthCheck(TransferClient client, TimeSpan timeout, TimeProvider time) : IHealthCheck
{
    /// <inheritdoc/>
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
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
        catch (OperationCanceledException) when (limit.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            return new HealthCheckResult(context.Registration.FailureStatus,
                $"{client.Endpoint}: no answer within {timeout.TotalSeconds:0.#} s.");
        }
    }
}
