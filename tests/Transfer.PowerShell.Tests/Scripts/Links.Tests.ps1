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
