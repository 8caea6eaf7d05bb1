import { writeFileSync } from 'node:fs';

import { meters, type Meter } from '../scenarios/housing/meter-photos/meters.ts';
import { openBrowser } from '../test/browser.ts';

// Draws the photographs of `housing/meter-photos` from what they show: node scripts/draw-meters.ts

const units = { 'cold water': 'm³', heat: 'kWh', power: 'kWh' } as const;
const colors = { 'cold water': '#cfe3f2', heat: '#f0dccb', power: '#dcdcdc' } as const;

function drum(digit: string, { at, color }: { readonly at: number; readonly color: string }): string {
  return `<rect x="${at}" y="86" width="26" height="38" rx="3" fill="${color}"/>
    <text x="${at + 13}" y="114" font-size="26" text-anchor="middle" fill="#fff" font-family="monospace">${digit}</text>`;
}

function draw({ kind, serial, reading, red, lean }: Meter): string {
  const left = 160 - (reading.length + red.length) * 15;
  const black = [...reading].map((digit, place) => drum(digit, { at: left + place * 30, color: '#222' }));
  const behind = [...red].map((digit, place) =>
    drum(digit, { at: left + 6 + (reading.length + place) * 30, color: '#b3261e' }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="176" viewBox="0 0 320 220">
    <rect width="320" height="220" fill="#8f8a80"/>
    <g transform="rotate(${lean} 160 110)">
      <rect x="18" y="18" width="284" height="184" rx="14" fill="${colors[kind]}" stroke="#555" stroke-width="3"/>
      <text x="160" y="52" font-size="18" text-anchor="middle" font-family="sans-serif">${kind} · ${units[kind]}</text>
      <rect x="${left - 10}" y="76" width="${(reading.length + red.length) * 30 + 22}" height="58" rx="6" fill="#eee" stroke="#555"/>
      ${[...black, ...behind].join('\n')}
      <text x="160" y="176" font-size="17" text-anchor="middle" font-family="sans-serif">No. ${serial}</text>
    </g>
  </svg>`;
}

const browser = await openBrowser();
const page = await browser.newPage({ viewport: { width: 256, height: 176 } });
for (const meter of meters) {
  await page.setContent(`<body style="margin:0;line-height:0">${draw(meter)}</body>`);
  const file = new URL(`../scenarios/housing/meter-photos/documents/${meter.photo}.png`, import.meta.url);
  writeFileSync(file, await page.screenshot());
}
await browser.close();
