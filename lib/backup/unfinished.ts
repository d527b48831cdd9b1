/** In the data directory for as long as a restore is under way: what it holds is not to be served. */
export const UNFINISHED = "restore-unfinished";
