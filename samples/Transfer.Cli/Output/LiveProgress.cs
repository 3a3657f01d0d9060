using Spectre.Console;

namespace Transfer.Cli.Output;

/// <summary>
/// Shows progress on standard error while something runs, when that is a terminal. It appears only after a moment: a short
/// transfer needs none, and loading the display would cost it more time than it takes.
/// </summary>
internal sealed class LiveProgress : IAsyncDisposable
{
    // The sum, blank lines around, the line of the cursor, and room for a message above.
    private const int OtherLines = 6;

    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(400);
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    private readonly CancellationTokenSource _end = new();
    private readonly CommandHost _host;
    private readonly Messages _messages;
    private readonly Func<IReadOnlyList<TransferLane>>? _lanes;
    private readonly Task _display;

    /// <param name="host">Whose terminal it is.</param>
    /// <param name="messages">Lines go above it, and questions in its place.</param>
    /// <param name="label">What is being done.</param>
    /// <param name="progress">Where all of it stands.</param>
    /// <param name="lanes">What each session is at, for a line each; null: only the sum is shown.</param>
    public LiveProgress(CommandHost host, Messages messages, string label, ProgressSum progress,
        Func<IReadOnlyList<TransferLane>>? lanes = null)
    {
        _lanes = lanes;
        _host = host;
        _messages = messages;
        _display = host.ErrorIsTerminal && !messages.Quiet ? ShowAsync(label, progress) : Task.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _display;
        _end.Dispose();
    }

    private async Task ShowAsync(string label, ProgressSum progress)
    {
        // Again after a question, before which the display went away.
        while (!await EndsWithinAsync(Patience))
        {
            using var terminal = await _messages.TakeTerminalAsync(_end.Token);
            if (terminal is not null && !_messages.HasQuestion) await ShowUntilQuestionAsync(label, progress);
        }
    }

    private async Task ShowUntilQuestionAsync(string label, ProgressSum progress)
    {
        var console = TerminalConsole.Create(_host);
        _messages.Redirect(text => console.WriteLine(ProgressLayout.Above(text, console.Profile.Width)));
        try
        {
            var lanes = _lanes is null ? null : new LaneRows(_lanes, _host.TimeProvider);
            var layout = ProgressLayout.For(console.Profile.Width);
            var column = new ProgressTextColumn(task => lanes?.TextOf(task) ?? ProgressTextColumn.Format(progress.Snapshot(), layout));
            var bar = new ProgressBarColumn { Width = layout.Bar };
            await console.Progress().AutoClear(true).HideCompleted(true)
                .Columns(new ProgressTextColumn(static task => task.Description), bar, column)
                .StartAsync(async context =>
                {
                    var task = context.AddTask(layout.NameOf(label));
                    do
                    {
                        // A terminal may become wider or narrower.
                        layout = ProgressLayout.For(console.Profile.Width);
                        (bar.Width, task.Description) = (layout.Bar, layout.NameOf(label));
                        Advance(task, progress.Snapshot());
                        lanes?.Update(context, layout, console.Profile.Height - OtherLines);
                    }
                    while (!_messages.HasQuestion && !await EndsWithinAsync(Interval));
                });
        }
        finally
        {
            _messages.Redirect(null);
        }
    }

    /// <summary>By bytes where their sum is known, else by files.</summary>
    private static void Advance(ProgressTask task, TransferProgress now)
    {
        var (done, all) = now switch
        {
            { TotalBytes: > 0 and var bytes } => (now.Bytes, bytes),
            { TotalFiles: > 0 and var files } => (now.Files, files),
            _ => (0, 0),
        };
        task.IsIndeterminate = all == 0;
        task.MaxValue = Math.Max(1, all);
        // A task that is full ends, and what has ended is not shown.
        task.Value = Math.Min(done, task.MaxValue * 0.9999);
    }

    private async Task<bool> EndsWithinAsync(TimeSpan time)
    {
        // The token only says when; its cancellation is no failure.
        await Task.Delay(time, _host.TimeProvider, _end.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return _end.IsCancellationRequested;
    }
}
