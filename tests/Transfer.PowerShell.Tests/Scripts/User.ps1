# Sessions with a user, who answers prompts.
Add-Type -Path $PSScriptRoot/AnsweringHost.cs

# A session with the module and Common.ps1, in which a user has answers.
function New-UserSession([AnsweringHost] $user) {
    $state = [initialsessionstate]::CreateDefault()
    $state.ImportPSModule($env:TRANSFER_MODULE)
    $session = [runspacefactory]::CreateRunspace($user, $state)
    $session.Open()
    $shell = [powershell]::Create($session)
    $null = $shell.AddScript(". '$PSScriptRoot/Common.ps1'; `$ErrorActionPreference = 'Continue'").Invoke()
    $shell.Commands.Clear()
    $shell
}

# Runs a block with arguments in such a session: the output, the errors, and the user with the prompts.
function Invoke-WithUser([AnsweringHost] $user, [scriptblock] $block) {
    $shell = New-UserSession $user
    $null = $shell.AddScript("$block")
    $args | ForEach-Object { $null = $shell.AddArgument($_) }
    $errors = [System.Collections.Generic.List[object]]::new()
    $output = try { $shell.Invoke() } catch { $errors.Add($_.Exception.InnerException.ErrorRecord) }
    $errors.AddRange($shell.Streams.Error)
    $shell.Runspace.Dispose()
    $shell.Dispose()
    [pscustomobject] @{ Output = $output; Errors = $errors; User = $user }
}
