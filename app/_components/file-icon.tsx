import {
  File,
  FileArchive,
  FileBraces,
  FileCode,
  FileImage,
  FileMusic,
  FileQuestionMark,
  FileSpreadsheet,
  FileText,
  FileVideoCamera,
  Folder,
  Link2,
  type LucideIcon,
} from "lucide-react";

const BY_EXTENSION: [LucideIcon, string][] = [
  [FileImage, "png jpg jpeg gif webp svg bmp ico tif tiff"],
  [FileSpreadsheet, "csv tsv xlsx xls parquet ods"],
  [FileCode, "py js ts jsx tsx sh bash html css c h cpp rs go java rb sql r ipynb"],
  [FileBraces, "json jsonl yaml yml toml xml ini"],
  [FileText, "md txt log pdf rst tex doc docx"],
  [FileArchive, "zip gz tar tgz bz2 xz 7z whl"],
  [FileMusic, "mp3 wav ogg flac m4a"],
  [FileVideoCamera, "mp4 webm mov mkv avi"],
];

const ICONS = new Map<string, LucideIcon>(
  BY_EXTENSION.flatMap(([icon, extensions]) =>
    extensions.split(" ").map((extension): [string, LucideIcon] => [extension, icon]),
  ),
);

/** What kind of thing a name stands for. Links and special files are never what their name says. */
export function fileIcon(name: string, type = "file"): LucideIcon {
  if (type === "directory") return Folder;
  if (type === "symlink") return Link2;
  if (type !== "file") return FileQuestionMark;
  return ICONS.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase()) ?? File;
}
