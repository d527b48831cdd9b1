// What a workspace may hold and a careless program loses, follows or trips over.

/** Makes them in the current folder. */
export const MAKE_ODD_FILES = String.raw`
mkdir -p odd/deep 'odd/with space'
printf plain > odd/plain.txt
printf newline > "odd/$(printf 'a\nb')"
printf bytes > "odd/$(printf 'not\377text')"
ln -s /etc/passwd odd/outside
ln -s ../odd/plain.txt odd/inside
ln -s nowhere odd/dangling
ln odd/plain.txt odd/hard
mkfifo odd/pipe
printf '#!/bin/sh\n' > odd/setuid && chmod 4755 odd/setuid
printf private > odd/private && chmod 600 odd/private
printf locked > odd/deep/locked && chmod 400 odd/deep/locked && chmod 500 odd/deep
truncate -s 1T odd/sparse && printf end | dd of=odd/sparse bs=1 seek=1000000 conv=notrunc 2>/dev/null
touch -d '2001-02-03 04:05:06.789' odd/plain.txt
`;

/** Every name, kind, mode, size, time and target of them, and what the files hold, the same wherever they are equal. */
export const DESCRIBE_ODD_FILES = String.raw`
cd odd && find . -printf '%P|%y|%m|%s|%l|%n|%U-%G|%T@\n' | grep -av '^|' | sed "s/|$(id -u)-$(id -g)|/|own|/" \
  | sed -E 's/^([^|]*\|d\|[^|]*\|)[^|]*/\1-/' | LC_ALL=C sort | od -An -c
find . -type f ! -name sparse -exec sha256sum {} + | LC_ALL=C sort | od -An -c
dd if=sparse bs=1 skip=1000000 count=3 2>/dev/null; [ $(du -k sparse | cut -f1) -lt 100 ] && echo thin
`;
