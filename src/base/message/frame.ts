/**
 * What the numbers of a point count: pixels of an image that the model saw (or of a display that it was told of),
 * or cells of a square grid laid over the screen whatever its shape.
 */
export type Frame =
  | { readonly kind: 'image' | 'display'; readonly width: number; readonly height: number }
  | { readonly kind: 'grid'; readonly size: number };
