import type { ObservedImage } from '../../../src/serve/api/message.ts';

/** The pictures that an operator is shown, each with its title. */
export function Pictures({ images = [] }: { readonly images: readonly ObservedImage[] | undefined }) {
  return images.map(({ title, media_type: mediaType, data }, place) => (
    <figure key={place} class="picture">
      <img src={`data:${mediaType};base64,${data}`} alt={title} />
      <figcaption class="small quiet">{title}</figcaption>
    </figure>
  ));
}
