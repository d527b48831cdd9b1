// The tools, in the order every door shows them. They come with the sandbox; until then the list is empty.
export interface Tool {
  name: string;
  description: string;
}

export const catalogue: readonly Tool[] = [];
