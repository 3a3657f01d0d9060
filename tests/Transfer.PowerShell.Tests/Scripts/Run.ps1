# Runs one script of Pester's tests; exit code 1: a test failed.
param([Parameter(Mandatory)] [string] $Path)
$ErrorActionPreference = 'Stop'
Import-Module $env:TRANSFER_PESTER
Import-Module $env:TRANSFER_MODULE
$configuration = New-PesterConfiguration
$configuration.Run.Path = $Path
$configuration.Run.PassThru = $true
$configuration.Output.Verbosity = 'Detailed'
$configuration.Output.RenderMode = 'Plaintext'
$result = Invoke-Pester -Configuration $configuration
Remove-Module Transfer
exit [int]($result.Result -ne 'Passed')
