BeforeAll {
    . $PSScriptRoot/Common.ps1
    $ftp = Connect-Ftp -Name ftp
    $sftp = Connect-Sftp -Name sftp
    # The same names at both; the second is the current one.
    function Reset-Folders {
        foreach ($folder in $env:TRANSFER_FTP_FOLDER, $env:TRANSFER_SFTP_FOLDER) {
            Remove-Item "$folder/o" -Recurse -ErrorAction Ignore
            New-Item "$folder/o/to" -ItemType Directory | Out-Null
        }
        'a', 'b' | ForEach-Object {
            Set-Content "$env:TRANSFER_FTP_FOLDER/o/$_.txt" "ftp $_" -NoNewline
            Set-Content "$env:TRANSFER_SFTP_FOLDER/o/$_.txt" "sftp $_" -NoNewline
        }
    }
    function Get-There { (Get-ChildItem "$env:TRANSFER_FTP_FOLDER/o" -File).Name | Sort-Object }
    function Get-Here { (Get-ChildItem "$env:TRANSFER_SFTP_FOLDER/o" -File).Name | Sort-Object }
}
AfterAll { Get-TransferServer | Disconnect-TransferServer }

Describe 'Entries of another server than the current one, as <_>' -ForEach 'entries', 'items of a drive' {
    BeforeAll {
        $drive = $_ -ne 'entries'
        if ($drive) { New-PSDrive -Name other -PSProvider Transfer -Root '' -Server $ftp | Out-Null }
        function Get-Other([string] $name = '*') {
            if ($drive) { Get-ChildItem other:/o -File -Filter $name } else { Get-TransferEntry o -File -Filter $name -Server $ftp }
        }
    }
    AfterAll { if ($drive) { Remove-PSDrive other } }
    BeforeEach { Reset-Folders }

    It 'are received from their server' {
        Get-Other | Receive-TransferFile -Destination "$local/origins/" -Overwrite Always
        Get-Content "$local/origins/a.txt" | Should -Be 'ftp a'
        Get-Content "$local/origins/b.txt" | Should -Be 'ftp b'
    }

    It 'are received beside those of the current one' {
        @(Get-Other a.txt) + @(Get-TransferEntry o/b.txt) | Receive-TransferFile -Destination "$local/origins/" -Overwrite Always
        Get-Content "$local/origins/a.txt" | Should -Be 'ftp a'
        Get-Content "$local/origins/b.txt" | Should -Be 'sftp b'
    }

    It 'are deleted at their server' {
        Get-Other a.txt | Remove-TransferEntry
        Get-There | Should -Be b.txt
        Get-Here | Should -Be a.txt, b.txt
        @(Get-Other b.txt) + @(Get-TransferEntry o/a.txt) | Remove-TransferEntry
        Get-There | Should -BeNullOrEmpty
        Get-Here | Should -Be b.txt
    }

    It 'are moved, copied and set at their server' {
        Get-Other a.txt | Move-TransferEntry -Destination o/to/
        Test-Path "$env:TRANSFER_FTP_FOLDER/o/to/a.txt" | Should -BeTrue
        Get-Other b.txt | Set-TransferEntry -LastWriteTime 2020-02-02
        (Get-Item "$env:TRANSFER_FTP_FOLDER/o/b.txt").LastWriteTime.Year | Should -Be 2020
        Get-Other b.txt | Copy-TransferFile -Destination o/copy.txt -ToServer $sftp
        Get-Content "$env:TRANSFER_SFTP_FOLDER/o/copy.txt" | Should -Be 'ftp b'
        Get-Other b.txt | Copy-TransferFile -Destination o/copy2.txt
        Get-Content "$env:TRANSFER_FTP_FOLDER/o/copy2.txt" | Should -Be 'ftp b'
        (Get-Item "$env:TRANSFER_SFTP_FOLDER/o/b.txt").LastWriteTime.Year | Should -Not -Be 2020
        Get-Here | Should -Be a.txt, b.txt, copy.txt
    }

    It 'are refused where the text of a path is wanted: <name>' -ForEach @(
        @{ name = 'Remove-TransferEntry -Path'; act = { Remove-TransferEntry -Path (Get-Other a.txt) } }
        @{ name = 'Remove-TransferEntry -LiteralPath'; act = { Remove-TransferEntry -LiteralPath (Get-Other a.txt) } }
        @{ name = 'Remove-TransferEntry -Path, several'; act = { Remove-TransferEntry -Path 'none*', (Get-Other a.txt) } }
        @{ name = 'Receive-TransferFile'; act = { Receive-TransferFile -Path (Get-Other a.txt) "$local/refused/" } }
        @{ name = 'Copy-TransferFile'; act = { Copy-TransferFile -Path (Get-Other a.txt) o/refused.txt } }
        @{ name = 'New-TransferFolder'; act = { New-TransferFolder (Get-Other a.txt) } }
        @{ name = 'a local file'; act = { Remove-TransferEntry -Path (Get-Item $PSCommandPath) } }
    ) {
        foreach ($folder in $env:TRANSFER_FTP_FOLDER, $env:TRANSFER_SFTP_FOLDER) { Set-Content "$folder/a.txt" decoy -NoNewline }
        $errors = Get-Errors $act
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'ParameterArgumentTransformationError,*'
        "$($errors[0])" | Should -BeLike '*by the pipeline*'
        foreach ($folder in $env:TRANSFER_FTP_FOLDER, $env:TRANSFER_SFTP_FOLDER) { Get-Content "$folder/a.txt" | Should -Be decoy }
        "$local/refused" | Should -Not -Exist
    }

    It 'are those themselves where they are given by position, whatever their text names' {
        foreach ($folder in $env:TRANSFER_FTP_FOLDER, $env:TRANSFER_SFTP_FOLDER) { Set-Content "$folder/a.txt" decoy -NoNewline }
        Get-TransferContent (Get-Other a.txt) | Should -Be 'ftp a'
        Test-TransferPath (Get-Other a.txt) | Should -BeTrue
        (Get-TransferEntry (Get-Other a.txt)).Path | Should -Be /o/a.txt
        (Get-TransferFileHash (Get-Other a.txt)).Hash | Should -Be (Get-FileHash "$env:TRANSFER_FTP_FOLDER/o/a.txt").Hash
        (Receive-TransferFile (Get-Other) "$local/by-position/" -Overwrite Always).Files | Should -Be 2
        Get-Content "$local/by-position/a.txt" | Should -Be 'ftp a'
        (Copy-TransferFile (Get-Other a.txt) o/copy.txt).Files | Should -Be 1
        Set-TransferEntry (Get-Other b.txt) -LastWriteTime 2020-02-02
        (Get-Item "$env:TRANSFER_FTP_FOLDER/o/b.txt").LastWriteTime.Year | Should -Be 2020
        Move-TransferEntry (Get-Other b.txt) o/to/
        Remove-TransferEntry (Get-Other a.txt)
        Get-There | Should -Be copy.txt
        Get-Here | Should -Be a.txt, b.txt
        foreach ($folder in $env:TRANSFER_FTP_FOLDER, $env:TRANSFER_SFTP_FOLDER) { Get-Content "$folder/a.txt" | Should -Be decoy }
    }

    It 'are read, hashed, tested and listed at their server' {
        Get-Other a.txt | Get-TransferContent | Should -Be 'ftp a'
        (Get-Other a.txt | Get-TransferFileHash).Hash | Should -Be (Get-FileHash "$env:TRANSFER_FTP_FOLDER/o/a.txt").Hash
        Remove-Item "$env:TRANSFER_SFTP_FOLDER/o/a.txt"
        Get-Other a.txt | Test-TransferPath | Should -BeTrue
        (Get-Other a.txt | Get-TransferEntry | Get-TransferContent) | Should -Be 'ftp a'
    }

    It 'are errors where -Server is another one, and nothing is done' {
        foreach ($act in { $input | Remove-TransferEntry -Server $sftp }, { $input | Receive-TransferFile -Server $sftp -Destination "$local/refused/" },
            { $input | Move-TransferEntry -Destination o/to/ -Server $sftp }, { $input | Get-TransferContent -Server $sftp }) {
            $errors = Get-Errors { Get-Other | & $act }
            $errors | Should -HaveCount 2
            $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.ArgumentException,*'
            $errors[0].CategoryInfo.Category | Should -Be InvalidArgument
            $errors[0].ErrorDetails.RecommendedAction | Should -Match '-Server'
            $errors.TargetObject.Path | Sort-Object | Should -Be /o/a.txt, /o/b.txt
        }
        Get-Here | Should -Be a.txt, b.txt
        Get-Other | Get-TransferContent -Server ftp | Sort-Object | Should -Be 'ftp a', 'ftp b'
    }
}

Describe 'Items of a drive' {
    BeforeAll {
        New-PSDrive -Name own -PSProvider Transfer -Root '' -Server $ftp | Out-Null
        Reset-Folders
    }
    AfterAll { Remove-PSDrive own }

    It 'are taken by each cmdlet, at the drive''s server' {
        Get-ChildItem own:/o/a.txt | Get-TransferContent | Should -Be 'ftp a'
        Get-ChildItem own:/o/a.txt | Test-TransferPath | Should -BeTrue
        (Get-ChildItem own:/o/a.txt | Get-TransferEntry).Path | Should -Be /o/a.txt
        (Get-ChildItem own:/o/a.txt | Get-TransferFileHash).Hash | Should -Be (Get-FileHash "$env:TRANSFER_FTP_FOLDER/o/a.txt").Hash
        Get-ChildItem own:/o/a.txt | Set-TransferEntry -LastWriteTime 2020-02-02
        (Get-ChildItem own:/o/a.txt | Receive-TransferFile -Destination "$local/of-drive/").Files | Should -Be 1
        Get-Content "$local/of-drive/a.txt" | Should -Be 'ftp a'
        (Get-ChildItem own:/o/a.txt | Copy-TransferFile -Destination o/to/).Files | Should -Be 1
        Get-ChildItem own:/o/a.txt | Move-TransferEntry -Destination o/c.txt
        Get-ChildItem own:/o/b.txt | Remove-TransferEntry
        Get-There | Should -Be c.txt
        Get-Here | Should -Be a.txt, b.txt
    }
}

Describe 'Entries whose server is closed' {
    It 'are errors, and nothing is done at another one' {
        Reset-Folders
        $gone = Connect-Ftp -Name gone
        $sftpAgain = Connect-Sftp -Name again
        $entries = Get-TransferEntry o -File -Server $gone
        Disconnect-TransferServer $gone
        $errors = Get-Errors { $entries | Remove-TransferEntry }
        $errors | Should -HaveCount 2
        $errors[0].Exception.Message | Should -Match 'closed'
        Get-Here | Should -Be a.txt, b.txt
        Get-There | Should -Be a.txt, b.txt
    }
}

Describe 'Files of this machine' {
    It 'are refused by <name>, whatever the server has at their paths' -ForEach @(
        @{ name = 'Remove-TransferEntry'; act = { Get-ChildItem "$local/mine" | Remove-TransferEntry } }
        @{ name = 'Remove-TransferEntry by position'; act = { Remove-TransferEntry (Get-ChildItem "$local/mine") } }
        @{ name = 'Move-TransferEntry'; act = { Get-ChildItem "$local/mine" | Move-TransferEntry -Destination /to/ } }
        @{ name = 'Set-TransferEntry'; act = {
            Get-ChildItem "$local/mine" | Set-TransferEntry -LastWriteTime 2020-02-02 } }
        @{ name = 'Receive-TransferFile'; act = {
            Get-ChildItem "$local/mine" | Receive-TransferFile -Destination "$local/refused/" } }
        @{ name = 'Copy-TransferFile'; act = { Get-ChildItem "$local/mine" | Copy-TransferFile -Destination /to/ } }
        @{ name = 'Get-TransferContent'; act = { Get-ChildItem "$local/mine" | Get-TransferContent } }
        @{ name = 'Get-TransferFileHash'; act = { Get-ChildItem "$local/mine" | Get-TransferFileHash } }
        @{ name = 'Get-TransferEntry'; act = { Get-ChildItem "$local/mine" | Get-TransferEntry } }
        @{ name = 'Test-TransferPath'; act = { Get-ChildItem "$local/mine" | Test-TransferPath } }
    ) {
        New-Item "$local/mine/folder" -ItemType Directory -Force | Out-Null
        Set-Content "$local/mine/file.txt" mine
        # What would be hit: the same path at the server.
        $same = Join-Path $env:TRANSFER_SFTP_FOLDER "$local/mine"
        New-Item $same -ItemType Directory -Force | Out-Null
        Set-Content "$same/file.txt" theirs
        $errors = Get-Errors $act
        $errors | Should -HaveCount 2
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.ArgumentException,*'
        $errors[0].ErrorDetails.RecommendedAction | Should -Match 'Send-TransferFile'
        $errors.TargetObject | ForEach-Object { $_ | Should -BeOfType ([System.IO.FileSystemInfo]) }
        Get-Content "$same/file.txt" | Should -Be theirs
        Test-Path "$local/refused/file.txt" | Should -BeFalse
    }
}
