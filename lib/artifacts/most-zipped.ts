/** How many artifacts fit into one zip: their ids are in its address. The browser knows it, too. */
export const MOST_ZIPPED = 300;
