/** What a photograph in `documents/` shows, drawn by `scripts/draw-meters.ts`. */
export interface Meter {
  readonly photo: string;
  readonly kind: 'cold water' | 'heat' | 'power';
  readonly serial: string;
  /** The black digits. */
  readonly reading: string;
  /** The red digits behind the point. */
  readonly red: string;
  /** How the picture leans, in degrees. */
  readonly lean: number;
}

function meter(
  photo: string,
  serial: string,
  [reading, red, lean]: readonly [string, string, number],
): Meter {
  const kinds = { w: 'cold water', h: 'heat', p: 'power' } as const;
  return { photo, kind: kinds[photo[0] as 'w' | 'h' | 'p'], serial, reading, red, lean };
}

export const meters: readonly Meter[] = [
  meter('w1', '48213907', ['00318', '472', -2]),
  meter('w2', '48219307', ['00406', '915', 1]),
  meter('w3', '48231970', ['01187', '038', 3]),
  meter('w4', '51770264', ['00952', '660', -1]),
  meter('w5', '51772064', ['00871', '209', 2]),
  meter('w6', '51707642', ['01430', '884', -3]),
  meter('h1', '7-0415-22', ['04261', '7', 1]),
  meter('h2', '7-0451-22', ['03917', '3', -2]),
  meter('h3', '7-0415-27', ['12086', '9', 2]),
  meter('h4', '7-1180-06', ['08554', '1', -1]),
  meter('h5', '7-1108-06', ['07349', '6', 3]),
  meter('h6', '7-1180-60', ['10672', '4', -3]),
  meter('p1', 'LD 90 3351', ['23806', '5', 2]),
  meter('p2', 'LD 90 3531', ['31942', '0', -1]),
  meter('p3', 'LD 90 5331', ['18677', '8', 1]),
  meter('p4', 'LD 17 8040', ['40215', '2', -2]),
  meter('p5', 'LD 17 8400', ['27590', '6', 3]),
  meter('p6', 'LD 71 8040', ['36128', '7', -3]),
];
