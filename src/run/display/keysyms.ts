/** X names keys by numbers; these are the ones that are not signs. */
const named: Readonly<Record<string, number>> = {
  Backspace: 0xff08,
  Tab: 0xff09,
  Clear: 0xff0b,
  Enter: 0xff0d,
  Pause: 0xff13,
  ScrollLock: 0xff14,
  PrintScreen: 0xff61,
  Escape: 0xff1b,
  Home: 0xff50,
  ArrowLeft: 0xff51,
  ArrowUp: 0xff52,
  ArrowRight: 0xff53,
  ArrowDown: 0xff54,
  PageUp: 0xff55,
  PageDown: 0xff56,
  End: 0xff57,
  Insert: 0xff63,
  ContextMenu: 0xff67,
  Help: 0xff6a,
  NumLock: 0xff7f,
  Shift: 0xffe1,
  Control: 0xffe3,
  ControlOrMeta: 0xffe3,
  CapsLock: 0xffe5,
  Alt: 0xffe9,
  Meta: 0xffeb,
  AltGraph: 0xfe03,
  Delete: 0xffff,
  AudioVolumeDown: 0x1008ff11,
  AudioVolumeMute: 0x1008ff12,
  AudioVolumeUp: 0x1008ff13,
  MediaPlayPause: 0x1008ff14,
  MediaTrackPrevious: 0x1008ff16,
  MediaTrackNext: 0x1008ff17,
  BrowserBack: 0x1008ff26,
  BrowserForward: 0x1008ff27,
  BrowserRefresh: 0x1008ff29,
};

/** The number of a key by its canonical name, or of a sign. */
export function keysymOf(key: string): number | undefined {
  const known = Object.hasOwn(named, key) ? named[key] : undefined;
  if (known !== undefined) return known;
  const f = /^F(\d+)$/.exec(key)?.[1];
  if (f !== undefined) return 0xffbe + Number(f) - 1;
  const signs = [...key];
  return signs.length === 1 ? keysymOfSign(signs[0]!) : undefined;
}

/** Latin-1 is numbered as it is; all else of Unicode from a million hexadecimal on. */
export function keysymOfSign(sign: string): number {
  const code = sign.codePointAt(0)!;
  const isLatin = (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff);
  return isLatin ? code : 0x0100_0000 + code;
}
