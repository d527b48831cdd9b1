// Names inside an archive: what any program on any system unpacks without surprises, and never the same twice.

export function zipNames(): (path: string) => string {
  const taken = new Set<string>();
  return (path) => {
    const plain = path
      .split("/")
      .map((part) => part.replace(/[\p{Cc}\p{Cs}\\:\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "_"))
      .join("/");
    let name = plain;
    for (let copy = 2; taken.has(name); copy += 1) name = numbered(plain, copy);
    taken.add(name);
    return name;
  };
}

function numbered(path: string, copy: number): string {
  const [, stem = path, extension = ""] = /^(.+?)(\.[^./]{1,10})?$/s.exec(path) ?? [];
  return `${stem} (${copy})${extension}`;
}
