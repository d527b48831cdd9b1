import {
  FileClock,
  Folder,
  GalleryVerticalEnd,
  type LucideIcon,
  MessageSquare,
  Settings,
  Sparkles,
  SquareTerminal,
} from "lucide-react";

export interface Place {
  href: string;
  label: string;
  icon: LucideIcon;
}

/** Where one can go, in the order of the sidebar. */
export const PLACES: Place[] = [
  { href: "/chat", label: "Chat", icon: MessageSquare },
  { href: "/console", label: "Console", icon: SquareTerminal },
  { href: "/artifacts", label: "Artifacts", icon: GalleryVerticalEnd },
  { href: "/files", label: "Files", icon: Folder },
  { href: "/history", label: "History", icon: FileClock },
  { href: "/skills", label: "Skills", icon: Sparkles },
  { href: "/settings", label: "Settings", icon: Settings },
];
