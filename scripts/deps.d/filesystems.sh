# A file system that can share blocks between files, for the tests of copies by reflink (Linux only).
if [ "$(uname)" = Linux ]; then
  need=()
  command -v mkfs.xfs >/dev/null || [ -x /usr/sbin/mkfs.xfs ] || need+=(xfsprogs)
  command -v filefrag >/dev/null || [ -x /usr/sbin/filefrag ] || need+=(e2fsprogs)
  if [ ${#need[@]} -gt 0 ]; then apt "${need[@]}"; fi
fi
