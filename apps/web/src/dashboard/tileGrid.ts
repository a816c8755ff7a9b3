/** Tiles of sandboxes and folders side by side, as many as there is room for. */
export const tileGrid =
  'grid grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-3 wide:grid-cols-[repeat(auto-fill,minmax(220px,1fr))] wide:gap-4'
