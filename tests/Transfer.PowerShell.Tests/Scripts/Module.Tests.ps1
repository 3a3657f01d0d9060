BeforeDiscovery { $commands = Get-Command -Module Transfer }

Describe '<_.Name>' -ForEach $commands {
    BeforeAll { $common = [System.Management.Automation.Cmdlet]::CommonParameters + [System.Management.Automation.Cmdlet]::OptionalCommonParameters }

    It 'has help with a synopsis, and examples that parse' {
        $help = Get-Help $_.Name -Full
        $help.Synopsis | Should -Not -Match '^\s*$|^\s*\w+-\w+ '
        @($help.examples.example).Count | Should -BeGreaterThan 0
        foreach ($example in $help.examples.example) {
            $errors = $null
            [System.Management.Automation.Language.Parser]::ParseInput($example.code, [ref] $null, [ref] $errors) | Out-Null
            $errors | Should -BeNullOrEmpty
        }
    }

    It 'has help for each parameter' {
        $help = Get-Help $_.Name -Full
        foreach ($name in $_.Parameters.Keys | Where-Object { $_ -notin $common }) {
            $text = ($help.parameters.parameter | Where-Object name -eq $name).description.Text
            $text | Should -Not -BeNullOrEmpty -Because "-$name is to be described"
        }
    }

    It 'has an approved verb, and no password in plain text' {
        $_.Verb | Should -BeIn (Get-Verb).Verb
        $_.Parameters.Values | Where-Object { $_.Name -match 'Password|Passphrase|Secret' -and $_.ParameterType -eq [string] } | Should -BeNullOrEmpty
    }

    It 'asks before it changes something' {
        if ($_.Verb -in 'New', 'Remove', 'Move', 'Set', 'Send', 'Receive', 'Copy', 'Sync', 'Invoke') { $_.Parameters.Keys | Should -Contain WhatIf }
    }
}

Describe 'The module' {
    It 'exports what its manifest says' {
        $manifest = Import-PowerShellDataFile $env:TRANSFER_MODULE
        (Get-Command -Module Transfer).Name | Sort-Object | Should -Be ($manifest.CmdletsToExport | Sort-Object)
    }

    It 'has the version of its assemblies, as galleries take it' {
        $manifest = Import-PowerShellDataFile $env:TRANSFER_MODULE
        $file = Join-Path (Split-Path $env:TRANSFER_MODULE) bin/Transfer.PowerShell.dll
        $number, $preview = [System.Diagnostics.FileVersionInfo]::GetVersionInfo($file).ProductVersion.Split('+')[0].Split('-', 2)
        $manifest.ModuleVersion | Should -Be $number
        (Get-Module Transfer).Version | Should -Be $number
        $parts = "$preview" -split '\.' | ForEach-Object { if ($_ -match '^\d+$') { '{0:0000}' -f [int] $_ } else { $_ -replace '-' } }
        $manifest.PrivateData.PSData.Prerelease | Should -BeExactly ($parts -join '')
        Test-ModuleManifest $env:TRANSFER_MODULE | Should -Not -BeNullOrEmpty
    }

    It 'shows each kind of output as a table' {
        $types = (Get-Command -Module Transfer).OutputType.Type | Sort-Object FullName -Unique | Where-Object Namespace -Like Transfer*
        foreach ($type in $types) {
            # Without a view PowerShell makes a table of four properties at most.
            if ($type.GetProperties().Count -gt 4) { Get-FormatData $type.FullName | Should -Not -BeNullOrEmpty -Because $type.FullName }
        }
    }

    It 'has a page about itself' {
        Get-Help about_Transfer | Out-String | Should -Match 'at the speed of the link'
    }
}
