BeforeDiscovery { $protocols = 'Ftp', 'Sftp' }
BeforeAll {
    . $PSScriptRoot/Common.ps1
    New-Item "$local/linked/below" -ItemType Directory -Force | Out-Null
    Set-Content "$local/linked/below/file.txt" content
    New-Item "$local/linked/link.txt" -ItemType SymbolicLink -Target below/file.txt | Out-Null
}

Describe 'Links over <_>' -ForEach $protocols {
    BeforeAll {
        $server = & "Connect-$_" -Name $_
        $there = (Get-Item "env:TRANSFER_$($_.ToUpperInvariant())_FOLDER").Value
    }
    AfterAll { Disconnect-TransferServer $server }

    It 'are left out, unless they are to be followed' {
        (Send-TransferFile "$local/linked" left/).Files | Should -Be 1
        (Send-TransferFile "$local/linked" followed/ -Links Follow).Files | Should -Be 2
        Get-Content "$there/followed/linked/link.txt" | Should -Be content
        (Get-Item "$there/followed/linked/link.txt").LinkType | Should -BeNullOrEmpty
    }

    It 'are followed where folders are made alike, and said to be' {
        (Compare-TransferFolder "$local/linked" alike -Links Follow).Path | Should -Contain link.txt
        (Sync-TransferFolder "$local/linked" alike -Direction Up -Links Follow).Files | Should -Be 2
    }

    It 'to folders are destinations of what is sent, copied and moved, and are not replaced' {
        $null = New-Item "$there/ends/release" -ItemType Directory
        $null = New-Item "$there/ends/current" -ItemType SymbolicLink -Target release
        $null = New-Item "$there/ends/plain" -ItemType SymbolicLink -Target file
        'file', 'copied', 'moved', 'copied2', 'moved2' | ForEach-Object { Set-Content "$there/ends/$_" $_ }
        Send-TransferFile "$local/linked/below/file.txt" ends/current -Overwrite Always | Out-Null
        Copy-TransferFile ends/copied ends/current -Overwrite Always | Out-Null
        Move-TransferEntry ends/moved ends/current -Force
        $null = New-PSDrive -Name ends -PSProvider Transfer -Root ends -Server $server
        Copy-Item ends:/copied2 ends:/current
        Move-Item ends:/moved2 ends:/current -Force
        Remove-PSDrive ends
        (Get-Item "$there/ends/current").LinkTarget | Should -Be release
        (Get-ChildItem "$there/ends/release").Name | Sort-Object | Should -Be copied, copied2, file.txt, moved, moved2
        # A link to a file is a name, as before.
        Send-TransferFile "$local/linked/below/file.txt" ends/plain -Overwrite Always | Out-Null
        Get-Content "$there/ends/plain" | Should -Be content
    }

    It 'to folders are folders, where they are tested and fetched' {
        $null = New-Item "$there/led/release" -ItemType Directory
        Set-Content "$there/led/release/a.txt" a
        @{ current = 'release'; file = 'release/a.txt'; dangling = 'none' }.GetEnumerator() |
            ForEach-Object { $null = New-Item "$there/led/$($_.Name)" -ItemType SymbolicLink -Target $_.Value }
        Test-TransferPath led/current -PathType Container | Should -BeTrue
        Test-TransferPath led/current -PathType Leaf | Should -BeFalse
        Test-TransferPath led/curr* -PathType Container | Should -BeTrue
        Test-TransferPath led/curr* -PathType Leaf | Should -BeFalse
        Test-TransferPath led/file -PathType Container | Should -BeFalse
        Test-TransferPath led/file -PathType Leaf | Should -BeTrue
        Test-TransferPath led/dangling -PathType Container | Should -BeFalse
        $null = New-PSDrive -Name led -PSProvider Transfer -Root led -Server $server
        Test-Path led:/current -PathType Container | Should -BeTrue
        Test-Path led:/current -PathType Leaf | Should -BeFalse
        Test-Path led:/file -PathType Container | Should -BeFalse
        (Get-Errors { Get-Content led:/current })[0].Exception.Message | Should -Match 'is a folder'
        Push-Location led:/current
        Get-Content a.txt | Should -Be a
        Pop-Location
        # A folder behind a link is not entered.
        Get-ChildItem led:/ -Recurse -Include a.txt | Should -HaveCount 1
        (Receive-TransferFile led/current "$local/led-$($server.Name)/").Files | Should -Be 1
        Get-Content "$local/led-$($server.Name)/current/a.txt" | Should -Be a
        (Copy-TransferFile led/current led/copies/).Files | Should -Be 1
        Get-Content "$there/led/copies/current/a.txt" | Should -Be a
        Remove-Item led:/current -Recurse
        Test-Path "$there/led/current" | Should -BeFalse
        Get-Content "$there/led/release/a.txt" | Should -Be a
        Remove-PSDrive led
    }

    It 'are made at a server that has them' {
        if ($server.Uri.Scheme -eq 'sftp') {
            Send-TransferFile "$local/linked" made/ -Links Copy | Out-Null
            (Get-Item "$there/made/linked/link.txt").LinkTarget | Should -Be below/file.txt
            Receive-TransferFile made/linked "$local/fetched/" -Links Copy | Out-Null
            (Get-Item "$local/fetched/linked/link.txt").LinkTarget | Should -Be below/file.txt
            Copy-TransferFile made/linked copied/ -Links Copy | Out-Null
            (Get-Item "$there/copied/linked/link.txt").LinkTarget | Should -Be below/file.txt
        } else {
            (Get-Errors { Send-TransferFile "$local/linked" made/ -Links Copy })[0].CategoryInfo.Category | Should -Be NotImplemented
        }
    }
}
