/** A number with its unit, in the base unit of its kind. */
export interface Quantity {
  readonly amount: number;
  readonly kind: string;
  /** How much of the base unit one of the written unit is. */
  readonly factor: number;
}

/** Reads `40 kg`, `$1,200`, `-3.5 °C`; nothing where no such thing is written. */
export function quantityOf(text: string): Quantity | undefined {
  // Longer ones are none, and would only take time.
  if (text.length > 60) return undefined;
  const trimmed = text.trim();
  const money = /^(-?)([$€£])\s*(.+)$/.exec(trimmed);
  const [, number = '', unit = ''] = money
    ? [trimmed, `${money[1]}${money[3]}`, money[2]]
    : (/^([-+\d.,e]*\d)\s*([^\d\s]*)$/i.exec(trimmed) ?? []);
  const written = writtenNumber(number);
  if (written === undefined) return undefined;
  const name = unit.toLowerCase();
  const [kind, factor, zero = 0] = units.get(name) ?? [name, 1];
  return { amount: written * factor + zero, kind, factor };
}

/** Whether a unit is one that is turned into others; any other is equal to itself alone. */
export function isKnownUnit(text: string): boolean {
  const unit = /[^\d\s.,+-]+$/.exec(text.trim())?.[0] ?? '';
  return unit === '' || /^[$€£]/.test(text.trim().replace('-', '')) || units.has(unit.toLowerCase());
}

/** A decimal number, its thousands grouped by commas or not: "1,200.5" is one, "1,2" and "0x10" are none. */
export function writtenNumber(text: string): number | undefined {
  if (!/^[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[-+]?\d{1,3})?$/i.test(text) || !/\d/.test(text))
    return undefined;
  const number = Number(text.replaceAll(',', ''));
  return Number.isFinite(number) ? number : undefined;
}

type Unit = readonly [kind: string, factor: number, zero?: number];

/** Each by its names: the plural is one of them where it has one. */
const units: ReadonlyMap<string, Unit> = new Map(
  (
    [
      ['kg kilo kilos kilogram kilograms', 'mass', 1],
      ['g gram grams', 'mass', 0.001],
      ['mg milligram milligrams', 'mass', 0.000001],
      ['µg μg mcg microgram micrograms', 'mass', 0.000000001],
      ['t ton tons tonne tonnes', 'mass', 1000],
      ['lb lbs pound pounds', 'mass', 0.45359237],
      ['oz ounce ounces', 'mass', 0.028349523125],
      ['m meter meters metre metres', 'length', 1],
      ['cm centimeter centimeters centimetre centimetres', 'length', 0.01],
      ['mm millimeter millimeters millimetre millimetres', 'length', 0.001],
      ['km kilometer kilometers kilometre kilometres', 'length', 1000],
      ['ft foot feet', 'length', 0.3048],
      ['in inch inches', 'length', 0.0254],
      ['yd yard yards', 'length', 0.9144],
      ['mi mile miles', 'length', 1609.344],
      ['l liter liters litre litres', 'volume', 1],
      ['ml milliliter milliliters millilitre millilitres', 'volume', 0.001],
      ['s sec secs second seconds', 'time', 1],
      ['min mins minute minutes', 'time', 60],
      ['h hr hrs hour hours', 'time', 3600],
      ['d day days', 'time', 86_400],
      ['week weeks', 'time', 604_800],
      ['°c celsius', 'temperature', 1],
      ['°f fahrenheit', 'temperature', 5 / 9, -160 / 9],
      ['% percent', 'share', 0.01],
      ['$ usd dollar dollars', 'usd', 1],
      ['€ eur euro euros', 'eur', 1],
      ['£ gbp', 'gbp', 1],
    ] as const
  ).flatMap(([names, ...unit]) => names.split(' ').map((name): [string, Unit] => [name, unit])),
);
