using BenchmarkDotNet.Running;
using Transfer.Benchmarks;

// dotnet run -c Release -- [--full] [what BenchmarkDotNet takes, such as --filter *Listing*]
var full = args.Contains("--full");
var rest = args.Where(argument => argument != "--full").ToArray();
var suites = Suites.ThatCanRun(Console.Error);
var summaries = BenchmarkSwitcher.FromTypes(suites).Run(rest.Length == 0 ? ["--filter", "*"] : rest, new BenchmarkConfig(full));
return summaries.All(summary => !summary.HasCriticalValidationErrors && summary.Reports.All(report => report.Success)) ? 0 : 1;
