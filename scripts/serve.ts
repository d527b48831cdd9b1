// What the images start: everything is installed and built, and the engine is somewhere else.
import { launch } from "./launch.ts";

await launch("serve");
