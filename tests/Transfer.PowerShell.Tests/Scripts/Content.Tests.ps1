BeforeDiscovery { $protocols = 'Ftp', 'Sftp' }
BeforeAll { . $PSScriptRoot/Common.ps1 }

Describe 'Content over <_>' -ForEach $protocols {
    BeforeAll { $server = & "Connect-$_" -Name $_ }
    AfterAll { Disconnect-TransferServer $server }

    It 'writes lines and reads them' {
        'a', 'b', 'c' | Set-TransferContent lines.txt
        Get-TransferContent lines.txt | Should -Be 'a', 'b', 'c'
        Get-TransferContent lines.txt -TotalCount 2 | Should -Be 'a', 'b'
        Get-TransferContent lines.txt -Tail 2 | Should -Be 'b', 'c'
        Get-TransferContent lines.txt | Select-Object -First 1 | Should -Be a
        Get-TransferContent lines.txt -Raw | Should -Be ("a`nb`nc`n".Replace("`n", [Environment]::NewLine))
        Set-TransferContent lines.txt -Value one -NoNewline
        Get-TransferContent lines.txt -Raw | Should -Be one
    }

    It 'writes bytes and reads them' {
        [byte[]] $bytes = 0..255
        Set-TransferContent bytes.bin -Value $bytes -AsByteStream
        Get-TransferContent bytes.bin -AsByteStream | Should -Be $bytes
        (Get-TransferContent bytes.bin -AsByteStream -Raw).Length | Should -Be 256
        Get-TransferContent bytes.bin -AsByteStream -TotalCount 3 | Should -Be 0, 1, 2
    }

    It 'takes encodings as PowerShell does' {
        'grüße' | Set-TransferContent latin.txt -Encoding latin1
        Get-TransferContent latin.txt -Encoding latin1 | Should -Be 'grüße'
        'grüße' | Set-TransferContent marked.txt -Encoding utf8BOM
        Get-TransferContent marked.txt -AsByteStream -TotalCount 3 | Should -Be 0xEF, 0xBB, 0xBF
        Get-TransferContent marked.txt | Should -Be 'grüße'
    }

    It 'hashes as Get-FileHash does' {
        Set-Content "$local/hashed.txt" content -NoNewline
        Set-TransferContent hashed.txt -Value content -NoNewline
        foreach ($algorithm in 'SHA256', 'SHA512', 'MD5') {
            (Get-TransferFileHash hashed.txt -Algorithm $algorithm).Hash | Should -Be (Get-FileHash "$local/hashed.txt" -Algorithm $algorithm).Hash
        }
        (Get-Errors { Get-TransferFileHash none.txt })[0].CategoryInfo.Category | Should -Be ObjectNotFound
    }

    It 'keeps the old file where the writing pipeline fails' {
        'old' | Set-TransferContent kept.txt
        Get-Errors { & { 'new'; throw 'in the middle' } | Set-TransferContent kept.txt } | Out-Null
        Get-TransferContent kept.txt | Should -Be old
    }

    It 'does not take a part of a file for the whole' {
        $folder = (Get-Item "env:TRANSFER_$($server.Uri.Scheme -eq 'sftp' ? 'SFTP' : 'FTP')_FOLDER").Value
        $null = New-Item "$folder/half" -ItemType Directory
        $names = $server.Uri.Scheme -eq 'sftp' ? 1..8 : 451, 550, 226
        $names | ForEach-Object { [System.IO.File]::WriteAllText("$folder/half/$_.txt", "a line of text`n" * 40000) }
        $null = New-PSDrive half -PSProvider Transfer -Root half -Server $server
        $at = 0
        # Each block is one read; over SFTP of a file of its own.
        foreach ($block in { Get-TransferContent "half/$name.txt" | Set-TransferContent copy.txt },
            { Get-TransferContent "half/$name.txt" -Raw | Set-TransferContent copy.txt },
            { Get-TransferContent "half/$name.txt" -Raw -AsByteStream | Set-TransferContent copy.txt -AsByteStream },
            { Get-TransferContent "half/$name.txt" -Tail 2 | Set-TransferContent copy.txt },
            { Get-Content "half:/$name.txt" | Set-TransferContent copy.txt },
            { Get-Content "half:/$name.txt" -ReadCount 100 | Set-Content half:/copy.txt }) {
            'old' | Set-TransferContent copy.txt
            'old' | Set-TransferContent half/copy.txt
            foreach ($name in $server.Uri.Scheme -eq 'sftp' ? $names[$at++] : $names) {
                $errors = Get-Errors $block
                $errors | Should -HaveCount 1 -Because "$block of $name"
                $errors.FullyQualifiedErrorId | Should -BeLike 'Transfer.*' -Because "$block of $name"
                Get-TransferContent copy.txt | Should -Be old -Because "$block of $name"
                Get-TransferContent half/copy.txt | Should -Be old -Because "$block of $name"
            }
        }
        Remove-PSDrive half
    }
}
