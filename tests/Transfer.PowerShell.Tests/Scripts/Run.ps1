# Runs the scripts of Pester's tests that come in as lines of JSON, one after the other: each in a session of its own, with its own
# environment. The lines that a script writes end with one of its outcome.
$ErrorActionPreference = 'Stop'
$variables = [Environment]::GetEnvironmentVariables()
while ($line = [Console]::In.ReadLine()) {
    $given = ConvertFrom-Json $line -AsHashtable
    Remove-Item env:*
    foreach ($some in $variables, $given.Environment) { foreach ($name in $some.Keys) { Set-Item -LiteralPath "env:$name" $some[$name] } }
    $session = [runspacefactory]::CreateRunspace($Host, [initialsessionstate]::CreateDefault())
    $session.Open()
    $shell = [powershell]::Create($session).AddScript({
        param($path)
        $ErrorActionPreference = 'Stop'
        Import-Module $env:TRANSFER_PESTER
        Import-Module $env:TRANSFER_MODULE
        $configuration = New-PesterConfiguration
        $configuration.Run.Path = $path
        $configuration.Run.PassThru = $true
        $configuration.Output.Verbosity = 'Detailed'
        $configuration.Output.RenderMode = 'Plaintext'
        (Invoke-Pester -Configuration $configuration).Result
        Remove-Module Transfer
    }).AddArgument($given.Script)
    try { $outcome = $shell.Invoke() | Select-Object -Last 1 }
    catch { $outcome = $_ }
    $shell.Dispose()
    $session.Dispose()
    "$($given.End) $outcome"
}
