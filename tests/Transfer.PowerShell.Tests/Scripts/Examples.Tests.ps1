# Each example of the help, of about_Transfer and of docs/powershell.md, as it is written but for the servers: the embedded ones stand in
# for those of the examples.
BeforeDiscovery {
    # Install.ps1 installs the module from its package. Remote commands and hosts to jump over are an sshd's, and so are their examples:
    # Sshd.Tests.ps1 runs them.
    $examples = & $PSScriptRoot/AllExamples.ps1 | Where-Object { $_.Code -notmatch 'Install-PSResource|Invoke-TransferCommand|-Jump ' }
}

BeforeAll {
    . $PSScriptRoot/Common.ps1
    . $PSScriptRoot/Stage.ps1
    Enter-Home
}

Describe '<Page>, example <Number>' -ForEach $examples {
    BeforeEach { Enter-Stage $Code }
    AfterEach { Exit-Stage }

    It 'runs' {
        Invoke-Example $Code
        if ($outcome = Get-Outcome $Code) { & $outcome }
    }
}

Describe 'Lines that run a script at night' {
    BeforeAll {
        $document = Get-Content "$env:TRANSFER_REPOSITORY/docs/powershell.md" -Raw
        $script = [regex]::Match($document, '(?ms)^```powershell\r?\n(# mirror\.ps1.*?)^```').Groups[1].Value
        $lines = [regex]::Matches($document, 'pwsh( -NoProfile -NonInteractive -File )\S+/mirror\.ps1').Value
    }

    It 'are two, of systemd and cron, and run it' {
        $lines | Should -HaveCount 2
        foreach ($line in $lines) {
            Enter-Stage $script
            try {
                $file = Save-Example $script
                $said = Invoke-Expression ("pwsh$([regex]::Match($line, ' -NoProfile.*-File ').Value)'$file'")
                $LASTEXITCODE | Should -Be 0 -Because "$said"
                Test-Path "$env:TRANSFER_SFTP_FOLDER/www/new.html" | Should -BeTrue
            }
            finally { Exit-Stage }
        }
    }
}
