import { WhetstoneError } from '../../../../base/host/errors.ts';

/** An address as a model or a person writes it, also without its scheme; throws where it is none. */
export function readAddress(text: string): string {
  const trimmed = text.trim();
  const isBare = !/^[a-z][a-z0-9+.-]*:/i.test(trimmed) || /^[^/:]+:\d+(?:[/?#]|$)/.test(trimmed);
  const whole = isBare
    ? `${/^(?:localhost|[\d.]+|\[)/.test(trimmed) ? 'http' : 'https'}://${trimmed}`
    : trimmed;
  if (trimmed !== '' && URL.canParse(whole)) return new URL(whole).href;
  throw new WhetstoneError('page_unreachable', `${JSON.stringify(text)} is not an address.`, {
    details: { url: text },
  });
}
