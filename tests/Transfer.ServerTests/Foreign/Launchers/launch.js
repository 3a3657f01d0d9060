// What the launchers share: their settings (one JSON object as the first argument), and the user that serves the files.
'use strict';

const settings = JSON.parse(process.argv[2]);

// Called once keys and certificates, which are root's, have been read.
function becomeUser() {
  process.setgroups([]);
  process.setgid(settings.gid);
  process.setuid(settings.uid);
  process.umask(0o022);
}

module.exports = { settings, becomeUser };
