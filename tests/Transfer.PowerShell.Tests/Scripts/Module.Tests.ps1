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

    It 'is for PowerShell 7.6 and later, and others refuse it by their version' {
        $manifest = Import-PowerShellDataFile $env:TRANSFER_MODULE
        $manifest.PowerShellVersion | Should -Be 7.6
        $manifest.CompatiblePSEditions | Should -Be Core
        # As an older PowerShell sees the manifest.
        $later = (New-Item "$env:TRANSFER_LOCAL/later/Later.psd1" -Force).FullName
        (Get-Content $env:TRANSFER_MODULE -Raw) -replace "PowerShellVersion = '7.6'", "PowerShellVersion = '99.0'" | Set-Content $later
        # In a session without the module: a module that is loaded is not imported again.
        $shell = [powershell]::Create().AddCommand('Import-Module').AddArgument($later)
        $null = $shell.Invoke()
        "$($shell.Streams.Error)" | Should -Match "$($PSVersionTable.PSVersion).*'99.0'"
        $shell.Dispose()
    }

    It 'describes each parameter that drives have' {
        $type = (Get-Command Send-TransferFile).ImplementingType.Assembly.GetType('Transfer.PowerShell.Drives.DriveParameters')
        $names = $type.GetProperties() | Where-Object { $_.GetCustomAttributes([Parameter], $false) } | ForEach-Object Name
        $names.Count | Should -BeGreaterThan 10
        $page = Get-Help about_Transfer | Out-String
        foreach ($name in $names) { $page | Should -Match " -$name\b" }
    }

    It 'introduces itself: readme, icon, and the entries of the newest release that concern it' {
        $folder = Split-Path $env:TRANSFER_MODULE
        $notes = (Import-PowerShellDataFile $env:TRANSFER_MODULE).PrivateData.PSData.ReleaseNotes
        'README.md', 'icon.png', 'CHANGELOG.md', 'LICENSE' | ForEach-Object { Join-Path $folder $_ | Should -Exist }
        $notes | Should -Match '^## \d'
        $notes | Should -Match '(?m)^- A PowerShell module'
        $notes | Should -Not -Match '(?m)^- `transfer '
        $notes.Length | Should -BeLessThan 10000 -Because 'galleries of modules take no more'
        (Get-Module Transfer).ReleaseNotes | Should -Be $notes
    }

    It 'has a page about itself' {
        Get-Help about_Transfer | Out-String | Should -Match 'at the speed of the link'
    }
}
