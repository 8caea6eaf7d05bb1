import { options } from 'preact';

/** What would hide or turn other text around: controls, marks of direction, and what has no width. */
const hiding =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text from outside as a page may show it: each character that hides or reorders others is written as its code. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(hiding, (sign) => `⟨U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/** Attributes that are read to people. */
const spoken = ['aria-label', 'title', 'alt'];

/** From now on all text enters the page through `visible`, wherever it is from: no view has to think of it. */
export function showOnlyVisible(): void {
  options.vnode = (node: { type: unknown; props: unknown }) => {
    // Preact makes a node without a type of each text.
    if (typeof node.props === 'string') node.props = visible(node.props);
    else if (typeof node.type === 'string') {
      const props = node.props as Record<string, unknown>;
      for (const name of spoken) if (typeof props[name] === 'string') props[name] = visible(props[name]);
    }
  };
}
